import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetData, FleetResource } from "./data.ts";
import { isObject, stringOf, stringsIn } from "./members.ts";
import type { Synonyms } from "./rows.ts";
import { rowOrArchived } from "./rows.ts";

/*
 * No body's shape is shown, so a reference is read under each name that the answers have for it: `vehicleId`, or
 * `vehicle` with an `id`; several are `vehicleIds`, or `vehicles` as ids or as objects with an `id`.
 */

/** The names of what an inspection refers to. */
export const INSPECTION_SYNONYMS: Synonyms = [
  ["templateId", "template"],
  ["vehicleIds", "vehicles"],
];

/** The names of what a damage refers to. */
export const DAMAGE_SYNONYMS: Synonyms = [
  ["vehicleId", "vehicle"],
  ["inspectionId", "inspection"],
];

/** What a row can refer to, and the name of its id. */
const ID_NAMES = {
  vehicle: "vehicleId",
  inspection: "inspectionId",
  template: "templateId",
  templateItem: "templateItemId",
} as const;

/** A reference of a row, under the name of the object. */
type Reference = keyof typeof ID_NAMES;

/** The id that a row refers to by `vehicleId`, or else by `vehicle` with an `id`. */
export function idOf(row: JsonObject, name: Reference): string | undefined {
  const object = row[name];
  return stringOf(row[ID_NAMES[name]]) ?? (isObject(object) ? stringOf(object.id) : undefined);
}

/** What a row refers to: the resource itself, else what the row says about it; nothing where it refers to none. */
export function resolveReference(
  data: FleetData,
  resource: FleetResource,
  row: JsonObject,
  name: Reference,
): JsonObject | undefined {
  const id = idOf(row, name);
  const object = row[name];
  if (id === undefined) return isObject(object) ? object : undefined;
  return rowOrArchived(data, resource, id) ?? { ...(isObject(object) && object), id };
}

/** The vehicles of an inspection, as `referred` gives one. */
export function vehiclesOf(data: FleetData, inspection: JsonObject): JsonObject[] {
  return elementsOf(inspection).map((element) => {
    const given = isObject(element) ? element : { id: element };
    return rowOrArchived(data, "vehicles", stringOf(given.id)) ?? given;
  });
}

/** The ids of an inspection's vehicles. */
export function vehicleIdsOf(inspection: JsonObject): string[] {
  return stringsIn(elementsOf(inspection).map((element) => (isObject(element) ? element.id : element)));
}

function elementsOf({ vehicleIds, vehicles }: JsonObject): unknown[] {
  if (Array.isArray(vehicleIds)) return stringsIn(vehicleIds);
  if (!Array.isArray(vehicles)) return [];
  return vehicles.filter((one) => isObject(one) || typeof one === "string");
}
