import type { ReferenceServerOptions } from "./options.ts";
import type { MockReadings } from "./readings.ts";

/** What a seed is made from. */
export interface SeedPlan {
  readonly seed: number;
  /** When the server was made, in milliseconds; seeded dates lie in the 28 days before. */
  readonly now: number;
  readonly options: ReferenceServerOptions;
  readonly readings: MockReadings;
}

/** Milliseconds in the 28 days that seeded dates lie in. */
export const SEEDED_SPAN = 28 * 86_400_000;
