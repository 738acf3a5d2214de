import { describe, expect, it } from "vitest";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import type { RequestCase } from "./request-cases.ts";
import { sendCase, contractCases } from "./contract-cases.ts";
import { type ApiOperation, operationsOf, successStatus } from "./operations.ts";

/** The statuses of the responses to some requests, without repetitions. */
async function statuses(
  ref: ReferenceServer,
  operation: ApiOperation,
  cases: RequestCase[],
): Promise<unknown[]> {
  const found = new Set<unknown>();
  for (const one of cases) {
    const { status } = await sendCase(ref, operation, one);
    found.add(operation.statuses.includes(status) ? status : [status, one]);
  }
  return [...found];
}

describe.each([...operationsOf("store"), ...operationsOf("fleet")])("a test request to $id", (operation) => {
  it("has the status of its group under the default readings", async () => {
    const ref = createReferenceServer();
    const { good, bad, unknown, open } = contractCases(ref, operation);
    expect(await statuses(ref, operation, good)).toEqual([successStatus(operation)]);
    expect(await statuses(ref, operation, bad)).toEqual(bad.length > 0 ? [400] : []);
    expect(await statuses(ref, operation, unknown)).toEqual(unknown.length > 0 ? [404] : []);
    for (const status of await statuses(ref, operation, open)) expect(operation.statuses).toContain(status);
  });
});
