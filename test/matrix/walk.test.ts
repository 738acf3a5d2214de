import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mockReadings } from "../../generated/gaps.ts";
import type { ReadingsOption } from "../../src/mock/index.ts";
import { seed, turns } from "../proof/run.ts";
import type { OpenGap } from "./gap.ts";
import { promised, walkAll } from "./walk.ts";

const rows = Object.entries(mockReadings) as [OpenGap & keyof typeof mockReadings, readonly string[]][];

for (const [id, readings] of rows) {
  describe(`gap ${id}`, () => {
    for (const reading of readings) {
      test(`all 46 operations do what they promise under ${reading}`, { meta: { reading } }, async () => {
        const chosen: ReadingsOption = { [id]: reading };
        for (const told of [true, false]) {
          for (const validate of ["envelope", "full"] as const)
            expect(await walkAll(chosen, { told, validate })).toEqual(promised(chosen, told));
        }
      });
    }
  });
}

const combination = fc.record(
  Object.fromEntries(rows.map(([id, readings]) => [id, fc.constantFrom(...readings)])),
) as fc.Arbitrary<ReadingsOption>;

test("all 46 operations do what they promise under any combination of readings", async () => {
  const property = fc.asyncProperty(
    combination,
    fc.boolean(),
    fc.constantFrom("envelope" as const, "full" as const),
    async (readings, told, validate) => {
      expect(await walkAll(readings, { told, validate })).toEqual(promised(readings, told));
    },
  );
  await fc.assert(property, { seed, numRuns: 200 * turns });
});
