import type { Readings } from "../../../generated/gaps.ts";
import { gapReadings, mockReadings } from "../../../generated/readings.ts";
import { isObject } from "../../wire/json.ts";

/** A gap that affects the reference server. */
export type MockGap = keyof typeof mockReadings;

/** The reading in force of every gap that affects the reference server. */
export type MockReadings = { [Gap in MockGap]: (typeof mockReadings)[Gap][number] };

/** The chosen readings; other gaps have their default. */
export type ReadingsOption = { [Gap in MockGap]?: Readings[Gap] | undefined };

/** Whether a reading is in force. */
export type Is = <Gap extends MockGap>(gap: Gap, reading: MockReadings[Gap]) => boolean;

const known: Readonly<Record<string, readonly string[]>> = gapReadings;

/**
 * Returns the readings in force: the chosen readings, then those of `before`, then the defaults. Ignores gaps that affect only
 * clients. Throws for an unknown gap or reading, and names the known ones.
 */
export function resolveReadings(chosen: ReadingsOption, before: ReadingsOption = {}): MockReadings {
  if (!isObject(chosen)) throw new Error("readings must be an object");
  const defaults = Object.entries(mockReadings).map(([gap, [first]]) => [gap, first] as const);
  const readings: Record<string, string | undefined> = { ...Object.fromEntries<string>(defaults), ...before };
  for (const [gap, reading] of Object.entries<string | undefined>({ ...chosen })) {
    if (reading === undefined) continue;
    const expected = Object.hasOwn(known, gap) ? known[gap] : undefined;
    const names = expected ?? Object.keys(mockReadings);
    const what =
      expected === undefined ? `gap "${gap}" of the reference server` : `reading "${reading}" of "${gap}"`;
    if (expected?.includes(reading) !== true)
      throw new Error(`readings: unknown ${what}. Expected one of ${names.join(", ")}`);
    if (Object.hasOwn(mockReadings, gap)) readings[gap] = reading;
  }
  return readings as unknown as MockReadings; // each gap has a reading of its list
}
