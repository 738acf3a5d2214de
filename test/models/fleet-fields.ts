/** Vehicle fields of the fleet model and their vehicles. */
import { isObject, type Json, type JsonObject } from "./exchange.ts";
import type { Entity, FieldResponse } from "./fleet-state.ts";
import { entitiesOf, type FleetWorld } from "./fleet-world.ts";

/** The status of an option or a vehicle. The gap fields.no-status-rule decides it for a field without a rule. */
function statusProperty(world: FleetWorld, field: Entity, status: Json): JsonObject {
  if (field.properties["hasStatusRule"] === true) return { status };
  return world.readings["fields.no-status-rule"] === "ok" ? { status: "OK" } : {};
}

function optionsOf({ properties: { options } }: Entity): JsonObject[] {
  return Array.isArray(options) ? options.filter((option) => isObject(option)) : [];
}

function groupIdsOf({ properties: { groupIds } }: Entity): string[] {
  return Array.isArray(groupIds) ? groupIds.filter((id) => typeof id === "string") : [];
}

function groupsOf(world: FleetWorld, field: Entity): { id: string; name: Json }[] {
  return groupIdsOf(field).flatMap((id) => {
    const found = world.index["vehicle-groups"].get(id);
    return found ? [{ id, name: found.properties["name"] ?? null }] : [];
  });
}

export function fieldView(world: FleetWorld, field: Entity): JsonObject {
  const { createdAt = null, updatedAt = null, options: _, ...properties } = field.properties;
  return {
    id: field.id,
    ...properties,
    groups: groupsOf(world, field),
    options: optionsOf(field).map(({ status = null, ...option }) => ({
      ...option,
      ...statusProperty(world, field, status),
    })),
    createdAt,
    updatedAt,
  };
}

/** The texts that the search of the field list looks through. */
export function fieldTexts(world: FleetWorld, field: Entity): Json[] {
  const { label = null, description = null } = field.properties;
  return [label, description, ...groupsOf(world, field).map(({ name }) => name)];
}

function latestResponses(world: FleetWorld, field: Entity): Map<string, FieldResponse> {
  const latest = new Map<string, FieldResponse>();
  for (const response of world.state.responses) {
    if (response.fieldId !== field.id) continue;
    const earlier = latest.get(response.vehicleId);
    if (!earlier || earlier.updatedAt <= response.updatedAt) latest.set(response.vehicleId, response);
  }
  return latest;
}

function responseProperty(world: FleetWorld, response: FieldResponse | undefined): JsonObject {
  if (!response)
    return world.readings["fields.no-response"] === "null-response" ? { latestResponse: null } : {};
  const { id, inspectionId, value, fileUrl, updatedAt } = response;
  return { latestResponse: { id, inspectionId, value, fileUrl, updatedAt } };
}

/** The vehicles of a field's groups and those with a response, each once, with the latest response. */
export function fieldVehicles(world: FleetWorld, field: Entity): JsonObject[] {
  const latest = latestResponses(world, field);
  const groups = new Set(groupIdsOf(field));
  const statuses = new Map(optionsOf(field).map(({ value, status = "OK" }) => [value, status]));
  return entitiesOf(world, "vehicles").flatMap((vehicle) => {
    const response = latest.get(vehicle.id);
    const isListed = response !== undefined || groupIdsOf(vehicle).some((id) => groups.has(id));
    if (!isListed || (!response && world.readings["fields.no-response"] === "left-out")) return [];
    const { plateNumber = "", brand = "", model = "" } = vehicle.properties;
    const status = statusProperty(world, field, statuses.get(response?.value) ?? "OK");
    return [
      { vehicleId: vehicle.id, plateNumber, brand, model, ...status, ...responseProperty(world, response) },
    ];
  });
}
