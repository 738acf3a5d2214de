import { isObject, type JsonObject, stringsIn } from "../../wire/json.ts";

/*
 * The contract shows no body, so a reference may have each name that responses use for it: `vehicleId`, or
 * `vehicle` with an `id`; several are `vehicleIds`, or `vehicles` as ids or as objects with an `id`.
 */

/** The two names of one reference: a body with one of them replaces the other. */
export type Synonyms = readonly (readonly [string, string])[];

/** The names of the references of an inspection. */
export const INSPECTION_SYNONYMS: Synonyms = [
  ["templateId", "template"],
  ["vehicleIds", "vehicles"],
];

/** The names of the references of a damage. */
export const DAMAGE_SYNONYMS: Synonyms = [
  ["vehicleId", "vehicle"],
  ["inspectionId", "inspection"],
];

/** The name of a reference, such as `vehicle`. */
export type Reference = "vehicle" | "inspection" | "template" | "templateItem";

/** Returns the referenced ID: `vehicleId`, or else the `id` of `vehicle`. */
export function idOf(row: JsonObject, name: Reference): string | undefined {
  const object = row[name];
  return stringOf(row[`${name}Id`]) ?? (isObject(object) ? stringOf(object.id) : undefined);
}

/** Returns the IDs of the vehicles of an inspection. */
export function vehicleIdsOf(inspection: JsonObject): string[] {
  return stringsIn(vehiclesIn(inspection).map((element) => (isObject(element) ? element.id : element)));
}

/** Returns the vehicles of an inspection, as IDs or as objects. */
export function vehiclesIn({ vehicleIds, vehicles }: JsonObject): unknown[] {
  if (Array.isArray(vehicleIds)) return stringsIn(vehicleIds);
  if (!Array.isArray(vehicles)) return [];
  return vehicles.filter((vehicle) => isObject(vehicle) || typeof vehicle === "string");
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
