import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mockReadings } from "../../generated/readings.ts";
import type { ReadingsOption } from "../../src/mock/index.ts";
import { seed, repetitions } from "../proof/run.ts";
import { expectedOutcomes, walkAll } from "./walk.ts";

const rows = Object.entries(mockReadings) as [keyof typeof mockReadings, readonly string[]][];

/** The gaps that options of the clients concern. */
const optional = new Set<string>([
  "photos.page-shape",
  "time-range.precision",
  "expositions.matching",
  "templates.group-filter",
  "templates.title-filter",
  "lists.undocumented",
  "fleet.version-header",
]);

for (const [id, readings] of rows) {
  test.each(readings)(`every operation does what it promises under ${id} "%s"`, async (reading) => {
    const chosen: ReadingsOption = { [id]: reading };
    for (const isConfigured of optional.has(id) ? [true, false] : [true])
      for (const validate of ["envelope", "full"] as const)
        expect(await walkAll(chosen, { isConfigured, validate })).toEqual(
          expectedOutcomes(chosen, isConfigured),
        );
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
    const readings = { ...combined };
    // a client without this option expects times that are compared to the second
    if (!chosen.isConfigured) readings["time-range.precision"] = "second";
    // nothing shows a null cursor before a store without external ID with which the next page begins
    if (readings["stores.null-cursor"] === "null-early") readings["stores.cursor-start"] = "after";
    // an item without ID on two pages is delivered twice (docs/guarantees.md)
    if (readings["protocols.id-property"] === "anonymous") readings["lists.cursor-position"] = "after-entry";
    const expected = expectedOutcomes(readings, chosen.isConfigured);
    const outcomes = await walkAll(readings, chosen);
    // several readings together can make a list ambiguous, such as pages that share items without an ID: an error says so
    for (const [id, outcome] of Object.entries(outcomes))
      if (id.startsWith("list") && outcome === "PaginationError") outcomes[id] = expected[id] ?? "";
    expect(outcomes).toEqual(expected);
  });
  await fc.assert(property, { seed, numRuns: 200 * repetitions });
});
