import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { violationsOf } from "./assert-contract.ts";

const headers = { "content-type": "application/json" };

async function stored(): Promise<object> {
  const ref = createReferenceServer({ store: { stores: 1 } });
  const response = await ref.fetch(`${ref.storeUrl}/v1/stores/S-1`, {
    headers: { authorization: `Bearer ${ref.token}` },
  });
  return (await response.json()) as object;
}

describe("the check of responses against the OpenAPI documents", () => {
  it("accepts a response of the reference server", async () => {
    const response = { status: 200, headers, body: await stored() };
    expect(violationsOf({ operation: "getStore", response })).toEqual([]);
  });

  it.each<[string, number, object, object, string]>([
    ["a property of another type", 200, headers, { name: 5 }, "getStore: 200 /name must be string"],
    ["another media type", 200, { "content-type": "text/html" }, {}, "getStore: 200 has the type text/html"],
    ["an undocumented success", 202, headers, {}, "getStore: 202 is not documented"],
  ])("reports %s", async (_, status, given, changes, expected) => {
    const body = { ...(await stored()), ...changes };
    const found = violationsOf({ operation: "getStore", response: { status, headers: { ...given }, body } });
    expect(found[0]).toContain(expected);
  });

  it("reports a body of an error that lacks its code", () => {
    const response = { status: 404, headers, body: { error: {} } };
    expect(violationsOf({ operation: "getStore", response })).not.toEqual([]);
  });
});
