import type { Readings } from "../../../generated/gaps.ts";
import { mockReadings } from "../../../generated/readings.ts";
import { isObject } from "../../wire/json.ts";
import { describeKnownNames } from "../../wire/similar-name.ts";

/** A gap that affects the reference server. */
export type MockGap = keyof typeof mockReadings;

/** The reading in force of every gap that affects the reference server. */
export type MockReadings = { [Gap in MockGap]: (typeof mockReadings)[Gap][number] };

/** The chosen readings; other gaps have their default. */
export type ReadingsOption = { [Gap in MockGap]?: Readings[Gap] | undefined };

/** Whether a reading is in force. */
export type Is = <Gap extends MockGap>(gap: Gap, reading: MockReadings[Gap]) => boolean;

const known: Readonly<Record<string, readonly string[]>> = mockReadings;

/**
 * Returns the readings in force: the chosen readings, then those of `before`, then the defaults. Throws for an unknown gap or
 * reading, and names the known ones.
 */
export function resolveReadings(chosen: ReadingsOption, before: ReadingsOption = {}): MockReadings {
  if (!isObject(chosen)) throw new Error("readings must be an object");
  const readings: Record<string, string> = {};
  for (const [gap, [first]] of Object.entries(mockReadings)) readings[gap] = first;
  Object.assign(readings, before);
  for (const [gap, reading] of Object.entries<string | undefined>({ ...chosen })) {
    if (reading === undefined) continue;
    const expected = Object.hasOwn(known, gap) ? known[gap] : undefined;
    if (expected === undefined)
      throw new Error(
        `readings: unknown gap "${gap}" of the reference server${describeKnownNames(gap, Object.keys(known))}`,
      );
    if (!expected.includes(reading))
      throw new Error(
        `readings: unknown reading "${reading}" of "${gap}". Expected one of ${expected.join(", ")}`,
      );
    readings[gap] = reading;
  }
  return readings as unknown as MockReadings; // each gap has a reading of its list
}
