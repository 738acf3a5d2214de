import type { JsonObject } from "../../../../generated/fleet.ts";
import type { MockReadings } from "../../kernel/readings.ts";
import type { FleetData } from "./data.ts";
import { type Members, PERSON, inline, inlineObject, isObject } from "./members.ts";
import { idOf, referred } from "./references.ts";

const VEHICLE: Members = { id: "text", plateNumber: "text", brand: "text", model: "text", vin: "text" };

/** A damage in full; all its members are named in a list, so each is subject to gap fleet.absent-members. */
export function damageView(row: JsonObject, data: FleetData, readings: MockReadings): JsonObject {
  const vehicle = referred(data, "vehicles", row, "vehicle");
  return {
    id: row.id,
    ...inline({ vehicleId: idOf(row, "vehicle") }, { vehicleId: "text" }, readings),
    vehicle: inlineObject(vehicle, VEHICLE, readings),
    ...inline(row, { description: "text", photoUrl: "text", status: "text", reportedAt: "text" }, readings),
    reportedBy: person(row.reportedBy, readings),
    assignedTo: person(row.assignedTo, readings),
    ...inline(row, { repairedAt: "nullableText" }, readings),
    inspection: inspectionMember(referred(data, "inspections", row, "inspection"), data, readings),
  };
}

function person(given: unknown, readings: MockReadings): JsonObject | undefined {
  return inlineObject(isObject(given) ? given : undefined, PERSON, readings);
}

function inspectionMember(
  inspection: JsonObject | undefined,
  data: FleetData,
  readings: MockReadings,
): JsonObject | undefined {
  const members = inlineObject(inspection, { id: "text", performedAt: "text", status: "text" }, readings);
  if (members === undefined) return undefined;
  const template = inspection && referred(data, "inspectionTemplates", inspection, "template");
  return { ...members, template: inlineObject(template, { id: "text", title: "text" }, readings) };
}
