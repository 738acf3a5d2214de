import type { MockReadings } from "../server/readings.ts";
import type { Shapes } from "./shapes.ts";

/** The plan of seed data; each API adds its own options. */
export interface SeedPlan {
  readonly seed: number;
  /** When the server was created, in milliseconds; seeded dates are in the 28 days before. */
  readonly now: number;
  readonly readings: MockReadings;
  /** The shapes that the given rows must match. */
  readonly shapes: Shapes | undefined;
}

/** The 28 days of the seeded dates, in milliseconds. */
export const SEEDED_SPAN = 28 * 86_400_000;
