import { type JsonObject, isObject, objectsIn } from "../../wire/json.ts";
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

const FLEET_LISTS = {
  listVehicles: "vehicles",
  listVehicleGroups: "vehicleGroups",
  listVehicleFields: "vehicleFields",
  listInspections: "inspections",
  listInspectionTemplates: "inspectionTemplates",
  listDamages: "damages",
  listDriverAssignments: "driverAssignments",
} as const;

const FLEET_DETAILS: Readonly<Record<string, FleetResource>> = {
  getVehicle: "vehicles",
  getVehicleGroup: "vehicleGroups",
  getInspection: "inspections",
  getInspectionTemplate: "inspectionTemplates",
  getDamage: "damages",
  getDriverAssignment: "driverAssignments",
};

/** A list of the fleet API. */
export type FleetResource = (typeof FLEET_LISTS)[keyof typeof FLEET_LISTS];

/** Collects rows from responses and turns them into the seed of a reference server. */
export class ObservedState {
  readonly #stores = new Map<string, ObservedStore>();
  readonly #withoutId = new Set<string>();
  readonly #invented: Invented = new Map();
  #hasStores = false;
  readonly #lists = new Map<FleetResource, Map<string, JsonObject>>();
  readonly #details = new Map<FleetResource, Map<string, JsonObject>>();

  add({ api, method, path, query = {}, status, json }: ObservedResponse): void {
    if (status !== 200 || json === undefined) return;
    const { operation, params } = findRoute(api, method, path);
    if (operation === undefined) return;
    if (api === "fleet") this.#addFleet(operation, json);
    else if (isObject(json)) this.#addStore(operation, params, query, json);
  }

  #addStore(
    operation: string,
    { externalId = "", protocolId = "" }: Readonly<Record<string, string>>,
    query: RecordedQuery,
    body: JsonObject,
  ): void {
    switch (operation) {
      case "listStores":
        this.#hasStores = true;
        for (const row of objectsIn(body["items"])) this.#addFields(row);
        return;
      case "getStore":
      case "putStore":
        this.#addFields(body);
        return;
      case "getProtocol":
        this.#storeOf(externalId).details.set(protocolId, body);
        return;
      default:
        this.#addList(operation, externalId, query, body);
    }
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

  #addFleet(operation: string, json: unknown): void {
    const resource = (FLEET_LISTS as Readonly<Record<string, FleetResource>>)[operation];
    if (resource !== undefined) {
      const rows = isObject(json) ? (json["data"] ?? firstArray(json)) : json;
      const own = this.#lists.get(resource) ?? new Map<string, JsonObject>();
      this.#lists.set(resource, own);
      for (const row of objectsIn(rows)) addById(own, row);
    }
    const detail = FLEET_DETAILS[operation];
    if (detail === undefined || !isObject(json)) return;
    const own = this.#details.get(detail) ?? new Map<string, JsonObject>();
    this.#details.set(detail, own);
    addById(own, isObject(json["data"]) ? json["data"] : json);
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
    const known = Array.isArray(row["groupIds"]) ? (row["groupIds"] as unknown[]) : [];
    row["groupIds"] = [...new Set([...known, groupId])];
  }

  /** Returns the options of a server with these rows and readings. The server generates the other data. */
  seed(readings: Readonly<Record<string, unknown>> = {}): SeedOptions {
    this.#addReportedDamages();
    const stores = [...this.#stores].flatMap(
      ([id, store]) => storeSeed(id, store, readings, this.#invented) ?? [],
    );
    const fleet = [...new Set([...this.#lists.keys(), ...this.#details.keys()])].map((resource) => [
      resource,
      // gap lists.fleet-order: the last row was changed first
      readings["lists.fleet-order"] === "last-change"
        ? this.#fleetRows(resource).toReversed()
        : this.#fleetRows(resource),
    ]);
    const isSeen = this.#hasStores || stores.length > 0;
    return {
      // rows of responses, checked against the strict schemas
      store: (isSeen ? { stores, storesWithoutId: this.#withoutId.size } : {}) as SeedOptions["store"],
      fleet: Object.fromEntries(fleet) as SeedOptions["fleet"],
    };
  }

  /** Turns the damages of recorded inspections into separate rows, which name their inspection. */
  #addReportedDamages(): void {
    for (const [inspectionId, { damages }] of this.#details.get("inspections") ?? []) {
      for (const damage of objectsIn(damages)) {
        const own = this.#details.get("damages") ?? new Map<string, JsonObject>();
        this.#details.set("damages", own);
        const known = own.get(String(damage["id"])) ?? {};
        const inspection = isObject(known["inspection"]) ? known["inspection"] : { id: inspectionId };
        own.delete(String(damage["id"]));
        addById(own, { ...damage, ...known, inspection });
      }
    }
  }

  /** Returns the lists of which no response is known, and the values that `seed` had to invent. */
  get invented(): string[] {
    const known = new Set([...this.#lists.keys(), ...this.#details.keys()]);
    const lists = Object.values(FLEET_LISTS).filter((resource) => !known.has(resource));
    return [...lists, ...[...this.#invented].map(([what, count]) => `${count} ${what}`)];
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
  const blanks = Object.entries(row).filter(([, value]) => isObject(value) && value["id"] === "");
  return without(
    row,
    blanks.map(([name]) => name),
  );
}

/** Properties that a server computes: counts, and the damages of an inspection, which are separate rows. */
function withoutComputed(resource: FleetResource, row: JsonObject, detail: JsonObject = {}): JsonObject {
  if (resource === "inspections") return without(row, ["damages"]);
  if (resource !== "inspectionTemplates") return row;
  const counts = ["itemCount", "inspectionCount"].filter((name) => !Object.hasOwn(detail, name));
  return without(row, counts);
}

function without(row: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

function addById(rows: Map<string, JsonObject>, row: JsonObject): void {
  const { id } = row;
  if (isPathId(id) && !rows.has(id)) rows.set(id, row);
}

/** gap fleet.undocumented-responses */
function firstArray(json: JsonObject): unknown {
  return Object.values(json).find((value) => Array.isArray(value));
}
