/**
 * The writes of the fleet model. The contract shows their methods and paths only: the names of the properties in
 * bodies are invented, apart from those that responses show.
 */
import { isObject, type Json, type JsonObject, type ModelResponse } from "./exchange.ts";
import { type Collection, type Entity, type Properties, nextId } from "./fleet-state.ts";
import {
  addEntity,
  badRequest,
  type FleetCall,
  type FleetWorld,
  findEntity,
  notFound,
  success,
} from "./fleet-world.ts";
import type { FleetReadings } from "./readings.ts";

export interface Resource {
  readonly collection: Collection;
  /** As it appears in messages. */
  readonly label: string;
  readonly view: (world: FleetWorld, entity: Entity) => JsonObject;
  /** Properties of bodies that are stored, with the value where they are left out. */
  readonly input: Readonly<Properties>;
  /** Properties of responses that may come back in a body and change nothing. */
  readonly readOnly: readonly string[];
  /** A property whose values are not all shown, with those that are. */
  readonly listed?: {
    readonly property: string;
    readonly values: readonly string[];
    readonly gap: ValuesGap;
  };
}

type ValuesGap = "inspections.status-values" | "damages.status-values" | "vehicles.type-values";

/** Reads the body of a write. The result is the properties to store, or why they are refused. */
function readBody(world: FleetWorld, resource: Resource, body: JsonObject): Properties | string {
  const known = new Set([...Object.keys(resource.input), ...resource.readOnly]);
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined && world.readings["fleet.unknown-properties"] === "rejected")
    return `Unknown property ${unknown}`;
  const { listed } = resource;
  const value = listed && body[listed.property];
  const isUnlisted = value !== undefined && !(typeof value === "string" && listed?.values.includes(value));
  if (listed && isUnlisted && world.readings[listed.gap] === "documented")
    return `${listed.property} has an unknown value`;
  const stored = Object.keys(resource.input).filter((name) => body[name] !== undefined);
  return Object.fromEntries(stored.map((name) => [name, structuredClone(body[name] ?? null)]));
}

/** Remembers a body that a service stores as it came. */
function keepBody(world: FleetWorld, entity: Entity, before: JsonObject, body: JsonObject): void {
  if (world.readings["fleet.input-shapes"] === "opaque")
    entity.sent = { ...before, ...structuredClone(body) };
}

export function viewOf({ view }: Pick<Resource, "view">, world: FleetWorld, entity: Entity): JsonObject {
  return entity.sent ? { ...entity.sent, id: entity.id } : view(world, entity);
}

function applyCall(world: FleetWorld, call: FleetCall): void {
  world.applied.push({ operation: call.operation.id, target: call.target, body: call.body });
}

function stamp(world: FleetWorld, collection: Collection, isNew: boolean): Properties {
  const now = world.now();
  if (collection === "inspection-templates")
    return { updatedAt: now, ...(isNew && { createdAt: now, version: 1 }) };
  if (collection === "damages")
    return isNew ? { reportedAt: now, reportedById: world.state.users[0]?.id ?? null } : {};
  return collection === "inspections" && isNew
    ? { performedAt: now, performedById: world.state.users[0]?.id ?? null }
    : {};
}

/** An inspection may report damages, which become separate damages. */
function reportDamages(world: FleetWorld, inspectionId: string, reports: Json | undefined): void {
  for (const report of Array.isArray(reports) ? reports : []) {
    if (!isObject(report)) continue;
    const { vehicleId = null, description = "", photoUrl = "", status = "TO_REPAIR_WARNING" } = report;
    const properties = {
      vehicleId,
      description,
      photoUrl,
      status,
      ...stamp(world, "damages", true),
      inspectionId,
    };
    addEntity(world, "damages", { id: nextId(world.state, "damages"), deleted: false, properties });
  }
}

export function create(world: FleetWorld, call: FleetCall, resource: Resource): ModelResponse {
  const { collection } = resource;
  const properties = readBody(world, resource, call.body);
  if (typeof properties === "string") return badRequest(world, properties);
  const defaults = structuredClone(resource.input);
  const entity: Entity = {
    id: nextId(world.state, collection),
    deleted: false,
    properties: { ...defaults, ...stamp(world, collection, true), ...properties },
  };
  addEntity(world, collection, entity);
  keepBody(world, entity, {}, call.body);
  if (collection === "inspections" && !entity.sent) reportDamages(world, entity.id, call.body["damages"]);
  applyCall(world, call);
  const status = world.readings["fleet.create-status"] === "created" ? 201 : 200;
  return success(world, call, viewOf(resource, world, entity), {}, status);
}

const raisesVersion: Record<FleetReadings["templates.version-after-put"], (isChanged: boolean) => boolean> = {
  stays: () => false,
  "each-put": () => true,
  "changes-only": (isChanged) => isChanged,
};

function changeProperties(
  world: FleetWorld,
  entity: Entity,
  resource: Resource,
  properties: Properties,
): void {
  const before = JSON.stringify(entity.properties);
  Object.assign(entity.properties, properties);
  world.references = undefined;
  const isChanged = JSON.stringify(entity.properties) !== before;
  const { version } = entity.properties;
  const raise =
    resource.collection === "inspection-templates" &&
    raisesVersion[world.readings["templates.version-after-put"]];
  Object.assign(entity.properties, stamp(world, resource.collection, false));
  if (raise && raise(isChanged)) entity.properties["version"] = Number(version) + 1;
}

/** Under `replace` what a PUT leaves out goes back to its default. */
export function put(world: FleetWorld, call: FleetCall, resource: Resource): ModelResponse {
  const entity = findEntity(world, resource.collection, call.path["id"]);
  if (!entity) return notFound(resource.label);
  const properties = readBody(world, resource, call.body);
  if (typeof properties === "string") return badRequest(world, properties);
  const isReplaced = world.readings["fleet.put"] === "replace";
  keepBody(world, entity, isReplaced ? {} : viewOf(resource, world, entity), call.body);
  const defaults = isReplaced ? structuredClone(resource.input) : {};
  changeProperties(world, entity, resource, { ...defaults, ...properties });
  applyCall(world, call);
  return success(world, call, viewOf(resource, world, entity));
}

/** Under `own-shape` a PATCH takes `{ changes: … }` and nothing else. */
export function patch(world: FleetWorld, call: FleetCall, resource: Resource): ModelResponse {
  const entity = findEntity(world, resource.collection, call.path["id"]);
  if (!entity) return notFound(resource.label);
  const body = world.readings["fleet.patch"] === "partial" ? call.body : call.body["changes"];
  const properties = isObject(body)
    ? readBody(world, resource, body)
    : "The body has not the shape of a PATCH";
  if (typeof properties === "string") return badRequest(world, properties);
  if (isObject(body)) keepBody(world, entity, viewOf(resource, world, entity), body);
  changeProperties(world, entity, resource, properties);
  applyCall(world, call);
  return success(world, call, viewOf(resource, world, entity));
}

function respondDeleted(world: FleetWorld, call: FleetCall, id: string): ModelResponse {
  if (world.readings["fleet.delete-response"] === "no-content") return { status: 204, headers: {}, body: "" };
  return success(world, call, { id });
}

export function remove(world: FleetWorld, call: FleetCall, resource: Resource): ModelResponse {
  const id = call.path["id"] ?? "";
  const entity = world.index[resource.collection].get(id);
  const isRepeatable = world.readings["fleet.second-delete"] === "repeatable";
  if (!entity || (entity.deleted && !isRepeatable)) return notFound(resource.label);
  if (!entity.deleted) applyCall(world, call);
  entity.deleted = true;
  world.references = undefined;
  return respondDeleted(world, call, id);
}
