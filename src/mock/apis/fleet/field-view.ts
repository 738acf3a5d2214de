import type { JsonObject } from "../../../../generated/fleet.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetData } from "./data.ts";
import {
  type PropertyTypes,
  pickProperties,
  pickInlineProperties,
  objectsIn,
  stringOf,
  stringsIn,
} from "./properties.ts";

const FIELD: PropertyTypes = {
  id: "text",
  label: "text",
  description: "text",
  inputType: "text",
  isRequired: "flag",
  instructionImageUrl: "nullableText",
  hasStatusRule: "flag",
};

const GROUP: PropertyTypes = { id: "text", name: "text" };

/** Returns a vehicle field as an element of the list. */
export function fieldView(row: JsonObject, data: FleetData, readings: MockReadings): JsonObject {
  const groups = groupsOf(row, data);
  return {
    ...pickProperties(row, FIELD),
    groupIds: groups.map(({ id }) => id),
    groups: groups.map((group) => pickInlineProperties(group, GROUP, readings)),
    options: objectsIn(row.options).map((option) => optionView(option, row, readings)),
    ...pickProperties(row, { createdAt: "text", updatedAt: "text" }),
  };
}

/**
 * Returns the groups of a field: existing groups, and groups that only the field itself names. Deleted groups are
 * left out.
 */
export function groupsOf(row: JsonObject, data: FleetData): JsonObject[] {
  const own = objectsIn(row.groups);
  const ids = Array.isArray(row.groupIds) ? stringsIn(row.groupIds) : stringsIn(own.map(({ id }) => id));
  const groups = ids.map((id) => data.vehicleGroups.get(id) ?? own.find((group) => group.id === id));
  return groups.filter((group) => group !== undefined);
}

/** An option has a status if its field has a rule. */
function optionView(option: JsonObject, row: JsonObject, readings: MockReadings): JsonObject {
  const status = row.hasStatusRule === true ? stringOf(option.status) : undefined;
  const properties = pickInlineProperties(option, { id: "text", label: "text", value: "text" }, readings);
  return { ...properties, status: status ?? fallbackStatus(row, readings) };
}

/**
 * Returns the status if no option gives one; `undefined` leaves it out. The gap applies only to fields without a
 * rule. gap fields.no-status-rule
 */
export function fallbackStatus(field: JsonObject, readings: MockReadings): string | undefined {
  return field.hasStatusRule === true || readings["fields.no-status-rule"] === "ok" ? "OK" : undefined;
}
