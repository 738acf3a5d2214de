import type { SeedKeys } from "../../../seed/seed-keys.ts";
import type { SeedPlan } from "../../../seed/seed-plan.ts";
import type { StoreOptions } from "../options.ts";

/** What the seed data of the store API are made from. */
export interface StoreSeedPlan extends SeedPlan {
  readonly options: StoreOptions;
  /** The external IDs of the generated stores, the same for every tenant. */
  readonly storeKeys: SeedKeys;
  /** The regions and the protocol schedules that the stores share. */
  readonly regionIds: readonly string[];
  readonly scheduleIds: readonly string[];
}
