import type { JsonObject } from "../../../../generated/fleet.ts";
import type { MockReadings } from "../../kernel/readings.ts";
import type { FleetData } from "./data.ts";
import { type Members, PERSON, pickInlineMembers, pickInlineObject, isObject } from "./members.ts";
import { idOf, resolveReference } from "./references.ts";

const VEHICLE: Members = { id: "text", plateNumber: "text", brand: "text", model: "text", vin: "text" };

/** Returns the detail of a damage. All its members are named in a list, so gap fleet.absent-members applies to each. */
export function damageView(row: JsonObject, data: FleetData, readings: MockReadings): JsonObject {
  const vehicle = resolveReference(data, "vehicles", row, "vehicle");
  return {
    id: row.id,
    ...pickInlineMembers({ vehicleId: idOf(row, "vehicle") }, { vehicleId: "text" }, readings),
    vehicle: pickInlineObject(vehicle, VEHICLE, readings),
    ...pickInlineMembers(
      row,
      { description: "text", photoUrl: "text", status: "text", reportedAt: "text" },
      readings,
    ),
    reportedBy: person(row.reportedBy, readings),
    assignedTo: person(row.assignedTo, readings),
    ...pickInlineMembers(row, { repairedAt: "nullableText" }, readings),
    inspection: inspectionMember(resolveReference(data, "inspections", row, "inspection"), data, readings),
  };
}

function person(given: unknown, readings: MockReadings): JsonObject | undefined {
  return pickInlineObject(isObject(given) ? given : undefined, PERSON, readings);
}

function inspectionMember(
  inspection: JsonObject | undefined,
  data: FleetData,
  readings: MockReadings,
): JsonObject | undefined {
  const members = pickInlineObject(inspection, { id: "text", performedAt: "text", status: "text" }, readings);
  if (members === undefined) return undefined;
  const template = inspection && resolveReference(data, "inspectionTemplates", inspection, "template");
  return { ...members, template: pickInlineObject(template, { id: "text", title: "text" }, readings) };
}
