import type { ApiResponse, Issue } from "../../http/api-response.ts";
import type { FleetContext } from "./context.ts";
import { envelope } from "./envelope.ts";
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
function dependentsOf(
  data: FleetData,
  resource: FleetResource,
  id: string,
): (readonly [FleetResource, JsonObject])[] {
  return (DEPENDENCIES[resource] ?? []).flatMap(([dependent, belongsTo]) =>
    [...data[dependent].values()].filter((row) => belongsTo(row, id)).map((row) => [dependent, row] as const),
  );
}

/** Deletes a row, which can still be read under some readings. gaps fleet.deleted-resources, fleet.second-delete */
function archiveRow(data: FleetData, resource: FleetResource, id: string): void {
  const row = data[resource].get(id);
  if (row !== undefined) data.archived.set(archiveKey(resource, id), row);
  data[resource].delete(id);
}

/** Returns an issue if other rows belong to the row that a DELETE names. gap fleet.delete-dependents */
export function dependentIssues(resource: FleetResource): (context: FleetContext) => Issue[] {
  return ({ data, params: { id }, readings }) => {
    if (readings["fleet.delete-dependents"] !== "rejected") return [];
    const isNeeded = dependentsOf(data, resource, id).length > 0;
    return isNeeded ? [{ path: "id", message: "names a resource that others belong to" }] : [];
  };
}

/** Deletes the row in the path, if it is not deleted already. gap fleet.delete-response */
export function deleteRow(context: FleetContext, resource: FleetResource): ApiResponse {
  const { data, params, readings } = context;
  const { id } = params;
  // gap fleet.delete-dependents
  if (readings["fleet.delete-dependents"] === "deleted")
    for (const [dependent, row] of dependentsOf(data, resource, id))
      archiveRow(data, dependent, String(row.id));
  archiveRow(data, resource, id);
  return readings["fleet.delete-response"] === "no-content"
    ? { status: 204, body: undefined }
    : envelope(null);
}
