import type { MockReadings } from "../kernel/readings.ts";
import type { Shapes } from "./shapes.ts";

/** What seed data are made from; each API adds its own options. */
export interface SeedPlan {
  readonly seed: number;
  /** When the server was created, in milliseconds; seeded dates lie in the 28 days before. */
  readonly now: number;
  readonly readings: MockReadings;
  /** What the caller's own rows have to meet. */
  readonly shapes: Shapes | undefined;
}

/** The 28 days that seeded dates lie in, in milliseconds. */
export const SEEDED_SPAN = 28 * 86_400_000;
