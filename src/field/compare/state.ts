import { type JsonObject, isObject, objectOf, objectsIn } from "../../wire/json.ts";
import type { ReferenceServerOptions } from "../../mock/index.ts";
import { isPathId } from "../../wire/path-segment.ts";
import { FLEET_PATHS, findRoute, type OperationId } from "../routes.ts";
import {
  type Details,
  FLEET_RESOURCES,
  type FleetResource,
  addReportedDamages,
  fleetRows,
} from "./fleet-seed.ts";
import {
  RecordedList,
  type RecordedQuery,
  keyOf,
  numberedPageOf,
  pageOf,
  refreshRow,
} from "./recorded-list.ts";
import { type RecordedRead, RecordedResponses } from "./recorded-responses.ts";
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

/** Collects rows from responses and turns them into the seed of a reference server. */
export class ObservedState {
  readonly #stores = new Map<string, ObservedStore>();
  readonly #listed = new RecordedList();
  readonly #invented: Invented = new Map();
  readonly #lists = new Map<FleetResource, RecordedList>();
  readonly #details: Details = new Map();
  /** The IDs of the responses in vehicles of fields. */
  readonly #fieldResponses = new Set<unknown>();
  /** The responses that a server with these rows can return again. */
  readonly responses = new RecordedResponses();
  #hasStores = false;
  /** The stores and rows that `seed` left out, with the reason. */
  readonly omitted: string[] = [];

  /** Adds a response. Later responses replace earlier ones. */
  add({ api, method, path, query = {}, status, json }: ObservedResponse): void {
    const { operation, params } = findRoute(api, method, path);
    if (operation === undefined) return;
    const read = { api, operation, params, query, json };
    if (method !== "GET" && status < 300) this.responses.forget(api);
    else if (status === 200 && json !== undefined) this.responses.add(read);
    if (isGone(method, status, operation, json)) {
      if (this.#remove(api, path, params)) this.responses.forget(api);
    } else if (status !== 200 || json === undefined) return;
    else if (operation === "listVehicleFieldVehicles") this.#addFieldResponses(json);
    else if (api === "fleet") this.#addFleet(method, path, read);
    else if (isObject(json)) this.#addStore(read, json);
  }

  /** A list that has lost rows shows that the service changed. */
  #noteGone(gone: readonly JsonObject[], read: RecordedRead): void {
    if (gone.length > 0) this.responses.forget(read.api, read);
  }

  /** Returns whether the row was known. */
  #remove(api: "store" | "fleet", path: string, params: Readonly<Record<string, string>>): boolean {
    const { externalId = "", protocolId, id = "" } = params;
    if (api === "fleet") {
      const resource = resourceAt(path.slice(0, path.lastIndexOf("/")));
      if (resource === undefined) return false;
      const isListed = this.#lists.get(resource)?.remove(id).length === 1;
      return this.#details.get(resource)?.delete(id) === true || isListed;
    }
    const store = this.#stores.get(externalId);
    if (protocolId !== undefined) {
      const isListed = store?.protocols.remove(protocolId).length === 1;
      return store?.details.delete(protocolId) === true || isListed;
    }
    if (path.split("/").length !== 4) return false;
    this.#listed.remove(String(store?.fields?.["storeId"]));
    return this.#stores.delete(externalId);
  }

  #addStore(read: RecordedRead, body: JsonObject): void {
    const { operation, query } = read;
    const { externalId = "", protocolId = "" } = read.params;
    if (operation === "listStores") {
      this.#hasStores = true;
      const rows = objectsIn(body["items"]);
      const gone = this.#listed.add({ query, rows, ...pageOf(query, body) });
      for (const row of rows) this.#addFields(row);
      for (const row of gone) this.#stores.delete(String(row["externalId"]));
      this.#noteGone(gone, read);
    } else if (operation === "getStore" || operation === "putStore") this.#addFields(body);
    else if (operation === "getProtocol") {
      const { protocols, details } = this.#storeOf(externalId);
      details.set(protocolId, body);
      protocols.refresh(protocolId, body);
    } else this.#addList(read, externalId, body);
  }

  #addList(read: RecordedRead, externalId: string, body: JsonObject): void {
    const { operation } = read;
    const name = /(contacts|expectations|expositions|protocols|photos)$/i.exec(operation)?.[1]?.toLowerCase();
    if (name === undefined || externalId === "") return;
    const store = this.#storeOf(externalId);
    const given = body["items"] ?? body["photos"] ?? body["data"];
    if (!Array.isArray(given)) return; // gap photos.page-shape
    const rows = objectsIn(given);
    if (operation === "putExpositions") store.upserts.push(rows);
    else if (name !== "protocols" && name !== "photos") {
      store.lists[name as ReplacedList] = rows; // the other names in the pattern
      if (name === "expositions") store.upserts.length = 0;
    } else this.#addPage(store, name, read, rows, body);
  }

  #addPage(
    store: ObservedStore,
    name: "protocols" | "photos",
    read: RecordedRead,
    rows: readonly JsonObject[],
    body: JsonObject,
  ): void {
    const { query } = read;
    const gone = store[name].add({ query, rows, ...pageOf(query, body) });
    if (name === "protocols") {
      for (const row of gone) store.details.delete(keyOf(row));
      for (const row of rows) refreshIn(store.details, keyOf(row), row);
    }
    this.#noteGone(gone, read);
  }

  #storeOf(externalId: string): ObservedStore {
    const known = this.#stores.get(externalId);
    if (known !== undefined) return known;
    const created: ObservedStore = {
      fields: undefined,
      lists: {},
      upserts: [],
      protocols: new RecordedList(),
      photos: new RecordedList(),
      details: new Map(),
    };
    this.#stores.set(externalId, created);
    return created;
  }

  #addFields(row: JsonObject): void {
    const { externalId } = row;
    if (!isPathId(externalId)) return;
    const store = this.#storeOf(externalId);
    store.fields = { ...store.fields, ...row };
  }

  #addFieldResponses(json: unknown): void {
    for (const { latestResponse } of objectsIn(objectOf(json)["data"]))
      if (isObject(latestResponse)) this.#fieldResponses.add(latestResponse["id"]);
  }

  #addFleet(method: string, path: string, read: RecordedRead): void {
    const { query, json } = read;
    const isDetail = /^\/[^/]+\/[^/]+$/.test(path);
    const resource = resourceAt(isDetail ? path.slice(0, path.lastIndexOf("/")) : path);
    if (method === "POST" || resource === undefined) return;
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
    this.#noteGone(gone, read);
  }

  /** Returns the external IDs in the order of the responses. */
  get externalIds(): string[] {
    return [...this.#stores].flatMap(([id, { fields }]) => (fields === undefined ? [] : [id]));
  }

  /** Whether the list of stores has cursors that a server with these stores would not know. */
  get hasOpaqueCursors(): boolean {
    const known = new Set(this.externalIds);
    return this.responses.cursorsOf("listStores").some((cursor) => !known.has(cursor));
  }

  listOf(externalId: string, name: "protocols" | "photos" | "expositions"): readonly JsonObject[] {
    const store = this.#stores.get(externalId);
    return (name === "expositions" ? store?.lists.expositions : store?.[name].rows) ?? [];
  }

  rowsOf(resource: FleetResource): readonly JsonObject[] {
    return this.#lists.get(resource)?.rows ?? [];
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
    addReportedDamages(this.#details);
    const stores = [...this.#stores].flatMap(
      ([id, store]) => storeSeed(id, store, readings, this.#invented, this.omitted) ?? [],
    );
    const unnamed = this.#listed.rows.filter(({ externalId }) => externalId === null).length;
    if (unnamed > 0) this.#invented.set("stores without external ID", unnamed);
    // gap lists.fleet-order: the last row was changed first
    const isReversed = readings["lists.fleet-order"] === "last-change";
    const fleet = FLEET_RESOURCES.filter((resource) => this.#isKnown(resource)).map((resource) => {
      const rows = fleetRows(resource, this.rowsOf(resource), this.#details.get(resource));
      return [resource, isReversed ? rows.toReversed() : rows];
    });
    const isSeen = this.#hasStores || stores.length > 0;
    return {
      // rows of responses, checked against the strict schemas
      store: (isSeen ? { stores, storesWithoutId: unnamed } : {}) as SeedOptions["store"],
      // one entry for each resource
      fleet: Object.fromEntries(fleet) as SeedOptions["fleet"],
    };
  }

  /** Returns the lists of which no response is known, and the values that `seed` had to invent. */
  get invented(): string[] {
    const lists = FLEET_RESOURCES.filter((resource) => !this.#isKnown(resource));
    const isSeen = this.#hasStores || this.externalIds.length > 0;
    return [
      ...(isSeen ? [] : ["stores"]),
      ...lists,
      ...[...this.#invented].map(([what, count]) => `${count} ${what}`),
    ];
  }

  /** The number of responses in vehicles of fields that no inspection has, from which a server computes them. */
  get unknownFieldResponses(): number {
    const inspections = fleetRows(
      "inspections",
      this.rowsOf("inspections"),
      this.#details.get("inspections"),
    );
    const known = new Set(inspections.flatMap(({ responses }) => objectsIn(responses).map(({ id }) => id)));
    return [...this.#fieldResponses].filter((id) => !known.has(id)).length;
  }

  #isKnown(resource: FleetResource): boolean {
    return this.#lists.has(resource) || this.#details.has(resource);
  }
}

/** Whether a response shows that the entity of its path is deleted. */
function isGone(method: string, status: number, operation: OperationId, json: unknown): boolean {
  // a released assignment may still be listed
  if (method === "DELETE") return status >= 200 && status < 300 && operation !== "releaseDriverAssignment";
  // a 404 without the API's form of an error is that of a gateway
  const { error, errors } = objectOf(json);
  const isError = isObject(error) || Array.isArray(errors);
  // gap templates.get-one: a service may have no such path
  return method === "GET" && status === 404 && isError && operation !== "getInspectionTemplate";
}

function resourceAt(path: string): FleetResource | undefined {
  return FLEET_RESOURCES.find((resource) => FLEET_PATHS[resource] === path);
}

function refreshIn(rows: Map<string, JsonObject>, id: string, later: JsonObject): void {
  const row = rows.get(id);
  if (row !== undefined) rows.set(id, refreshRow(row, later));
}

/** gap fleet.undocumented-responses */
function firstArray(json: JsonObject): unknown {
  return Object.values(json).find((value) => Array.isArray(value));
}
