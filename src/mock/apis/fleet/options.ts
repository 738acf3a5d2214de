import type {
  Damage,
  Inspection,
  InspectionTemplate,
  JsonObject,
  Scope,
  VehicleField,
} from "../../../../generated/fleet.ts";
import type { SeedPlan } from "../../seed/seed-plan.ts";

/** A key of the fleet API. `<prefix>_test_` and 64 hexadecimal digits make it a key of the sandbox. */
export interface FleetKeySeed {
  key: string;
  scopes: Scope[];
  /** ISO 8601; the key is rejected from then on, by the server's clock. */
  expiresAt?: string;
  revoked?: boolean;
}

/**
 * The seed of the fleet API: a number of rows, or the rows, for example rows that a client has read. Sandbox and
 * production begin with the same rows and are separate.
 */
export interface FleetOptions {
  /** Default: a production key and a sandbox key, each with every scope. */
  keys?: FleetKeySeed[];
  vehicles?: number | JsonObject[];
  vehicleGroups?: number | JsonObject[];
  vehicleFields?: number | (JsonObject | VehicleField)[];
  inspections?: number | (JsonObject | Inspection)[];
  inspectionTemplates?: number | (JsonObject | InspectionTemplate)[];
  damages?: number | (JsonObject | Damage)[];
  driverAssignments?: number | JsonObject[];
}

/** The plan of the seed data of the fleet API. */
export interface FleetSeedPlan extends SeedPlan {
  readonly options: FleetOptions;
}
