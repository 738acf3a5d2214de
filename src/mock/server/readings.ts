import * as z from "zod/mini";
import type { Readings } from "../../../generated/gaps.ts";
import { mockReadings } from "../../../generated/readings.ts";
import { namesOf, omitUndefined, tableOf } from "../../wire/names.ts";
import { parse } from "./schemas.ts";

/** A gap that affects the reference server. */
export type MockGap = keyof typeof mockReadings;

/** The reading in force of every gap that affects the reference server. */
export type MockReadings = { [Gap in MockGap]: (typeof mockReadings)[Gap][number] };

/** The chosen readings; other gaps have their default. */
export type ReadingsOption = { [Gap in MockGap]?: Readings[Gap] | undefined };

/** Whether a reading is in force. */
export type Is = <Gap extends MockGap>(gap: Gap, reading: MockReadings[Gap]) => boolean;

const readingsSchema = z.strictObject(
  tableOf(namesOf(mockReadings), (gap) => z.optional(z.enum(mockReadings[gap]))),
);

/** Returns the readings in force: the chosen readings, then those of `before`, then the defaults. */
export function resolveReadings(chosen: unknown, before: ReadingsOption = {}): MockReadings {
  const given = omitUndefined(parse(readingsSchema, chosen, "readings"));
  return {
    ...tableOf(namesOf(mockReadings), (gap) => mockReadings[gap][0]),
    ...before,
    ...given,
  } as MockReadings; // each gap has one
}
