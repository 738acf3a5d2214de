import type { SeedPlan } from "../../../seed/seed-plan.ts";
import type { FleetOptions } from "../options.ts";

/** The plan of the seed data of the fleet API. */
export interface FleetSeedPlan extends SeedPlan {
  readonly options: FleetOptions;
}
