import type { JsonObject } from "../../../../generated/fleet.ts";
import type { ApiResponse, Issue } from "../../http/api-response.ts";
import type { FleetContext } from "./context.ts";
import type { MockReadings } from "../../server/readings.ts";
import { archiveKey, type FleetData, type FleetResource, type FleetRow } from "./data.ts";
import { envelope } from "./page.ts";
import { notFound } from "./errors.ts";
import { isObject, stringsIn } from "../../../wire/json.ts";
import { stringOf } from "./properties.ts";

const NAMES: Record<FleetResource, string> = {
  vehicles: "vehicle",
  vehicleGroups: "vehicle group",
  vehicleFields: "vehicle field",
  inspections: "inspection",
  inspectionTemplates: "inspection template",
  damages: "damage",
  driverAssignments: "driver assignment",
};

type Find = (context: FleetContext) => ApiResponse | undefined;

/** Returns 404 for a write to an unknown row; a deleted row cannot be changed under any reading. */
export function requireRow(resource: FleetResource): Find {
  return ({ data, params: { id } }) => (data[resource].has(id) ? undefined : unknownResource(resource));
}

/** Returns 404 for a read of an unknown row. gap fleet.deleted-resources */
export function requireReadable(resource: FleetResource): Find {
  return (context) => (readRow(context, resource) === undefined ? unknownResource(resource) : undefined);
}

/** Returns 404 for a DELETE of an unknown row. gap fleet.second-delete */
export function requireDeletable(resource: FleetResource): Find {
  return ({ data, params: { id }, readings }) => {
    const repeatable = readings["fleet.second-delete"] === "repeatable";
    const again = repeatable && data.archived.has(archiveKey(resource, id));
    return again || data[resource].has(id) ? undefined : unknownResource(resource);
  };
}

/** Returns the row in the path; it exists after `requireRow` or `requireReadable`. Lists never contain deleted rows. */
export function readRow(context: FleetContext, resource: FleetResource): FleetRow | undefined {
  const { data, params, readings } = context;
  const { id } = params;
  return readings["fleet.deleted-resources"] === "readable"
    ? rowOrArchived(data, resource, id)
    : data[resource].get(id);
}

/** Returns an existing or deleted row: a deleted row stays embedded in the rows that refer to it. */
export function rowOrArchived(
  data: FleetData,
  resource: FleetResource,
  id: string | undefined,
): FleetRow | undefined {
  if (id === undefined) return undefined;
  return data[resource].get(id) ?? data.archived.get(archiveKey(resource, id));
}

/** Stores a new row under a generated ID; an ID in the body is ignored. */
export function addRow(context: FleetContext, resource: FleetResource, properties: JsonObject): FleetRow {
  const row = withId(context.ids.uuid(), properties);
  context.data[resource].set(row.id, row);
  return row;
}

/** The two names of one reference: a body with one of them replaces the other. */
type Synonyms = readonly (readonly [string, string])[];

/** The options of a replacement. */
export interface ReplaceRules {
  readonly defaults?: JsonObject;
  /** The properties that keep their value if the body leaves them out. */
  readonly preserved?: readonly string[] | undefined;
  readonly synonyms?: Synonyms | undefined;
}

/** Replaces the row in the path. gap fleet.put */
export function replaceRow(
  context: FleetContext,
  resource: FleetResource,
  rules: ReplaceRules = {},
): FleetRow {
  const { defaults = {}, preserved = [], synonyms = [] } = rules;
  if (context.readings["fleet.put"] === "merge") return patchRow(context, resource, synonyms);
  const before = Object.entries(rowWithoutReplacedReferences(context, resource, synonyms));
  const keptValues = Object.fromEntries(before.filter(([name]) => preserved.includes(name)));
  return storeRow(context, resource, { ...defaults, ...keptValues, ...context.body });
}

/** Changes the properties of the row in the path that the body contains. gap fleet.put */
export function patchRow(context: FleetContext, resource: FleetResource, synonyms: Synonyms = []): FleetRow {
  const before = rowWithoutReplacedReferences(context, resource, synonyms);
  return storeRow(context, resource, { ...before, ...context.body });
}

/** Returns the row in the path, without references for which the body uses another name. */
function rowWithoutReplacedReferences(
  { data, params, body }: FleetContext,
  resource: FleetResource,
  synonyms: Synonyms,
): JsonObject {
  const isInBody = (name: string) => Object.hasOwn(body, name);
  const replacedNames = new Set(synonyms.filter((pair) => pair.some(isInBody)).flat());
  const before = Object.entries(data[resource].get(params.id) ?? {});
  return Object.fromEntries(before.filter(([name]) => !replacedNames.has(name)));
}

function storeRow(context: FleetContext, resource: FleetResource, properties: JsonObject): FleetRow {
  const { data, params, readings } = context;
  const row = withId(params.id, withoutNulls(properties, readings));
  // gap lists.fleet-order: a changed row is the last in its collection
  if (readings["lists.fleet-order"] !== "fixed") data[resource].delete(row.id);
  data[resource].set(row.id, row);
  return row;
}

/** gap fleet.null-properties */
function withoutNulls(properties: JsonObject, readings: MockReadings): JsonObject {
  if (readings["fleet.null-properties"] === "stored") return properties;
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}

/** Returns the response to a POST. gap fleet.create-status */
export function createdResponse({ readings }: FleetContext, data: unknown): ApiResponse {
  return envelope(data, {}, readings["fleet.create-status"] === "created" ? 201 : 200);
}

function unknownResource(resource: FleetResource): ApiResponse {
  return notFound(NAMES[resource]);
}

function withId(id: string, { id: _, ...properties }: JsonObject): FleetRow {
  return { id, ...properties };
}

/*
 * The contract shows no body, so a reference may have each name that responses use for it: `vehicleId`, or
 * `vehicle` with an `id`; several are `vehicleIds`, or `vehicles` as ids or as objects with an `id`.
 */

/** The names of the references of an inspection. */
export const INSPECTION_SYNONYMS: Synonyms = [
  ["templateId", "template"],
  ["vehicleIds", "vehicles"],
];

/** The names of the references of a damage. */
export const DAMAGE_SYNONYMS: Synonyms = [
  ["vehicleId", "vehicle"],
  ["inspectionId", "inspection"],
];

/** The references of a row, and the names of their IDs. */
const ID_NAMES = {
  vehicle: "vehicleId",
  inspection: "inspectionId",
  template: "templateId",
  templateItem: "templateItemId",
} as const;

/** The name of a reference, such as `vehicle`. */
type Reference = keyof typeof ID_NAMES;

/** Returns the referenced ID: `vehicleId`, or else the `id` of `vehicle`. */
export function idOf(row: JsonObject, name: Reference): string | undefined {
  const object = row[name];
  return stringOf(row[ID_NAMES[name]]) ?? (isObject(object) ? stringOf(object.id) : undefined);
}

/** Returns the referenced resource, otherwise the object in the row itself; `undefined` without a reference. */
export function resolveReference(
  data: FleetData,
  resource: FleetResource,
  row: JsonObject,
  name: Reference,
): JsonObject | undefined {
  const id = idOf(row, name);
  const object = row[name];
  if (id === undefined) return isObject(object) ? object : undefined;
  return rowOrArchived(data, resource, id) ?? { ...(isObject(object) && object), id };
}

/** Returns the vehicles of an inspection, each like `resolveReference`. */
export function vehiclesOf(data: FleetData, inspection: JsonObject): JsonObject[] {
  return elementsOf(inspection).map((element) => {
    const given = isObject(element) ? element : { id: element };
    return rowOrArchived(data, "vehicles", stringOf(given.id)) ?? given;
  });
}

/** Returns an issue for each entity that a body refers to and that does not exist. */
export function missingReferenceIssues(data: FleetData, body: unknown): Issue[] {
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
    id === undefined || rowOrArchived(data, resource, id) !== undefined
      ? []
      : [{ path, message: `${JSON.stringify(id)} does not exist in ${resource}`, code: "not_found" }],
  );
}

/** Returns the IDs of the vehicles of an inspection. */
export function vehicleIdsOf(inspection: JsonObject): string[] {
  return stringsIn(elementsOf(inspection).map((element) => (isObject(element) ? element.id : element)));
}

function elementsOf({ vehicleIds, vehicles }: JsonObject): unknown[] {
  if (Array.isArray(vehicleIds)) return stringsIn(vehicleIds);
  if (!Array.isArray(vehicles)) return [];
  return vehicles.filter((vehicle) => isObject(vehicle) || typeof vehicle === "string");
}
