import type { JsonObject, Scope } from "../../../../generated/fleet.ts";

/** A key of the fleet API. `<prefix>_test_` and 64 hexadecimal digits make it one of the sandbox. */
export interface FleetKeySeed {
  key: string;
  scopes: Scope[];
  /** ISO 8601; the key is refused from then on, by the server's clock. */
  expiresAt?: string;
  revoked?: boolean;
}

/** What the fleet API begins with; a number, or rows of the caller's own. Sandbox and production begin alike and live apart. */
export interface FleetOptions {
  /** Left out: a production key with every scope, and one of the sandbox. */
  keys?: FleetKeySeed[];
  vehicles?: number | JsonObject[];
  vehicleGroups?: number | JsonObject[];
  vehicleFields?: number | JsonObject[];
  inspections?: number | JsonObject[];
  inspectionTemplates?: number | JsonObject[];
  damages?: number | JsonObject[];
  driverAssignments?: number | JsonObject[];
}
