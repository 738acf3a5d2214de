import type { Readings } from "../../../generated/gaps.ts";
import { gapReadings, mockReadings } from "../../../generated/readings.ts";
import { isObject } from "../../wire/json.ts";
import type { ReadingsFile } from "../../wire/readings-file.ts";

/** The reading in force of every gap that affects the reference server. */
export type MockReadings = { [Gap in MockGap]: (typeof mockReadings)[Gap][number] };

/** A gap that affects the reference server. */
export type MockGap = keyof typeof mockReadings;

/** The chosen readings; other gaps have their default. */
export type ReadingsOption = Pick<Readings, MockGap>;

/**
 * Returns the readings in force: the chosen readings, then the given defaults, then the defaults of the gap list.
 * Also accepts a whole readings file, and ignores gaps that affect only clients. Throws for an unknown gap or
 * reading, and names the known ones.
 */
export function resolveReadings(
  chosen: ReadingsOption | ReadingsFile<Readings> = {},
  defaults: ReadingsOption = {},
): MockReadings {
  const readings: Record<string, string> = {};
  for (const [gap, [first]] of Object.entries(mockReadings)) readings[gap] = first;
  Object.assign(readings, defaults);
  for (const [gap, reading] of Object.entries<string | undefined>({ ...unwrapFile(chosen) })) {
    if (reading === undefined) continue;
    assertReading(gap, reading);
    if (Object.hasOwn(mockReadings, gap)) readings[gap] = reading;
  }
  return readings as MockReadings; // each gap has a reading of its list
}

function unwrapFile(chosen: ReadingsOption | ReadingsFile<Readings>): Readings {
  const given: object = chosen;
  if (!isObject(given)) throw new Error("readings must be an object");
  if (!("version" in given)) return given;
  const { version, readings } = given;
  if (version === 1 && isObject(readings)) return readings;
  throw new Error("readings: not a readings file of version 1 with a property `readings`");
}

const allReadings: Readonly<Record<string, readonly string[]>> = gapReadings;

function assertReading(gap: string, reading: string): void {
  const known = Object.hasOwn(allReadings, gap) ? allReadings[gap] : undefined;
  if (known === undefined) {
    throw new Error(
      `readings: unknown gap "${gap}" of the reference server. Expected one of ${Object.keys(mockReadings).join(", ")}`,
    );
  }
  if (!known.includes(reading)) {
    throw new Error(
      `readings: unknown reading "${reading}" of "${gap}". Expected one of ${known.join(", ")}`,
    );
  }
}
