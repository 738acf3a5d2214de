import type { SeedPlan } from "../../../seed/seed-plan.ts";
import type { FleetOptions } from "../options.ts";

/** What the seed data of the fleet API are made from. */
export interface FleetSeedPlan extends SeedPlan {
  readonly options: FleetOptions;
}
