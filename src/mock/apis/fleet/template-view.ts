import type { JsonObject } from "../../../../generated/fleet.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetData } from "./data.ts";
import { isObject } from "../../../wire/json.ts";
import { type PropertyTypes, pickProperties, objectsIn, stringOf } from "./properties.ts";
import { idOf } from "./references.ts";

const TEMPLATE: PropertyTypes = {
  id: "text",
  title: "text",
  description: "text",
  version: "integer",
  isActive: "flag",
  createdAt: "text",
  updatedAt: "text",
};

const ITEM: PropertyTypes = { id: "text", label: "text", inputType: "text", isRequired: "flag" };

const OPTION: PropertyTypes = { id: "text", label: "text", value: "text", status: "text" };

/** Returns a template as an element of the list; both counts are computed from the data. */
export function templateView(row: JsonObject, inspections: number, readings: MockReadings): JsonObject {
  const items = objectsIn(row.items);
  return {
    ...pickProperties(row, TEMPLATE),
    itemCount: items.length,
    inspectionCount: inspections,
    items: items.map((item, index) => itemView(item, index, readings)),
  };
}

function itemView(item: JsonObject, index: number, readings: MockReadings): JsonObject {
  return {
    ...pickProperties(item, ITEM),
    options: item.inputType === "SELECT" ? optionsOf(item, readings) : [],
    order: Number.isSafeInteger(item.order) ? item.order : index + 1,
    ...pickProperties(item, { instructionImageUrl: "nullableText" }),
    ...(isObject(item.dependsOn) && { dependsOn: item.dependsOn }),
  };
}

/** gap templates.options: a string is converted to an object with this label and value, and an object to its label. */
function optionsOf({ options }: JsonObject, readings: MockReadings): unknown[] {
  if (!Array.isArray(options)) return [];
  const asObjects = readings["templates.options"] === "objects";
  return options.flatMap((option: unknown, index): unknown[] => {
    const text = isObject(option) ? (stringOf(option.value) ?? stringOf(option.label)) : stringOf(option);
    if (text === undefined) return [];
    const defaults = { id: String(index + 1), label: text, value: text, status: "OK" };
    return [asObjects ? pickProperties({ ...defaults, ...(isObject(option) && option) }, OPTION) : text];
  });
}

/** Counts the inspections of each template. */
export function inspectionCounts(data: FleetData): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const inspection of data.inspections.values()) {
    const id = idOf(inspection, "template");
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
