import type {
  Damage,
  Inspection,
  InspectionTemplate,
  JsonObject,
  Scope,
  VehicleField,
} from "../../../generated/fleet.ts";
import { tableOf } from "../../wire/names.ts";
import { SeededMap } from "../server/rows.ts";

/** The seven resources, with their names in options and state. */
export const fleetResources = [
  "vehicles",
  "vehicleGroups",
  "vehicleFields",
  "inspections",
  "inspectionTemplates",
  "damages",
  "driverAssignments",
] as const;

/** A resource of the fleet API. */
export type FleetResource = (typeof fleetResources)[number];

/** A stored resource. The contract shows few other properties. */
export interface FleetRow extends JsonObject {
  id: string;
}

/** The state of one environment: each resource by ID, in order of insertion. */
export type FleetData = Readonly<Record<FleetResource, SeededMap<FleetRow>>>;

/** Returns an environment without data. */
export function emptyFleet(): FleetData {
  return tableOf(fleetResources, () => new SeededMap<FleetRow>(false));
}

/** A key of the fleet API. `<prefix>_test_` and 64 hexadecimal digits make it a key of the sandbox. */
export interface FleetKeySeed {
  key: string;
  /** Default: every scope. */
  scopes?: readonly Scope[] | undefined;
  /** ISO 8601; the key is rejected from then on, by the server's clock. */
  expiresAt?: string | undefined;
  revoked?: boolean | undefined;
}

/**
 * The seed of the fleet API: a number of rows, or the rows, for example rows that a client has read. Sandbox and
 * production begin with the same rows and are separate.
 */
export interface FleetOptions {
  /** Default: a production key and a sandbox key, each with every scope. */
  keys?: FleetKeySeed[] | undefined;
  vehicles?: number | JsonObject[] | undefined;
  vehicleGroups?: number | JsonObject[] | undefined;
  vehicleFields?: number | (JsonObject | VehicleField)[] | undefined;
  inspections?: number | (JsonObject | Inspection)[] | undefined;
  inspectionTemplates?: number | (JsonObject | InspectionTemplate)[] | undefined;
  damages?: number | (JsonObject | Damage)[] | undefined;
  driverAssignments?: number | JsonObject[] | undefined;
}
