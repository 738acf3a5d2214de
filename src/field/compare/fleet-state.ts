import { type JsonObject, isObject, objectOf, objectsIn } from "../../wire/json.ts";
import { isPathId } from "../../wire/path-segment.ts";
import { FLEET_PATHS } from "../routes.ts";
import {
  type Details,
  FLEET_RESOURCES,
  type FleetResource,
  addReportedDamages,
  fleetRows,
} from "./fleet-seed.ts";
import { RecordedList, numberedPageOf, refreshIn } from "./recorded-list.ts";
import type { RecordedRead } from "./recorded-responses.ts";

/** The resources in responses of the fleet API. */
export class ObservedFleet {
  readonly #lists = new Map<FleetResource, RecordedList>();
  readonly #details: Details = new Map();
  /** The IDs of the responses in vehicles of fields. */
  readonly #fieldResponses = new Set<unknown>();

  /** Adds a response. Returns the rows that the list no longer has. */
  add(method: string, path: string, { operation, query, json }: RecordedRead): JsonObject[] {
    if (operation === "listVehicleFieldVehicles") {
      this.#addFieldResponses(json);
      return [];
    }
    const isDetail = /^\/[^/]+\/[^/]+$/.test(path);
    const resource = resourceAt(isDetail ? path.slice(0, path.lastIndexOf("/")) : path);
    if (method === "POST" || resource === undefined) return [];
    const given = isObject(json) ? (json["data"] ?? (isDetail ? json : firstArray(json))) : json;
    const rows = (isDetail ? [objectOf(given)] : objectsIn(given)).filter(({ id }) => isPathId(id));
    const details = this.#details.get(resource) ?? new Map<string, JsonObject>();
    const list = this.#lists.get(resource) ?? new RecordedList();
    if (!isDetail) this.#lists.set(resource, list);
    const gone = isDetail ? [] : list.add({ query, rows, ...numberedPageOf(query, json) });
    for (const { id } of gone) details.delete(String(id));
    for (const row of rows) {
      const id = String(row["id"]);
      if (isDetail) list.refresh(id, row);
      if (isDetail && method === "GET") this.#details.set(resource, details.set(id, row));
      else refreshIn(details, id, row);
    }
    return gone;
  }

  #addFieldResponses(json: unknown): void {
    for (const { latestResponse } of objectsIn(objectOf(json)["data"]))
      if (isObject(latestResponse)) this.#fieldResponses.add(latestResponse["id"]);
  }

  /** Removes a row. Returns whether it was known. */
  remove(path: string, { id = "" }: Readonly<Record<string, string>>): boolean {
    const resource = resourceAt(path.slice(0, path.lastIndexOf("/")));
    if (resource === undefined) return false;
    const isListed = this.#lists.get(resource)?.remove(id).length === 1;
    return this.#details.get(resource)?.delete(id) === true || isListed;
  }

  rowsOf(resource: FleetResource): readonly JsonObject[] {
    return this.#lists.get(resource)?.rows ?? [];
  }

  /** Whether the responses contained a list. */
  has(resource: FleetResource): boolean {
    return this.#lists.has(resource);
  }

  /** Returns the properties that only details have; the list of a seeded server also has them. */
  addedProperties(resource: FleetResource): Set<string> {
    const details = this.#details.get(resource);
    const names = [...(details ?? [])].flatMap(([id, detail]) => {
      const row = this.#lists.get(resource)?.get(id) ?? {};
      return Object.keys(detail).filter((name) => !Object.hasOwn(row, name));
    });
    return new Set(names);
  }

  /** Records the groups of a template, which its row in the list does not have. */
  addGroup(templateId: string, groupId: string): void {
    const row = this.#lists.get("inspectionTemplates")?.get(templateId);
    if (row === undefined) return;
    const known: unknown[] = Array.isArray(row["groupIds"]) ? row["groupIds"] : [];
    row["groupIds"] = [...new Set([...known, groupId])];
  }

  /** Returns the rows for a server. */
  seed(readings: Readonly<Record<string, unknown>>): Partial<Record<FleetResource, JsonObject[]>> {
    addReportedDamages(this.#details);
    // gap lists.fleet-order: the last row was changed first
    const isReversed = readings["lists.fleet-order"] === "last-change";
    const known = FLEET_RESOURCES.filter((resource) => this.#isKnown(resource)).map((resource) => {
      const rows = this.#allRowsOf(resource);
      return [resource, isReversed ? rows.toReversed() : rows] as const;
    });
    return Object.fromEntries(known);
  }

  /** The lists of which no response is known. */
  get unseen(): string[] {
    return FLEET_RESOURCES.filter((resource) => !this.#isKnown(resource));
  }

  /** The number of responses in vehicles of fields that no inspection has, from which a server computes them. */
  get unknownFieldResponses(): number {
    const inspections = this.#allRowsOf("inspections");
    const known = new Set(inspections.flatMap(({ responses }) => objectsIn(responses).map(({ id }) => id)));
    return [...this.#fieldResponses].filter((id) => !known.has(id)).length;
  }

  #allRowsOf(resource: FleetResource): JsonObject[] {
    return fleetRows(resource, this.rowsOf(resource), this.#details.get(resource));
  }

  #isKnown(resource: FleetResource): boolean {
    return this.#lists.has(resource) || this.#details.has(resource);
  }
}

function resourceAt(path: string): FleetResource | undefined {
  return FLEET_RESOURCES.find((resource) => FLEET_PATHS[resource] === path);
}

/** gap fleet.undocumented-responses */
function firstArray(json: JsonObject): unknown {
  return Object.values(json).find((value) => Array.isArray(value));
}
