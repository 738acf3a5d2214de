import type { JsonObject } from "../../../../generated/fleet.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetData } from "./data.ts";
import {
  type PropertyTypes,
  PERSON,
  embedded,
  objectOf,
  pickInlineProperties,
  pickSentProperties,
} from "./properties.ts";
import { idOf, resolveReference } from "./references.ts";

const VEHICLE: PropertyTypes = { id: "text", plateNumber: "text", brand: "text", model: "text", vin: "text" };

const DAMAGE: PropertyTypes = { description: "text", photoUrl: "text", status: "text", reportedAt: "text" };

/**
 * Returns the detail of a damage. The contract names all its properties in a list, so gap fleet.absent-properties
 * applies to each.
 */
export function damageView(row: JsonObject, data: FleetData, readings: MockReadings): JsonObject {
  const vehicle = resolveReference(data, "vehicles", row, "vehicle");
  const inspection = resolveReference(data, "inspections", row, "inspection");
  return {
    id: row.id,
    ...pickInlineProperties({ vehicleId: idOf(row, "vehicle") }, { vehicleId: "text" }, readings),
    vehicle: embedded(vehicle, readings, (value) => pickInlineProperties(value, VEHICLE, readings)),
    ...pickInlineProperties(row, DAMAGE, readings),
    reportedBy: person(row.reportedBy, readings),
    assignedTo: person(row.assignedTo, readings),
    ...pickInlineProperties(row, { repairedAt: "nullableText" }, readings),
    inspection: embedded(inspection, readings, (value) => inspectionProperty(value, data, readings)),
  };
}

function person(given: unknown, readings: MockReadings): JsonObject | null | undefined {
  return embedded(objectOf(given), readings, (value) => pickSentProperties(value, PERSON, readings));
}

function inspectionProperty(inspection: JsonObject, data: FleetData, readings: MockReadings): JsonObject {
  const template = resolveReference(data, "inspectionTemplates", inspection, "template");
  return {
    ...pickInlineProperties(inspection, { id: "text", performedAt: "text", status: "text" }, readings),
    template: embedded(template, readings, (value) =>
      pickInlineProperties(value, { id: "text", title: "text" }, readings),
    ),
  };
}
