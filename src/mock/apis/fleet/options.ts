import type { JsonObject, Scope } from "../../../../generated/fleet.ts";

/** A key of the fleet API. `<prefix>_test_` and 64 hexadecimal digits make it one of the sandbox. */
export interface FleetKeySeed {
  key: string;
  scopes: Scope[];
  /** ISO 8601; the key is rejected from then on, by the server's clock. */
  expiresAt?: string;
  revoked?: boolean;
}

/** The seed of the fleet API: a number of rows, or the rows. Sandbox and production start alike and are separate. */
export interface FleetOptions {
  /** Default: a production key and a sandbox key, each with every scope. */
  keys?: FleetKeySeed[];
  vehicles?: number | JsonObject[];
  vehicleGroups?: number | JsonObject[];
  vehicleFields?: number | JsonObject[];
  inspections?: number | JsonObject[];
  inspectionTemplates?: number | JsonObject[];
  damages?: number | JsonObject[];
  driverAssignments?: number | JsonObject[];
}
