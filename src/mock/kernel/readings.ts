import type { Readings } from "../../../generated/gaps.ts";
import { mockReadings } from "../../../generated/readings.ts";

/** The reading in force of every gap that affects the reference server. */
export type MockReadings = { [Gap in MockGap]: (typeof mockReadings)[Gap][number] };

/** A gap that affects the reference server. */
export type MockGap = keyof typeof mockReadings;

/** Chosen readings; the others have their default. */
export type ReadingsOption = Pick<Readings, MockGap>;

/** Returns the readings in force. Throws for an unknown gap or reading, and names the known ones. */
export function resolveReadings(chosen: ReadingsOption = {}): MockReadings {
  const readings: Record<string, string> = {};
  for (const [gap, [first]] of Object.entries(mockReadings)) readings[gap] = first;
  for (const [gap, reading] of Object.entries(chosen)) {
    if (reading === undefined) continue;
    assertReading(gap, reading);
    readings[gap] = reading;
  }
  return readings as MockReadings; // each gap has a reading of its list
}

function assertReading(gap: string, reading: unknown): void {
  if (!Object.hasOwn(mockReadings, gap)) {
    throw new Error(
      `readings: unknown gap "${gap}" of the reference server. Expected one of ${Object.keys(mockReadings).join(", ")}`,
    );
  }
  const known: readonly unknown[] = mockReadings[gap as MockGap];
  if (!known.includes(reading)) {
    throw new Error(
      `readings: unknown reading "${String(reading)}" of "${gap}". Expected one of ${known.join(", ")}`,
    );
  }
}
