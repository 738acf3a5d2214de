import type { JsonObject } from "../../../../generated/fleet.ts";
import { type FleetData, type FleetResource, archiveKey } from "./data.ts";
import { stringsIn } from "./properties.ts";
import { idOf } from "./references.ts";

type Dependency = readonly [resource: FleetResource, belongsTo: (row: JsonObject, id: string) => boolean];

const ofVehicle = (row: JsonObject, id: string) => idOf(row, "vehicle") === id;

/** The resources that belong to another one. Like a vehicle field, a vehicle belongs to the groups in `groupIds`. */
const DEPENDENCIES: Partial<Record<FleetResource, readonly Dependency[]>> = {
  vehicles: [
    ["damages", ofVehicle],
    ["driverAssignments", ofVehicle],
  ],
  vehicleGroups: [["vehicles", (row, id) => stringsIn(row.groupIds).includes(id)]],
  inspectionTemplates: [["inspections", (row, id) => idOf(row, "template") === id]],
};

/** Returns the rows that belong to a row. gap fleet.delete-dependents */
export function dependentsOf(
  data: FleetData,
  resource: FleetResource,
  id: string,
): (readonly [FleetResource, JsonObject])[] {
  return (DEPENDENCIES[resource] ?? []).flatMap(([dependent, belongsTo]) =>
    [...data[dependent].values()].filter((row) => belongsTo(row, id)).map((row) => [dependent, row] as const),
  );
}

/** Deletes a row, which can still be read under some readings. gaps fleet.deleted-resources, fleet.second-delete */
export function archiveRow(data: FleetData, resource: FleetResource, id: string): void {
  const row = data[resource].get(id);
  if (row !== undefined) data.archived.set(archiveKey(resource, id), row);
  data[resource].delete(id);
}
