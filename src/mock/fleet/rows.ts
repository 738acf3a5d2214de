import type { JsonObject } from "../../../generated/fleet.ts";
import { isObject, stringsIn } from "../../wire/json.ts";
import type { FleetCall } from "../server/call.ts";
import type { Issue } from "../server/exchange.ts";
import type { FleetData, FleetResource, FleetRow } from "./data.ts";
import { refuseUnknown } from "./errors.ts";

/*
 * The contract shows no body, so a reference may have each name that responses use for it: `vehicleId`, or
 * `vehicle` with an `id`; several are `vehicleIds`, or `vehicles` as ids or as objects with an `id`.
 */

/** The two names of one reference: a body with one of them replaces the other. */
type Synonyms = readonly (readonly [string, string])[];

/** The name of a reference, such as `vehicle`. */
export type Reference = "vehicle" | "inspection" | "template" | "templateItem";

/** Returns the referenced ID: `vehicleId`, or else the `id` of `vehicle`. */
export function idOf(row: JsonObject, name: Reference): string | undefined {
  const object = row[name];
  return stringOf(row[`${name}Id`]) ?? (isObject(object) ? stringOf(object.id) : undefined);
}

/** Returns the IDs of the vehicles of an inspection. */
export function vehicleIdsOf(inspection: JsonObject): string[] {
  return stringsIn(vehiclesIn(inspection).map((element) => (isObject(element) ? element.id : element)));
}

/** Returns the vehicles of an inspection, as IDs or as objects. */
export function vehiclesIn({ vehicleIds, vehicles }: JsonObject): unknown[] {
  if (Array.isArray(vehicleIds)) return stringsIn(vehicleIds);
  if (!Array.isArray(vehicles)) return [];
  return vehicles.filter((vehicle) => isObject(vehicle) || typeof vehicle === "string");
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const NAMES: Record<FleetResource, string> = {
  vehicles: "vehicle",
  vehicleGroups: "vehicle group",
  vehicleFields: "vehicle field",
  inspections: "inspection",
  inspectionTemplates: "inspection template",
  damages: "damage",
  driverAssignments: "driver assignment",
};

/** Returns the row in the path, or throws a 404. */
export function rowOf({ fleet, params }: FleetCall, resource: FleetResource): FleetRow {
  return fleet[resource].get(params.id) ?? refuseUnknown(NAMES[resource]);
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

/** What a write keeps and adds. */
export interface WriteRules {
  /** The values of a new row that documented responses show, whatever its body has. */
  readonly defaults?: (call: FleetCall) => JsonObject;
  /** The properties that keep their value if a PUT leaves them out. */
  readonly preserved?: readonly string[];
  readonly synonyms?: Synonyms;
}

/** Replaces the row in the path. gap fleet.put */
export function replaceRow(
  call: FleetCall,
  resource: FleetResource,
  body: JsonObject,
  rules: WriteRules,
): FleetRow {
  if (call.is("fleet.put", "merge")) return patchRow(call, resource, body, rules);
  const { defaults, preserved = [] } = rules;
  const before = Object.entries(withoutReplaced(call, resource, body, rules));
  const kept = Object.fromEntries(before.filter(([name]) => preserved.includes(name)));
  return storeRow(call, resource, { ...defaults?.(call), ...kept, ...body });
}

/** Changes the properties of the row in the path that the body contains. */
export function patchRow(
  call: FleetCall,
  resource: FleetResource,
  body: JsonObject,
  rules: WriteRules,
): FleetRow {
  return storeRow(call, resource, { ...withoutReplaced(call, resource, body, rules), ...body });
}

/** Returns the row in the path, without references for which the body uses another name. */
function withoutReplaced(
  { fleet, params }: FleetCall,
  resource: FleetResource,
  body: JsonObject,
  { synonyms = [] }: WriteRules,
): JsonObject {
  const pairs = synonyms.filter((pair) => pair.some((name) => Object.hasOwn(body, name)));
  const replaced = new Set(pairs.flat());
  const before = Object.entries(fleet[resource].get(params.id) ?? {});
  return Object.fromEntries(before.filter(([name]) => !replaced.has(name)));
}

/** gap lists.fleet-order */
function storeRow(
  { fleet, params, is }: FleetCall,
  resource: FleetResource,
  properties: JsonObject,
): FleetRow {
  const row = withId(params.id, properties);
  // a changed row is the last in its collection
  if (is("lists.fleet-order", "last-change")) fleet[resource].delete(row.id);
  fleet[resource].set(row.id, row);
  return row;
}

function withId(id: string, { id: _, ...properties }: JsonObject): FleetRow {
  return { id, ...properties };
}

/** Returns an issue for each entity that a body refers to and that does not exist. */
export function missingReferences(data: FleetData, body: unknown): Issue[] {
  if (!isObject(body)) return [];
  const references: [path: string, resource: FleetResource, id: string | undefined][] = [
    ["vehicleId", "vehicles", idOf(body, "vehicle")],
    ["inspectionId", "inspections", idOf(body, "inspection")],
    ["templateId", "inspectionTemplates", idOf(body, "template")],
    ...vehicleIdsOf(body).map((id, index): [string, FleetResource, string] => [
      `vehicleIds.${index}`,
      "vehicles",
      id,
    ]),
  ];
  return references.flatMap(([path, resource, id]) =>
    id === undefined || data[resource].has(id)
      ? []
      : [{ path, message: `${JSON.stringify(id)} does not exist in ${resource}`, code: "not_found" }],
  );
}
