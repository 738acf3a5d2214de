import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mockReadings } from "../../generated/gaps.ts";
import { fleetClientReadings, storeClientReadings } from "../../generated/readings.ts";
import type { ReadingsOption } from "../../src/mock/index.ts";
import { seed, repetitions } from "../proof/run.ts";
import type { OpenGap } from "./gap.ts";
import { expectedOutcomes, walkAll } from "./walk.ts";

const rows = Object.entries(mockReadings) as [OpenGap & keyof typeof mockReadings, readonly string[]][];

/** The gaps that options of the clients concern; `apiVersion` is the option of the last one. */
const optional = new Set(
  Object.keys({ ...storeClientReadings, ...fleetClientReadings, "fleet.version-header": [] }),
);

for (const [id, readings] of rows) {
  describe(`gap ${id}`, () => {
    for (const reading of readings) {
      test(`every operation does what it promises under ${reading}`, { meta: { reading } }, async () => {
        const chosen: ReadingsOption = { [id]: reading };
        for (const isConfigured of optional.has(id) ? [true, false] : [true]) {
          for (const validate of ["envelope", "full"] as const)
            expect(await walkAll(chosen, { isConfigured, validate })).toEqual(
              expectedOutcomes(chosen, isConfigured),
            );
        }
      });
    }
  });
}

const combination = fc.record(
  Object.fromEntries(rows.map(([id, readings]) => [id, fc.constantFrom(...readings)])),
) as fc.Arbitrary<ReadingsOption>;

/** Servers of any size that has what the steps name, and with any data. */
const server = fc.record({
  seed: fc.integer(),
  store: fc.record({
    stores: fc.integer({ min: 2, max: 7 }),
    storesWithoutId: fc.integer({ min: 0, max: 1 }),
    protocolsPerStore: fc.integer({ min: 1, max: 9 }),
  }),
  fleet: fc.record({
    vehicles: fc.integer({ min: 3, max: 16 }),
    inspections: fc.integer({ min: 1, max: 16 }),
    damages: fc.integer({ min: 3, max: 16 }),
  }),
});

const setup = fc.record({
  isConfigured: fc.boolean(),
  validate: fc.constantFrom("envelope" as const, "full" as const),
  server,
});

test("every operation does what it promises under any combination of readings", async () => {
  const property = fc.asyncProperty(combination, setup, async (combined, chosen) => {
    // a client without this reading expects times that are compared to the second (G-1 of the guarantees)
    const timed = chosen.isConfigured ? combined : { ...combined, "time-range.precision": "second" as const };
    // nothing shows a null cursor before a store without external ID with which the next page begins (G-1)
    const isHidden = timed["stores.cursor-start"] === "at" && timed["stores.null-cursor"] === "null-early";
    const readings = isHidden ? { ...timed, "stores.cursor-start": "after" as const } : timed;
    const expected = expectedOutcomes(readings, chosen.isConfigured);
    const outcomes = await walkAll(readings, chosen);
    // several readings together can make a list ambiguous, such as pages that share items without an ID: an error says so
    for (const [id, outcome] of Object.entries(outcomes))
      if (id.startsWith("list") && outcome === "PaginationError") outcomes[id] = expected[id] ?? "";
    expect(outcomes).toEqual(expected);
  });
  await fc.assert(property, { seed, numRuns: 200 * repetitions });
});
