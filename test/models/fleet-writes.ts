/**
 * The writes of the fleet model. The contract shows their methods and paths only: the names of the properties in
 * bodies are invented, apart from those that responses show.
 */
import { isObject, type Json, type JsonObject, type ModelResponse } from "./exchange.ts";
import { type Collection, type Entity, type Members, nextId } from "./fleet-state.ts";
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
  readonly input: Readonly<Members>;
  /** Properties of responses that may come back in a body and change nothing. */
  readonly readOnly: readonly string[];
  /** A property whose values are not all shown, with those that are. */
  readonly seen?: { readonly member: string; readonly values: readonly string[]; readonly gap: ValuesGap };
}

type ValuesGap = "inspections.status-values" | "damages.status-values" | "vehicles.type-values";

/** Reads the body of a write. The result is the properties to store, or why they are refused. */
function readBody(world: FleetWorld, resource: Resource, body: JsonObject): Members | string {
  const known = new Set([...Object.keys(resource.input), ...resource.readOnly]);
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined && world.readings["fleet.unknown-members"] === "rejected")
    return `Unknown property ${unknown}`;
  const { seen } = resource;
  const value = seen && body[seen.member];
  const isUnseen = value !== undefined && !(typeof value === "string" && seen?.values.includes(value));
  if (seen && isUnseen && world.readings[seen.gap] === "seen-only")
    return `${seen.member} has an unknown value`;
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

function applied(world: FleetWorld, call: FleetCall): void {
  world.applied.push({ operation: call.operation.id, target: call.target, body: call.body });
}

function stamp(world: FleetWorld, collection: Collection, isNew: boolean): Members {
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
    const members = {
      vehicleId,
      description,
      photoUrl,
      status,
      ...stamp(world, "damages", true),
      inspectionId,
    };
    addEntity(world, "damages", { id: nextId(world.state, "damages"), deleted: false, members });
  }
}

export function create(world: FleetWorld, call: FleetCall, resource: Resource): ModelResponse {
  const { collection } = resource;
  const members = readBody(world, resource, call.body);
  if (typeof members === "string") return badRequest(world, members);
  const defaults = structuredClone(resource.input);
  const entity: Entity = {
    id: nextId(world.state, collection),
    deleted: false,
    members: { ...defaults, ...stamp(world, collection, true), ...members },
  };
  addEntity(world, collection, entity);
  keepBody(world, entity, {}, call.body);
  if (collection === "inspections" && !entity.sent) reportDamages(world, entity.id, call.body["damages"]);
  applied(world, call);
  const status = world.readings["fleet.create-status"] === "created" ? 201 : 200;
  return success(world, call, viewOf(resource, world, entity), {}, status);
}

const raisesVersion: Record<FleetReadings["templates.version-after-put"], (isChanged: boolean) => boolean> = {
  stays: () => false,
  "each-put": () => true,
  "changes-only": (isChanged) => isChanged,
};

function changeMembers(world: FleetWorld, entity: Entity, resource: Resource, members: Members): void {
  const before = JSON.stringify(entity.members);
  Object.assign(entity.members, members);
  world.references = undefined;
  const isChanged = JSON.stringify(entity.members) !== before;
  const { version } = entity.members;
  const raise =
    resource.collection === "inspection-templates" &&
    raisesVersion[world.readings["templates.version-after-put"]];
  Object.assign(entity.members, stamp(world, resource.collection, false));
  if (raise && raise(isChanged)) entity.members["version"] = Number(version) + 1;
}

/** Under `replace` what a PUT leaves out goes back to its default. */
export function put(world: FleetWorld, call: FleetCall, resource: Resource): ModelResponse {
  const entity = findEntity(world, resource.collection, call.path["id"]);
  if (!entity) return notFound(resource.label);
  const members = readBody(world, resource, call.body);
  if (typeof members === "string") return badRequest(world, members);
  const isReplaced = world.readings["fleet.put"] === "replace";
  keepBody(world, entity, isReplaced ? {} : viewOf(resource, world, entity), call.body);
  const defaults = isReplaced ? structuredClone(resource.input) : {};
  changeMembers(world, entity, resource, { ...defaults, ...members });
  applied(world, call);
  return success(world, call, viewOf(resource, world, entity));
}

/** Under `own-shape` a PATCH takes `{ changes: … }` and nothing else. */
export function patch(world: FleetWorld, call: FleetCall, resource: Resource): ModelResponse {
  const entity = findEntity(world, resource.collection, call.path["id"]);
  if (!entity) return notFound(resource.label);
  const body = world.readings["fleet.patch"] === "partial" ? call.body : call.body["changes"];
  const members = isObject(body) ? readBody(world, resource, body) : "The body has not the shape of a PATCH";
  if (typeof members === "string") return badRequest(world, members);
  if (isObject(body)) keepBody(world, entity, viewOf(resource, world, entity), body);
  changeMembers(world, entity, resource, members);
  applied(world, call);
  return success(world, call, viewOf(resource, world, entity));
}

function deleted(world: FleetWorld, call: FleetCall, id: string): ModelResponse {
  if (world.readings["fleet.delete-answer"] === "no-content") return { status: 204, headers: {}, body: "" };
  return success(world, call, { id });
}

export function remove(world: FleetWorld, call: FleetCall, resource: Resource): ModelResponse {
  const id = call.path["id"] ?? "";
  const entity = world.index[resource.collection].get(id);
  const isRepeatable = world.readings["fleet.second-delete"] === "repeatable";
  if (!entity || (entity.deleted && !isRepeatable)) return notFound(resource.label);
  if (!entity.deleted) applied(world, call);
  entity.deleted = true;
  world.references = undefined;
  return deleted(world, call, id);
}
