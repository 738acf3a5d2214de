import { type JsonObject, isObject, objectOf, objectsIn } from "../../wire/json.ts";
import type { ReferenceServerOptions } from "../../mock/index.ts";
import { isPathId } from "../../wire/path-segment.ts";
import { findRoute } from "../routes.ts";
import { RecordedList, type RecordedQuery } from "./recorded-list.ts";
import { type Invented, type ObservedStore, type ReplacedList, storeSeed } from "./store-seed.ts";

/** A response that contains rows. */
export interface ObservedResponse {
  readonly api: "store" | "fleet";
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly query?: RecordedQuery | undefined;
  readonly status: number;
  readonly json: unknown;
}

/** The options that contain the rows. */
export type SeedOptions = Required<Pick<ReferenceServerOptions, "store" | "fleet">>;

/** The paths of the lists of the fleet API; a row has its ID appended. */
export const FLEET_PATHS = {
  vehicles: "/vehicles",
  vehicleGroups: "/vehicle-groups",
  vehicleFields: "/vehicle-fields",
  inspections: "/inspections",
  inspectionTemplates: "/inspection-templates",
  damages: "/damages",
  driverAssignments: "/driver-assignments",
} as const;

/** A list of the fleet API. */
export type FleetResource = keyof typeof FLEET_PATHS;

export const FLEET_RESOURCES = Object.keys(FLEET_PATHS) as FleetResource[]; // the keys of the table

/** The rows of each list by their IDs. */
type Rows = Map<FleetResource, Map<string, JsonObject>>;

/** Collects rows from responses and turns them into the seed of a reference server. */
export class ObservedState {
  readonly #stores = new Map<string, ObservedStore>();
  readonly #withoutId = new Set<string>();
  readonly #invented: Invented = new Map();
  #hasStores = false;
  readonly #lists: Rows = new Map();
  readonly #details: Rows = new Map();

  add({ api, method, path, query = {}, status, json }: ObservedResponse): void {
    if (status !== 200 || json === undefined) return;
    const { operation, params } = findRoute(api, method, path);
    if (operation === undefined) return;
    if (api === "fleet") this.#addFleet(method, path, json);
    else if (isObject(json)) this.#addStore(operation, params, query, json);
  }

  #addStore(
    operation: string,
    { externalId = "", protocolId = "" }: Readonly<Record<string, string>>,
    query: RecordedQuery,
    body: JsonObject,
  ): void {
    if (operation === "listStores") {
      this.#hasStores = true;
      for (const row of objectsIn(body["items"])) this.#addFields(row);
    } else if (operation === "getStore" || operation === "putStore") this.#addFields(body);
    else if (operation === "getProtocol") this.#storeOf(externalId).details.set(protocolId, body);
    else this.#addList(operation, externalId, query, body);
  }

  #addList(operation: string, externalId: string, query: RecordedQuery, body: JsonObject): void {
    const name = /(contacts|expectations|expositions|protocols|photos)$/i.exec(operation)?.[1]?.toLowerCase();
    if (name === undefined || externalId === "") return;
    const store = this.#storeOf(externalId);
    const given = body["items"] ?? body["photos"] ?? body["data"];
    if (!Array.isArray(given)) return; // gap photos.page-shape
    const rows = objectsIn(given);
    const isLast = (body["nextCursor"] ?? body["cursor"] ?? null) === null;
    if (name === "protocols" || name === "photos") store[name].add(query, rows, isLast);
    else store.lists[name as ReplacedList] = rows; // the other names in the pattern
  }

  #storeOf(externalId: string): ObservedStore {
    const known = this.#stores.get(externalId);
    if (known !== undefined) return known;
    const created: ObservedStore = {
      fields: undefined,
      lists: {},
      protocols: new RecordedList(),
      photos: new RecordedList(),
      details: new Map(),
    };
    this.#stores.set(externalId, created);
    return created;
  }

  #addFields(row: JsonObject): void {
    const { externalId, storeId } = row;
    if (isPathId(externalId)) {
      const store = this.#storeOf(externalId);
      store.fields = { ...store.fields, ...row };
    } else if (externalId === null) this.#withoutId.add(String(storeId));
  }

  #addFleet(method: string, path: string, json: unknown): void {
    const isDetail = /^\/[^/]+\/[^/]+$/.test(path);
    const list = isDetail ? path.slice(0, path.lastIndexOf("/")) : path;
    const resource = FLEET_RESOURCES.find((one) => FLEET_PATHS[one] === list);
    if (method !== "GET" || resource === undefined) return;
    const rows = isObject(json) ? (json["data"] ?? (isDetail ? json : firstArray(json))) : json;
    const known = rowsIn(isDetail ? this.#details : this.#lists, resource);
    for (const row of isDetail ? [objectOf(rows)] : objectsIn(rows)) addById(known, row);
  }

  /** Returns the external IDs in the order of the responses. */
  get externalIds(): string[] {
    return [...this.#stores].flatMap(([id, { fields }]) => (fields === undefined ? [] : [id]));
  }

  listOf(externalId: string, name: "protocols" | "photos" | "expositions"): readonly JsonObject[] {
    const store = this.#stores.get(externalId);
    return (name === "expositions" ? store?.lists.expositions : store?.[name].rows) ?? [];
  }

  rowsOf(resource: FleetResource): readonly JsonObject[] {
    return [...(this.#lists.get(resource)?.values() ?? [])];
  }

  /** Whether the responses contained a list of the fleet API. */
  has(resource: FleetResource): boolean {
    return this.#lists.has(resource);
  }

  /**
   * Returns the properties of a detail that its row in the list does not have: the list of a seeded server also has
   * them.
   */
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

  /** Returns the options of a server with these rows and readings. The server generates the other data. */
  seed(readings: Readonly<Record<string, unknown>> = {}): SeedOptions {
    this.#addReportedDamages();
    const stores = [...this.#stores].flatMap(
      ([id, store]) => storeSeed(id, store, readings, this.#invented) ?? [],
    );
    // gap lists.fleet-order: the last row was changed first
    const isReversed = readings["lists.fleet-order"] === "last-change";
    const fleet = FLEET_RESOURCES.filter((resource) => this.#isKnown(resource)).map((resource) => {
      const rows = this.#fleetRows(resource);
      return [resource, isReversed ? rows.toReversed() : rows];
    });
    const isSeen = this.#hasStores || stores.length > 0;
    return {
      // rows of responses, checked against the strict schemas
      store: (isSeen ? { stores, storesWithoutId: this.#withoutId.size } : {}) as SeedOptions["store"],
      // one entry for each resource
      fleet: Object.fromEntries(fleet) as SeedOptions["fleet"],
    };
  }

  /** Turns the damages of recorded inspections into separate rows, which name their inspection. */
  #addReportedDamages(): void {
    for (const [inspectionId, { damages }] of this.#details.get("inspections") ?? []) {
      for (const damage of objectsIn(damages)) {
        const own = rowsIn(this.#details, "damages");
        const known = own.get(String(damage["id"])) ?? {};
        const inspection = isObject(known["inspection"]) ? known["inspection"] : { id: inspectionId };
        own.delete(String(damage["id"]));
        addById(own, { ...damage, ...known, inspection });
      }
    }
  }

  /** Returns the lists of which no response is known, and the values that `seed` had to invent. */
  get invented(): string[] {
    const lists = FLEET_RESOURCES.filter((resource) => !this.#isKnown(resource));
    return [...lists, ...[...this.#invented].map(([what, count]) => `${count} ${what}`)];
  }

  #isKnown(resource: FleetResource): boolean {
    return this.#lists.has(resource) || this.#details.has(resource);
  }

  #fleetRows(resource: FleetResource): JsonObject[] {
    const rows = new Map(this.#lists.get(resource));
    for (const [id, detail] of this.#details.get(resource) ?? []) {
      const row = rows.get(id);
      // gap templates.options: the list shows the options in another form
      rows.set(id, resource === "inspectionTemplates" ? { ...row, ...detail } : { ...detail, ...row });
    }
    return [...rows].map(([id, row]) => {
      const detail = this.#details.get(resource)?.get(id);
      return withoutBlanks(withoutComputed(resource, row, detail));
    });
  }
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

/** Returns the rows of a list, to which more can be added. */
function rowsIn(all: Rows, resource: FleetResource): Map<string, JsonObject> {
  const known = all.get(resource) ?? new Map<string, JsonObject>();
  all.set(resource, known);
  return known;
}

function addById(rows: Map<string, JsonObject>, row: JsonObject): void {
  const { id } = row;
  if (isPathId(id) && !rows.has(id)) rows.set(id, row);
}

/** gap fleet.undocumented-responses */
function firstArray(json: JsonObject): unknown {
  return Object.values(json).find((value) => Array.isArray(value));
}
