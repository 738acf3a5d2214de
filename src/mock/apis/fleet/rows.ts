import type { JsonObject } from "../../../../generated/fleet.ts";
import type { Answer } from "../../kernel/api-response.ts";
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

type Find = (context: FleetContext) => Answer | undefined;

/** 404 for a write to what is not there; what was deleted cannot be changed under any reading. */
export function known(resource: FleetResource): Find {
  return ({ data, params: { id = "" } }) => (data[resource].has(id) ? undefined : unknown(resource));
}

/** 404 for a read. gap fleet.deleted-resources */
export function readable(resource: FleetResource): Find {
  return (context) => (readRow(context, resource) === undefined ? unknown(resource) : undefined);
}

/** 404 for a DELETE. gap fleet.second-delete */
export function deletable(resource: FleetResource): Find {
  return ({ data, params: { id = "" }, readings }) => {
    const repeatable = readings["fleet.second-delete"] === "repeatable";
    const again = repeatable && data.archived.has(archiveKey(resource, id));
    return again || data[resource].has(id) ? undefined : unknown(resource);
  };
}

/** The row that the path names; there after `known` or `readable`. Lists never hold what was deleted. */
export function readRow(context: FleetContext, resource: FleetResource): JsonObject | undefined {
  const { data, params, readings } = context;
  const { id = "" } = params;
  return readings["fleet.deleted-resources"] === "readable"
    ? everRow(data, resource, id)
    : data[resource].get(id);
}

/** A row that is there or was: what was deleted stays embedded in what refers to it. */
export function everRow(
  data: FleetData,
  resource: FleetResource,
  id: string | undefined,
): JsonObject | undefined {
  if (id === undefined) return undefined;
  return data[resource].get(id) ?? data.archived.get(archiveKey(resource, id));
}

/** Keeps a new row under an id of the server's; one that the body carries has no say. */
export function added(context: FleetContext, resource: FleetResource, members: JsonObject): JsonObject {
  const row = withId(context.ids.uuid(), members);
  context.data[resource].set(row.id as string, row);
  return row;
}

/** Two names of one reference: a body that carries one of them takes the place of the other. */
export type Synonyms = readonly (readonly [string, string])[];

/** What the server has to say about a row when a PUT replaces it. */
export interface Upkeep {
  /** What a row without it begins with. */
  readonly given?: JsonObject;
  /** What outlives a body that does not say it. */
  readonly kept?: readonly string[];
  readonly synonyms?: Synonyms;
}

/** What a PUT makes of the row that the path names. gap fleet.put */
export function put(context: FleetContext, resource: FleetResource, upkeep: Upkeep = {}): JsonObject {
  const { given = {}, kept = [], synonyms = [] } = upkeep;
  if (context.readings["fleet.put"] === "merge") return patched(context, resource, synonyms);
  const before = Object.entries(contestedRow(context, resource, synonyms));
  const left = Object.fromEntries(before.filter(([name]) => kept.includes(name)));
  return stored(context, resource, { ...given, ...left, ...(context.body as JsonObject) });
}

/** What a PATCH makes of the row that the path names: it changes the members that it carries. gap fleet.put */
export function patched(context: FleetContext, resource: FleetResource, synonyms: Synonyms = []): JsonObject {
  const before = contestedRow(context, resource, synonyms);
  return stored(context, resource, { ...before, ...(context.body as JsonObject) });
}

/** The row that the path names, without references for which the body has another name. */
function contestedRow(
  { data, params, body }: FleetContext,
  resource: FleetResource,
  synonyms: Synonyms,
): JsonObject {
  const isCarried = (name: string) => Object.hasOwn(body as JsonObject, name);
  const displaced = new Set(synonyms.filter((pair) => pair.some(isCarried)).flat());
  const before = Object.entries(data[resource].get(params.id ?? "") ?? {});
  return Object.fromEntries(before.filter(([name]) => !displaced.has(name)));
}

function stored(context: FleetContext, resource: FleetResource, members: JsonObject): JsonObject {
  const row = withId(context.params.id ?? "", members);
  context.data[resource].set(row.id as string, row);
  return row;
}

/** Answers a POST. gap fleet.create-status */
export function created({ readings }: FleetContext, data: unknown): Answer {
  return envelope(data, {}, readings["fleet.create-status"] === "created" ? 201 : 200);
}

/** Deletes the row that the path names, or has done so before. gap fleet.delete-answer */
export function deleted(context: FleetContext, resource: FleetResource): Answer {
  const { data, params, readings } = context;
  const { id = "" } = params;
  const row = data[resource].get(id);
  if (row !== undefined) data.archived.set(archiveKey(resource, id), row);
  data[resource].delete(id);
  return readings["fleet.delete-answer"] === "no-content" ? { status: 204, body: undefined } : envelope(null);
}

function unknown(resource: FleetResource): Answer {
  return notFound(NAMES[resource]);
}

function archiveKey(resource: FleetResource, id: string): string {
  return `${resource}/${id}`;
}

function withId(id: string, { id: _, ...members }: JsonObject): JsonObject {
  return { id, ...members };
}
