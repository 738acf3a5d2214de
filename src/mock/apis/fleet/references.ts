import type { JsonObject } from "../../../../generated/fleet.ts";
import type { Issue } from "../../http/api-response.ts";
import type { FleetData, FleetResource } from "./data.ts";
import { isObject } from "../../../wire/json.ts";
import { stringOf, stringsIn } from "./properties.ts";
import type { Synonyms } from "./rows.ts";
import { rowOrArchived } from "./rows.ts";

/*
 * The contract shows no body, so a reference may have each name that responses use for it: `vehicleId`, or
 * `vehicle` with an `id`; several are `vehicleIds`, or `vehicles` as ids or as objects with an `id`.
 */

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

/** The references of a row, and the names of their IDs. */
const ID_NAMES = {
  vehicle: "vehicleId",
  inspection: "inspectionId",
  template: "templateId",
  templateItem: "templateItemId",
} as const;

/** The name of a reference, such as `vehicle`. */
type Reference = keyof typeof ID_NAMES;

/** Returns the referenced ID: `vehicleId`, or else the `id` of `vehicle`. */
export function idOf(row: JsonObject, name: Reference): string | undefined {
  const object = row[name];
  return stringOf(row[ID_NAMES[name]]) ?? (isObject(object) ? stringOf(object.id) : undefined);
}

/** Returns the referenced resource, otherwise the object in the row itself; `undefined` without a reference. */
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

/** Returns the vehicles of an inspection, each like `resolveReference`. */
export function vehiclesOf(data: FleetData, inspection: JsonObject): JsonObject[] {
  return elementsOf(inspection).map((element) => {
    const given = isObject(element) ? element : { id: element };
    return rowOrArchived(data, "vehicles", stringOf(given.id)) ?? given;
  });
}

/** Returns an issue for each entity that a body refers to and that does not exist. */
export function missingReferenceIssues(data: FleetData, body: unknown): Issue[] {
  if (!isObject(body)) return [];
  const references: [path: string, resource: FleetResource, id: string | undefined][] = [
    ["vehicleId", "vehicles", idOf(body, "vehicle")],
    ["inspectionId", "inspections", idOf(body, "inspection")],
    ["templateId", "inspectionTemplates", idOf(body, "template")],
    ...vehicleIdsOf(body).map((id, index): [string, FleetResource, string] => [
      `vehicleIds.${index}`,
      "vehicles",
      id,
    ]),
  ];
  return references.flatMap(([path, resource, id]) =>
    id === undefined || rowOrArchived(data, resource, id) !== undefined
      ? []
      : [{ path, message: `${JSON.stringify(id)} does not exist in ${resource}`, code: "not_found" }],
  );
}

/** Returns the IDs of the vehicles of an inspection. */
export function vehicleIdsOf(inspection: JsonObject): string[] {
  return stringsIn(elementsOf(inspection).map((element) => (isObject(element) ? element.id : element)));
}

function elementsOf({ vehicleIds, vehicles }: JsonObject): unknown[] {
  if (Array.isArray(vehicleIds)) return stringsIn(vehicleIds);
  if (!Array.isArray(vehicles)) return [];
  return vehicles.filter((one) => isObject(one) || typeof one === "string");
}
