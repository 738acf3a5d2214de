import { type JsonObject, isObject, objectsIn } from "../../wire/json.ts";
import { namesOf } from "../../wire/names.ts";
import { isPathId } from "../../wire/path-segment.ts";
import { FLEET_PATHS } from "../routes.ts";

/** A list of the fleet API. */
export type FleetResource = keyof typeof FLEET_PATHS;

export const FLEET_RESOURCES = namesOf(FLEET_PATHS);

/** The details of each resource by their IDs. */
export type Details = Map<FleetResource, Map<string, JsonObject>>;

/** Turns the damages of recorded inspections into separate rows, which name their inspection. */
export function addReportedDamages(all: Details): void {
  for (const [inspectionId, { damages }] of all.get("inspections") ?? []) {
    for (const damage of objectsIn(damages)) {
      if (!isPathId(damage["id"])) continue;
      const own = all.get("damages") ?? new Map<string, JsonObject>();
      const known = own.get(damage["id"]) ?? {};
      const inspection = isObject(known["inspection"]) ? known["inspection"] : { id: inspectionId };
      own.delete(damage["id"]);
      all.set("damages", own.set(damage["id"], { ...damage, ...known, inspection }));
    }
  }
}

/** Returns the rows of a resource, each with what its list and its detail show. */
export function fleetRows(
  resource: FleetResource,
  listed: readonly JsonObject[],
  details: ReadonlyMap<string, JsonObject> = new Map(),
): JsonObject[] {
  const rows = new Map(listed.map((row) => [String(row["id"]), row]));
  for (const [id, detail] of details) {
    const row = rows.get(id);
    // gap templates.options: the list shows the options in another form
    rows.set(id, resource === "inspectionTemplates" ? { ...row, ...detail } : merge(detail, row));
  }
  return [...rows].map(([id, row]) => withoutBlanks(withoutComputed(resource, row, details.get(id))));
}

/** Returns a detail with the values of its row in the list; nested objects have the properties of both. */
function merge(detail: JsonObject, row: JsonObject = {}): JsonObject {
  const entries = Object.entries(row).map(([name, value]): [string, unknown] => [
    name,
    mergeValues(detail[name], value),
  ]);
  return { ...detail, ...Object.fromEntries(entries) };
}

function mergeValues(detailed: unknown, listed: unknown): unknown {
  if (isObject(detailed) && isObject(listed)) return merge(detailed, listed);
  if (!Array.isArray(detailed) || !Array.isArray(listed)) return listed;
  // a list may show only the IDs
  if (!listed.every(isObject)) return detailed;
  const elements = objectsIn(detailed);
  return listed.map((row) => merge(elements.find(({ id }) => id === row["id"]) ?? {}, row));
}

/** An embedded object without an ID means that there is no such object. gap fleet.absent-properties */
function withoutBlanks(row: JsonObject): JsonObject {
  return without(row, (_, value) => isObject(value) && value["id"] === "");
}

/** Properties that a server computes: counts, and the damages of an inspection, which are separate rows. */
function withoutComputed(resource: FleetResource, row: JsonObject, detail: JsonObject = {}): JsonObject {
  if (resource === "inspections") return without(row, (name) => name === "damages");
  if (resource !== "inspectionTemplates") return row;
  return without(
    row,
    (name) => ["itemCount", "inspectionCount"].includes(name) && !Object.hasOwn(detail, name),
  );
}

function without(row: JsonObject, isLeftOut: (name: string, value: unknown) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => !isLeftOut(name, value)));
}
