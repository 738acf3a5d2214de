/** Converts the entities of the fleet model to responses (contract section 2). */
import { isObject, type Json, type JsonObject } from "./exchange.ts";
import type { Entity, Properties } from "./fleet-state.ts";
import { type FleetWorld, references } from "./fleet-world.ts";

/** Numbers among the properties that have a filler under `fleet.absent-properties: present`. */
const numbers = new Set(["latitude", "longitude", "version"]);

/** Properties that the contract names in a list inside a table: not all of them need a value. */
function inline(world: FleetWorld, properties: JsonObject, names: readonly string[]): JsonObject {
  const view: Properties = {};
  for (const name of names) {
    const value = properties[name] ?? null;
    if (value !== null) view[name] = value;
    else if (world.readings["fleet.absent-properties"] === "present") view[name] = numbers.has(name) ? 0 : "";
  }
  return view;
}

/** An object among such properties. `filler` replaces it under `present`. */
function inlineObject(
  world: FleetWorld,
  name: string,
  value: JsonObject | null,
  filler: JsonObject,
): JsonObject {
  if (value !== null) return { [name]: value };
  const missing = { "null-objects": { [name]: null }, present: { [name]: filler }, absent: {} };
  return missing[world.readings["fleet.absent-properties"]];
}

/** Properties of a table, which are always there. */
function table(properties: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, properties[name] ?? null]));
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}

// Vehicles, groups and assignments: their shapes are not shown

export function vehicleView({ variant }: FleetWorld, { id, properties }: Entity): JsonObject {
  return {
    ...(variant.emptyIds ? { id: "" } : variant.anonymous ? {} : { id }),
    ...table(properties, ["plateNumber", "brand", "model", "vin", "type", "groupIds"]),
  };
}

export function groupView(_: FleetWorld, { id, properties }: Entity): JsonObject {
  return { id, ...table(properties, ["name"]) };
}

export function assignmentView(_: FleetWorld, { id, properties }: Entity): JsonObject {
  return { id, ...table(properties, ["vehicleId", "driverId", "startsAt", "endsAt"]) };
}

// Templates

function itemOption(option: Json, index: number): Json {
  const value = text(option);
  return { id: `choice_${index + 1}`, label: value, value, status: "OK" };
}

function itemView(world: FleetWorld, item: JsonObject): JsonObject {
  const options = item["options"];
  if (world.readings["templates.options"] === "strings" || !Array.isArray(options)) return item;
  return {
    ...item,
    options: options.map((option: Json, at) => (isObject(option) ? option : itemOption(option, at))),
  };
}

function itemViews(world: FleetWorld, { properties }: Entity): JsonObject[] {
  return objects(properties["items"]).map((item) => itemView(world, item));
}

export function templateView(world: FleetWorld, entity: Entity): JsonObject {
  const { id, properties } = entity;
  const items = itemViews(world, entity);
  return {
    id,
    ...table(properties, ["title", "description", "version", "isActive", "createdAt", "updatedAt"]),
    itemCount: items.length,
    inspectionCount: references(world).inspections.get(id)?.length ?? 0,
    items,
  };
}

/** One template under `templates.get-one: by-path`, where its shape is not shown. */
export function openTemplateView(world: FleetWorld, entity: Entity): JsonObject {
  return {
    id: entity.id,
    title: entity.properties["title"] ?? null,
    sections: [{ items: itemViews(world, entity) }],
  };
}

// Inspections

function userOf(world: FleetWorld, id: Json | undefined): JsonObject | null {
  const found = world.state.users.find((user) => user.id === id);
  return found ? { ...found } : null;
}

const userProperties = ["id", "firstName", "lastName", "email"];

function cardOf(world: FleetWorld, entity: Entity | undefined, names: readonly string[]): JsonObject | null {
  return entity ? { id: entity.id, ...inline(world, entity.properties, names) } : null;
}

function templateOf(world: FleetWorld, id: Json | undefined): Entity | undefined {
  return world.index["inspection-templates"].get(text(id));
}

function inspectionTemplate(world: FleetWorld, id: Json | undefined): JsonObject {
  const entity = templateOf(world, id);
  if (entity && world.readings["inspections.template-properties"] === "full")
    return templateView(world, entity);
  const names = ["title", "description", "version"];
  return cardOf(world, entity, names) ?? inline(world, {}, ["id", ...names]);
}

function responseView(world: FleetWorld, response: JsonObject, items: readonly JsonObject[]): JsonObject {
  const names = ["id", "label", "inputType", "isRequired"];
  const item = items.find(({ id }) => id === response["templateItemId"]);
  return {
    ...inline(world, response, ["id"]),
    ...inlineObject(world, "templateItem", item ? table(item, names) : null, inline(world, {}, names)),
    ...table(response, ["responseText", "fileUrl", "followUpResponses"]),
  };
}

function damageCards(world: FleetWorld, inspectionId: string): JsonObject[] {
  const own = references(world).damages.get(inspectionId) ?? [];
  return own.map(({ id, properties }) => ({
    id,
    ...inline(world, properties, ["vehicleId", "description", "status", "photoUrl", "reportedAt"]),
    repairedAt: properties["repairedAt"] ?? null,
  }));
}

export function inspectionView(world: FleetWorld, { id, properties }: Entity): JsonObject {
  const items = objects(templateOf(world, properties["templateId"])?.properties["items"]);
  const location = isObject(properties["location"]) ? properties["location"] : {};
  const vehicles = texts(properties["vehicleIds"]).map((vehicleId) => world.index.vehicles.get(vehicleId));
  return {
    id,
    templateId: text(properties["templateId"]),
    template: inspectionTemplate(world, properties["templateId"]),
    status: text(properties["status"]),
    performedAt: text(properties["performedAt"]),
    performedBy: userOf(world, properties["performedById"]) ?? inline(world, {}, userProperties),
    vehicles: vehicles.flatMap(
      (one) => cardOf(world, one, ["plateNumber", "brand", "model", "vin", "type"]) ?? [],
    ),
    location: inline(world, location, ["title", "latitude", "longitude"]),
    notes: text(properties["notes"]),
    responses: objects(properties["responses"]).map((response) => responseView(world, response, items)),
    damages: damageCards(world, id),
  };
}

// Damages

/** The inspection as a damage embeds it. */
function inspectionCard(world: FleetWorld, id: Json | undefined): JsonObject | null {
  const entity = world.index.inspections.get(text(id));
  if (!entity) return null;
  const template = cardOf(world, templateOf(world, entity.properties["templateId"]), ["title"]);
  return {
    id: entity.id,
    ...inline(world, entity.properties, ["performedAt", "status"]),
    ...inlineObject(world, "template", template, inline(world, {}, ["id", "title"])),
  };
}

export function damageView(world: FleetWorld, { id, properties }: Entity): JsonObject {
  const vehicleNames = ["plateNumber", "brand", "model", "vin"];
  const vehicle = cardOf(world, world.index.vehicles.get(text(properties["vehicleId"])), vehicleNames);
  const [first] = world.state.users;
  const user = (name: string, userId: Json | undefined) =>
    inlineObject(
      world,
      name,
      userOf(world, userId),
      userOf(world, first?.id) ?? inline(world, {}, userProperties),
    );
  const anyInspection =
    inspectionCard(world, world.state.entities.inspections[0]?.id) ?? inline(world, {}, ["id"]);
  return {
    id,
    ...inline(world, properties, ["vehicleId"]),
    ...inlineObject(world, "vehicle", vehicle, inline(world, {}, ["id", ...vehicleNames])),
    ...inline(world, properties, ["description", "photoUrl", "status", "reportedAt"]),
    ...user("reportedBy", properties["reportedById"]),
    ...user("assignedTo", properties["assignedToId"]),
    repairedAt: properties["repairedAt"] ?? null,
    ...inlineObject(world, "inspection", inspectionCard(world, properties["inspectionId"]), anyInspection),
  };
}
