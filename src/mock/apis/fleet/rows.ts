import type { JsonObject } from "../../../../generated/fleet.ts";
import type { ApiResponse } from "../../kernel/api-response.ts";
import type { FleetContext } from "./context.ts";
import type { FleetData, FleetResource } from "./data.ts";
import { envelope } from "./envelope.ts";
import { notFound } from "./errors.ts";

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

/** 404 for a write to what is not there; what was deleted cannot be changed under any reading. */
export function requireRow(resource: FleetResource): Find {
  return ({ data, params: { id = "" } }) => (data[resource].has(id) ? undefined : unknownResource(resource));
}

/** 404 for a read. gap fleet.deleted-resources */
export function requireReadable(resource: FleetResource): Find {
  return (context) => (readRow(context, resource) === undefined ? unknownResource(resource) : undefined);
}

/** 404 for a DELETE. gap fleet.second-delete */
export function requireDeletable(resource: FleetResource): Find {
  return ({ data, params: { id = "" }, readings }) => {
    const repeatable = readings["fleet.second-delete"] === "repeatable";
    const again = repeatable && data.archived.has(archiveKey(resource, id));
    return again || data[resource].has(id) ? undefined : unknownResource(resource);
  };
}

/** The row that the path names; there after `known` or `readable`. Lists never hold what was deleted. */
export function readRow(context: FleetContext, resource: FleetResource): JsonObject | undefined {
  const { data, params, readings } = context;
  const { id = "" } = params;
  return readings["fleet.deleted-resources"] === "readable"
    ? rowOrArchived(data, resource, id)
    : data[resource].get(id);
}

/** A row that is there or was: what was deleted stays embedded in what refers to it. */
export function rowOrArchived(
  data: FleetData,
  resource: FleetResource,
  id: string | undefined,
): JsonObject | undefined {
  if (id === undefined) return undefined;
  return data[resource].get(id) ?? data.archived.get(archiveKey(resource, id));
}

/** Keeps a new row under an id of the server's; one that the body carries has no say. */
export function addRow(context: FleetContext, resource: FleetResource, members: JsonObject): JsonObject {
  const row = withId(context.ids.uuid(), members);
  context.data[resource].set(row.id as string, row);
  return row;
}

/** Two names of one reference: a body that carries one of them takes the place of the other. */
export type Synonyms = readonly (readonly [string, string])[];

/** What the server has to say about a row when a PUT replaces it. */
export interface ReplaceRules {
  /** What a row without it begins with. */
  readonly given?: JsonObject;
  /** What outlives a body that does not say it. */
  readonly kept?: readonly string[];
  readonly synonyms?: Synonyms;
}

/** What a PUT makes of the row that the path names. gap fleet.put */
export function replaceRow(
  context: FleetContext,
  resource: FleetResource,
  upkeep: ReplaceRules = {},
): JsonObject {
  const { given = {}, kept = [], synonyms = [] } = upkeep;
  if (context.readings["fleet.put"] === "merge") return patchRow(context, resource, synonyms);
  const before = Object.entries(rowWithoutReplacedReferences(context, resource, synonyms));
  const left = Object.fromEntries(before.filter(([name]) => kept.includes(name)));
  return storeRow(context, resource, { ...given, ...left, ...(context.body as JsonObject) });
}

/** What a PATCH makes of the row that the path names: it changes the members that it carries. gap fleet.put */
export function patchRow(
  context: FleetContext,
  resource: FleetResource,
  synonyms: Synonyms = [],
): JsonObject {
  const before = rowWithoutReplacedReferences(context, resource, synonyms);
  return storeRow(context, resource, { ...before, ...(context.body as JsonObject) });
}

/** The row that the path names, without references for which the body has another name. */
function rowWithoutReplacedReferences(
  { data, params, body }: FleetContext,
  resource: FleetResource,
  synonyms: Synonyms,
): JsonObject {
  const isCarried = (name: string) => Object.hasOwn(body as JsonObject, name);
  const displaced = new Set(synonyms.filter((pair) => pair.some(isCarried)).flat());
  const before = Object.entries(data[resource].get(params.id ?? "") ?? {});
  return Object.fromEntries(before.filter(([name]) => !displaced.has(name)));
}

function storeRow(context: FleetContext, resource: FleetResource, members: JsonObject): JsonObject {
  const row = withId(context.params.id ?? "", members);
  context.data[resource].set(row.id as string, row);
  return row;
}

/** Answers a POST. gap fleet.create-status */
export function createdResponse({ readings }: FleetContext, data: unknown): ApiResponse {
  return envelope(data, {}, readings["fleet.create-status"] === "created" ? 201 : 200);
}

/** Deletes the row that the path names, or has done so before. gap fleet.delete-answer */
export function deleteRow(context: FleetContext, resource: FleetResource): ApiResponse {
  const { data, params, readings } = context;
  const { id = "" } = params;
  const row = data[resource].get(id);
  if (row !== undefined) data.archived.set(archiveKey(resource, id), row);
  data[resource].delete(id);
  return readings["fleet.delete-answer"] === "no-content" ? { status: 204, body: undefined } : envelope(null);
}

function unknownResource(resource: FleetResource): ApiResponse {
  return notFound(NAMES[resource]);
}

function archiveKey(resource: FleetResource, id: string): string {
  return `${resource}/${id}`;
}

function withId(id: string, { id: _, ...members }: JsonObject): JsonObject {
  return { id, ...members };
}
