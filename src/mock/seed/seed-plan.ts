import type { ReferenceServerOptions } from "../options.ts";
import type { MockReadings } from "../kernel/readings.ts";
import type { SeedKeys } from "./seed-keys.ts";

/** What a seed is made from. */
export interface SeedPlan {
  readonly seed: number;
  /** When the server was made, in milliseconds; seeded dates lie in the 28 days before. */
  readonly now: number;
  readonly options: ReferenceServerOptions;
  readonly readings: MockReadings;
  /** The external IDs of the stores that are made up, the same for every tenant. */
  readonly storeKeys: SeedKeys;
  /** The regions and the protocol schedules that stores share. */
  readonly regionIds: readonly string[];
  readonly scheduleIds: readonly string[];
}

/** Milliseconds in the 28 days that seeded dates lie in. */
export const SEEDED_SPAN = 28 * 86_400_000;
