import type { JsonObject } from "../../../generated/fleet.ts";
import { isObject, stringsIn } from "../../wire/json.ts";
import type { FleetCall } from "../server/call.ts";
import type { Issue, Reply } from "../server/exchange.ts";
import { archiveKey, type FleetData, type FleetResource, type FleetRow, rowOrArchived } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { envelope } from "./pages.ts";
import { idOf, type Synonyms, vehicleIdsOf } from "./references.ts";

const NAMES: Record<FleetResource, string> = {
  vehicles: "vehicle",
  vehicleGroups: "vehicle group",
  vehicleFields: "vehicle field",
  inspections: "inspection",
  inspectionTemplates: "inspection template",
  damages: "damage",
  driverAssignments: "driver assignment",
};

/** Throws a 404 for a write to an unknown row; a deleted row cannot be changed under any reading. */
export function requireRow({ fleet, params }: FleetCall, resource: FleetResource): void {
  if (!fleet[resource].has(params.id)) refuseUnknown(NAMES[resource]);
}

/** Returns the row in the path, or throws a 404. Lists never contain deleted rows. gap fleet.deleted-resources */
export function readRow({ fleet, params, is }: FleetCall, resource: FleetResource): FleetRow {
  const isReadable = is("fleet.deleted-resources", "readable");
  const row = isReadable ? rowOrArchived(fleet, resource, params.id) : fleet[resource].get(params.id);
  return row ?? refuseUnknown(NAMES[resource]);
}

/** Throws a 404 for a DELETE of an unknown row. gap fleet.second-delete */
export function requireDeletable(call: FleetCall, resource: FleetResource): void {
  const isRepeatable = call.is("fleet.second-delete", "repeatable");
  if (isRepeatable && call.fleet.archived.has(archiveKey(resource, call.params.id))) return;
  requireRow(call, resource);
}

/** Stores a new row under a generated ID; an ID in the body is ignored. */
export function addRow(
  { server, fleet }: FleetCall,
  resource: FleetResource,
  properties: JsonObject,
): FleetRow {
  const row = withId(server.ids.uuid(), properties);
  fleet[resource].set(row.id, row);
  return row;
}

/** The options of a replacement. */
export interface ReplaceRules {
  readonly defaults?: JsonObject;
  /** The properties that keep their value if the body leaves them out. */
  readonly preserved?: readonly string[] | undefined;
  readonly synonyms?: Synonyms | undefined;
}

/** Replaces the row in the path. gap fleet.put */
export function replaceRow(call: FleetCall, resource: FleetResource, rules: ReplaceRules): FleetRow {
  const { defaults = {}, preserved = [], synonyms = [] } = rules;
  if (call.is("fleet.put", "merge")) return patchRow(call, resource, synonyms);
  const before = Object.entries(withoutReplaced(call, resource, synonyms));
  const kept = Object.fromEntries(before.filter(([name]) => preserved.includes(name)));
  return storeRow(call, resource, { ...defaults, ...kept, ...call.body });
}

/** Changes the properties of the row in the path that the body contains. */
export function patchRow(call: FleetCall, resource: FleetResource, synonyms: Synonyms = []): FleetRow {
  return storeRow(call, resource, { ...withoutReplaced(call, resource, synonyms), ...call.body });
}

/** Returns the row in the path, without references for which the body uses another name. */
function withoutReplaced(
  { fleet, params, body }: FleetCall,
  resource: FleetResource,
  synonyms: Synonyms,
): JsonObject {
  const pairs = synonyms.filter((pair) => pair.some((name) => Object.hasOwn(body, name)));
  const replaced = new Set(pairs.flat());
  const before = Object.entries(fleet[resource].get(params.id) ?? {});
  return Object.fromEntries(before.filter(([name]) => !replaced.has(name)));
}

/** gaps fleet.null-properties, lists.fleet-order */
function storeRow(
  { fleet, params, is }: FleetCall,
  resource: FleetResource,
  properties: JsonObject,
): FleetRow {
  const given = Object.entries(properties).filter(
    ([, value]) => value !== null || is("fleet.null-properties", "stored"),
  );
  const row = withId(params.id, Object.fromEntries(given));
  // a changed row is the last in its collection
  if (!is("lists.fleet-order", "fixed")) fleet[resource].delete(row.id);
  fleet[resource].set(row.id, row);
  return row;
}

function withId(id: string, { id: _, ...properties }: JsonObject): FleetRow {
  return { id, ...properties };
}

/** Returns the response to a POST. gap fleet.create-status */
export function createdReply({ is }: FleetCall, data: unknown): Reply {
  return envelope(data, {}, is("fleet.create-status", "created") ? 201 : 200);
}

/** Returns an issue for each entity that a body refers to and that does not exist. */
export function missingReferences(data: FleetData, body: unknown): Issue[] {
  if (!isObject(body)) return [];
  const references: [path: string, resource: FleetResource, id: string | undefined][] = [
    ["vehicleId", "vehicles", idOf(body, "vehicle")],
    ["inspectionId", "inspections", idOf(body, "inspection")],
    ["templateId", "inspectionTemplates", idOf(body, "template")],
  ];
  for (const [index, id] of vehicleIdsOf(body).entries())
    references.push([`vehicleIds.${index}`, "vehicles", id]);
  return references.flatMap(([path, resource, id]) =>
    id === undefined || rowOrArchived(data, resource, id) !== undefined
      ? []
      : [{ path, message: `${JSON.stringify(id)} does not exist in ${resource}`, code: "not_found" }],
  );
}

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

/** Returns the rows that belong to the row in the path. */
function dependentsOf(
  { fleet, params: { id } }: FleetCall,
  resource: FleetResource,
): [FleetResource, string][] {
  return (DEPENDENCIES[resource] ?? []).flatMap(([dependent, belongsTo]) =>
    [...fleet[dependent].values()]
      .filter((row) => belongsTo(row, id))
      .map((row): [FleetResource, string] => [dependent, row.id]),
  );
}

/** Returns an issue if other rows belong to the row that a DELETE names. gap fleet.delete-dependents */
export function dependentIssues(call: FleetCall, resource: FleetResource): Issue[] {
  if (!call.is("fleet.delete-dependents", "rejected") || dependentsOf(call, resource).length === 0) return [];
  return [{ path: "id", message: "names a resource that others belong to" }];
}

/** Deletes the row in the path, if it is not deleted already. gaps fleet.delete-response, fleet.delete-dependents */
export function deleteRow(call: FleetCall, resource: FleetResource): Reply {
  const { fleet, params, is } = call;
  const dependents = is("fleet.delete-dependents", "deleted") ? dependentsOf(call, resource) : [];
  for (const [name, id] of [...dependents, [resource, params.id] as const]) {
    const row = fleet[name].get(id);
    if (row !== undefined) fleet.archived.set(archiveKey(name, id), row);
    fleet[name].delete(id);
  }
  return is("fleet.delete-response", "no-content") ? { status: 204, body: undefined } : envelope(null);
}
