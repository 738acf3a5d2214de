import type { Readings } from "../../../generated/gaps.ts";
import { mockReadings } from "../../../generated/readings.ts";

/** Every gap that the reference server can be switched on, with the reading in force. */
export type MockReadings = { [Gap in MockGap]: (typeof mockReadings)[Gap][number] };

/** A gap that affects the reference server. */
export type MockGap = keyof typeof mockReadings;

/** A choice of readings; what is left out has its default. */
export type ReadingsOption = Pick<Readings, MockGap>;

/** The readings in force. An unknown gap or reading is refused by an error that names the known ones. */
export function resolveReadings(chosen: ReadingsOption = {}): MockReadings {
  const readings: Record<string, string> = {};
  for (const [gap, [first]] of Object.entries(mockReadings)) readings[gap] = first;
  for (const [gap, reading] of Object.entries(chosen)) {
    if (reading === undefined) continue;
    assertReading(gap, reading);
    readings[gap] = reading;
  }
  return readings as MockReadings; // each gap was given a reading of its own list
}

function assertReading(gap: string, reading: unknown): void {
  if (!Object.hasOwn(mockReadings, gap)) {
    throw new Error(
      `readings: no gap "${gap}" of the reference server; there are ${Object.keys(mockReadings).join(", ")}`,
    );
  }
  const known: readonly unknown[] = mockReadings[gap as MockGap];
  if (!known.includes(reading)) {
    throw new Error(`readings: "${gap}" has no reading "${String(reading)}"; it has ${known.join(", ")}`);
  }
}
