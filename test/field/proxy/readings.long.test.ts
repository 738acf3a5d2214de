import { describe, expect, it } from "vitest";
import { mockReadings } from "../../../generated/readings.ts";
import type { JsonObject } from "../../../generated/store.ts";
import { type MockGap, type ReferenceServerOptions, createReferenceServer } from "../../../src/mock/index.ts";
import { ContractChecker } from "../../../src/field/proxy/check/check.ts";
import { type Probe, readingProbes } from "../../mock/reading-probes.ts";
import { runChecked, operationNamed, operations, violations, walkSurface } from "./walk.ts";

const SMALL: ReferenceServerOptions = { store: { stores: 4, storesWithoutId: 2 }, fleet: { vehicles: 4 } };

const gaps = Object.keys(mockReadings) as MockGap[];
const others = gaps.flatMap((gap) => mockReadings[gap].slice(1).map((reading) => ({ gap, reading })));
const probes: Readonly<Partial<Record<MockGap, Probe | "operations">>> = readingProbes;
const probed = gaps.flatMap((gap) => {
  const probe = probes[gap];
  if (probe === undefined || probe === "operations") return [];
  return mockReadings[gap].map((reading) => ({ gap, reading, probe }));
});

describe("a response of the reference server", () => {
  it("is not a violation under the default readings", async () => {
    expect(await walkSurface(() => createReferenceServer(SMALL))).toEqual([]);
  });

  it.each(others)("is not a violation under $gap: $reading", async ({ gap, reading }) => {
    const create = () => createReferenceServer({ ...SMALL, readings: { [gap]: reading } });
    const concerned = operations.filter((operation) => operation.gaps.includes(gap));
    expect(concerned).not.toEqual([]);
    expect(await walkSurface(create, concerned)).toEqual([]);
  });

  it.each(probed)("to a probe of $gap is not a violation under $reading", async ({ gap, reading, probe }) => {
    let ref;
    try {
      ref = createReferenceServer({ ...probe.options, readings: { [gap]: reading } });
    } catch {
      return; // a key with a scope that this reading rejects
    }
    const server = ref;
    const checker = new ContractChecker();
    const found: string[] = [];
    await probe.run(async (id, requested = {}) => {
      const { findings, body } = await runChecked(server, operationNamed(id), requested, checker);
      found.push(...violations(findings.filter(({ side }) => side === "response")));
      return JSON.parse(body || "{}") as JsonObject;
    }, server);
    expect(found).toEqual([]);
  });
});
