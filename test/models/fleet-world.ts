/** The arguments of each operation of the fleet model. */
import type { Query, QueryRules } from "./checks.ts";
import {
  type AppliedWrite,
  type Json,
  type JsonObject,
  jsonResponse,
  type ModelResponse,
  textResponse,
  type Variant,
} from "./exchange.ts";
import type { Collection, Entity, FleetState, KeyRecord } from "./fleet-state.ts";
import type { FleetReadings } from "./readings.ts";

interface References {
  /** Damages by inspection. */
  readonly damages: ReadonlyMap<unknown, readonly Entity[]>;
  /** Inspections by template. */
  readonly inspections: ReadonlyMap<unknown, readonly Entity[]>;
}

export interface FleetWorld {
  readonly readings: FleetReadings;
  readonly variant: Variant;
  readonly applied: AppliedWrite[];
  state: FleetState;
  /** Entities by ID. */
  index: Record<Collection, Map<string, Entity>>;
  /** Entities by the entity that they belong to. Undefined after a change. */
  references: References | undefined;
  /** The present time as text. */
  now(): string;
}

export interface FleetCall {
  readonly operation: FleetOperation;
  readonly target: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: JsonObject;
  readonly key: KeyRecord;
}

/** The scopes that open an operation: all of one of the sets. */
export type ScopeSets = readonly (readonly string[])[];

export interface FleetOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scopes: ScopeSets;
  /** Its shapes are not shown (contract section 4). */
  readonly isPathOnly: boolean;
  readonly query: QueryRules;
  run(world: FleetWorld, call: FleetCall): ModelResponse;
}

function errors(status: number, code: string, message: string, details?: JsonObject): ModelResponse {
  return jsonResponse(status, { errors: [{ code, message, ...(details && { details }) }] });
}

export function unauthorized(message: string): ModelResponse {
  return errors(401, "UNAUTHORIZED", message);
}

export function forbidden(
  world: FleetWorld,
  required: readonly string[],
  available: readonly string[],
): ModelResponse {
  const details =
    world.readings["errors.forbidden-details"] === "always" ? { required, available } : undefined;
  return errors(403, "FORBIDDEN", "The API key lacks a required scope", details);
}

export function notFound(resource: string): ModelResponse {
  return errors(404, "NOT_FOUND", `${resource} not found`);
}

/** `headers` may have `Retry-After`. */
export function tooManyRequests(headers: Readonly<Record<string, string>>): ModelResponse {
  const error = { code: "TOO_MANY_REQUESTS", message: "Too many requests" };
  return jsonResponse(429, { errors: [error] }, headers);
}

export function badRequest(world: FleetWorld, message: string): ModelResponse {
  if (world.readings["errors.undocumented-bodies"] === "empty") return textResponse(400, "");
  return errors(400, "BAD_REQUEST", message);
}

/** A successful response. Under `anything` the operations whose shape is not shown respond without an envelope. */
export function success(
  world: FleetWorld,
  call: FleetCall,
  data: Json,
  meta: JsonObject = {},
  status = 200,
): ModelResponse {
  const isBare = call.operation.isPathOnly && world.readings["fleet.undocumented-responses"] === "anything";
  return jsonResponse(status, isBare ? data : { data, meta: { version: "v1", ...meta } });
}

/** A deleted entity is found where the reading keeps it readable. */
export function findEntity(
  world: FleetWorld,
  collection: Collection,
  id: string | undefined,
): Entity | undefined {
  const entity = world.index[collection].get(id ?? "");
  const isGone = entity?.deleted === true && world.readings["fleet.deleted-resources"] === "gone";
  return isGone ? undefined : entity;
}

export function entitiesOf(world: FleetWorld, collection: Collection): Entity[] {
  const all = world.state.entities[collection];
  return world.readings["fleet.deleted-resources"] === "gone" ? all.filter(({ deleted }) => !deleted) : all;
}

function groupBy(entities: readonly Entity[], property: string): Map<unknown, Entity[]> {
  const groups = new Map<unknown, Entity[]>();
  for (const entity of entities) {
    const group = groups.get(entity.properties[property]);
    if (group) group.push(entity);
    else groups.set(entity.properties[property], [entity]);
  }
  return groups;
}

export function references(world: FleetWorld): References {
  world.references ??= {
    damages: groupBy(entitiesOf(world, "damages"), "inspectionId"),
    inspections: groupBy(entitiesOf(world, "inspections"), "templateId"),
  };
  return world.references;
}

export function addEntity(world: FleetWorld, collection: Collection, entity: Entity): void {
  world.state.entities[collection].push(entity);
  world.index[collection].set(entity.id, entity);
  world.references = undefined;
}
