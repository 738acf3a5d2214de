import type { JsonObject } from "../../../../generated/fleet.ts";
import { SeededMap } from "../../seed/seeded-map.ts";

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
export type FleetData = Readonly<Record<FleetResource, SeededMap<FleetRow>>> & {
  /** Deleted rows, by `resource/id`. gaps fleet.deleted-resources, fleet.second-delete */
  readonly archived: SeededMap<FleetRow>;
};

/** Returns the key of a deleted row. */
export function archiveKey(resource: FleetResource, id: string): string {
  return `${resource}/${id}`;
}

/** Returns an environment without data. */
export function emptyFleet(): FleetData {
  return {
    vehicles: rows(),
    vehicleGroups: rows(),
    vehicleFields: rows(),
    inspections: rows(),
    inspectionTemplates: rows(),
    damages: rows(),
    driverAssignments: rows(),
    archived: rows(),
  };
}

function rows(): SeededMap<FleetRow> {
  return new SeededMap(false);
}
