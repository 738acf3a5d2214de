import type { SeedKeys } from "../../../seed/seed-keys.ts";
import type { SeedPlan } from "../../../seed/seed-plan.ts";
import type { StoreOptions } from "../options.ts";

/** The plan of the seed data of the store API. */
export interface StoreSeedPlan extends SeedPlan {
  readonly options: StoreOptions;
  /** The external IDs of the generated stores, the same for every tenant. */
  readonly storeKeys: SeedKeys;
  /** The regions and the protocol schedules that the stores share. */
  readonly regionIds: readonly string[];
  readonly scheduleIds: readonly string[];
}
