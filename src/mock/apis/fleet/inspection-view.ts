import { isObject } from "../../../wire/json.ts";
import type { JsonObject } from "../../../../generated/fleet.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetData, FleetRow } from "./data.ts";
import {
  type PropertyTypes,
  PERSON,
  embedded,
  pickProperties,
  pickInlineProperties,
  pickSentProperties,
  objectsIn,
  stringOf,
} from "./properties.ts";
import { idOf, resolveReference, vehiclesOf } from "./references.ts";
import { rowOrArchived } from "./rows.ts";
import { inspectionCounts, templateView } from "./template-view.ts";

const VEHICLE: PropertyTypes = {
  id: "text",
  plateNumber: "text",
  brand: "text",
  model: "text",
  vin: "text",
  type: "text",
};

const TEMPLATE: PropertyTypes = { id: "text", title: "text", description: "text", version: "integer" };

const LOCATION: PropertyTypes = { title: "text", latitude: "number", longitude: "number" };

const ITEM: PropertyTypes = { id: "text", label: "text", inputType: "text", isRequired: "flag" };

const DAMAGE: PropertyTypes = {
  id: "text",
  vehicleId: "text",
  description: "text",
  status: "text",
  photoUrl: "text",
  reportedAt: "text",
  repairedAt: "nullableText",
};

/** Returns the detail of an inspection. */
export function inspectionView(row: FleetRow, data: FleetData, readings: MockReadings): JsonObject {
  const template = resolveReference(data, "inspectionTemplates", row, "template");
  return {
    id: row.id,
    templateId: idOf(row, "template") ?? "",
    template: templateProperty(template, data, readings),
    ...pickProperties(row, { status: "text", performedAt: "text" }),
    performedBy: pickSentProperties(row.performedBy, PERSON, readings),
    vehicles: vehiclesOf(data, row).map((vehicle) => pickInlineProperties(vehicle, VEHICLE, readings)),
    location: pickSentProperties(row.location, LOCATION, readings),
    ...pickProperties(row, { notes: "text" }),
    responses: objectsIn(row.responses).map((one) => responseView(one, template, data, readings)),
    damages: allDamages(row, damagesOf(row.id, data), readings),
  };
}

/** Returns an inspection for the list and for writes: its written properties, and the damages reported with it. */
export function inspectionSummary(
  row: JsonObject,
  damages: readonly JsonObject[],
  readings: MockReadings,
): JsonObject {
  return { ...row, damages: allDamages(row, damages, readings) };
}

/** The damages that were reported with an inspection, and those in the inspection itself. gap inspections.reported-damages */
function allDamages(row: JsonObject, reported: readonly JsonObject[], readings: MockReadings): JsonObject[] {
  return [...reported, ...objectsIn(row.damages)].map((damage) => damageView(damage, readings));
}

/** gap inspections.template-properties */
function templateProperty(
  template: JsonObject | undefined,
  data: FleetData,
  readings: MockReadings,
): JsonObject {
  const fourFields = pickInlineProperties(template, TEMPLATE, readings);
  if (readings["inspections.template-properties"] === "four-fields") return fourFields;
  if (template === undefined && readings["fleet.absent-properties"] !== "present") return fourFields;
  const inspections = inspectionCounts(data).get(stringOf(template?.id) ?? "") ?? 0;
  const view = Object.entries(templateView(template ?? {}, inspections, readings));
  return { ...fourFields, ...Object.fromEntries(view.filter(([name]) => !Object.hasOwn(TEMPLATE, name))) };
}

/** The item of a response is an item of the template, or a vehicle field, or the content of the response itself. */
function responseView(
  response: JsonObject,
  template: JsonObject | undefined,
  data: FleetData,
  readings: MockReadings,
): JsonObject {
  const id = idOf(response, "templateItem");
  const own = isObject(response.templateItem) ? response.templateItem : undefined;
  const known =
    objectsIn(template?.items).find((one) => id !== undefined && one.id === id) ??
    rowOrArchived(data, "vehicleFields", id);
  const item = id === undefined ? own : { ...known, ...own, id };
  return {
    ...pickInlineProperties(response, { id: "text" }, readings),
    templateItem: embedded(item, readings, (value) => pickInlineProperties(value, ITEM, readings)),
    ...pickInlineProperties(
      response,
      { responseText: "nullableText", fileUrl: "nullableText", followUpResponses: "nullableObject" },
      readings,
    ),
  };
}

function damageView(damage: JsonObject, readings: MockReadings): JsonObject {
  return pickInlineProperties({ ...damage, vehicleId: idOf(damage, "vehicle") }, DAMAGE, readings);
}

/** Returns the damages reported with one inspection. */
export function damagesOf(inspectionId: string, data: FleetData): JsonObject[] {
  return [...data.damages.values()].filter((damage) => idOf(damage, "inspection") === inspectionId);
}

/** Returns all damages by their inspection. */
export function damagesByInspection(data: FleetData): ReadonlyMap<string, JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  for (const damage of data.damages.values()) {
    const id = idOf(damage, "inspection");
    if (id === undefined) continue;
    const others = found.get(id);
    if (others === undefined) found.set(id, [damage]);
    else others.push(damage);
  }
  return found;
}
