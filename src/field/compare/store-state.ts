import { type JsonObject, isObject, objectsIn } from "../../wire/json.ts";
import { isPathId } from "../../wire/path-segment.ts";
import { RecordedList, keyOf, pageOf, refreshIn } from "./recorded-list.ts";
import type { RecordedRead } from "./recorded-responses.ts";
import { type Invented, type ObservedStore, type ReplacedList, storeSeed } from "./store-seed.ts";

/** The stores in responses of the store API. */
export class ObservedStores {
  readonly #stores = new Map<string, ObservedStore>();
  readonly #listed = new RecordedList();
  readonly #invented: Invented = new Map();
  #isListed = false;
  /** The stores and rows that `seed` left out, with the reason. */
  readonly omitted: string[] = [];

  /** Adds a response. Returns the rows that the list no longer has. */
  add(read: RecordedRead): JsonObject[] {
    const { operation, query, json: body } = read;
    if (!isObject(body)) return [];
    const { externalId = "", protocolId = "" } = read.params;
    if (operation === "listStores") {
      this.#isListed = true;
      const rows = objectsIn(body["items"]);
      const gone = this.#listed.add({ query, rows, ...pageOf(query, body) });
      for (const row of rows) this.#addFields(row);
      for (const row of gone) this.#stores.delete(String(row["externalId"]));
      return gone;
    }
    if (operation === "getStore" || operation === "putStore") this.#addFields(body);
    else if (operation === "getProtocol") {
      const { protocols, details } = this.#storeOf(externalId);
      details.set(protocolId, body);
      protocols.refresh(protocolId, body);
    } else return this.#addList(read, externalId, body);
    return [];
  }

  /** Removes a store or a protocol. Returns whether it was known. */
  remove(path: string, { externalId = "", protocolId }: Readonly<Record<string, string>>): boolean {
    const store = this.#stores.get(externalId);
    if (protocolId !== undefined) {
      const isListed = store?.protocols.remove(protocolId).length === 1;
      return store?.details.delete(protocolId) === true || isListed;
    }
    if (path.split("/").length !== 4) return false;
    this.#listed.remove(String(store?.fields?.["storeId"]));
    return this.#stores.delete(externalId);
  }

  #addList({ operation, query }: RecordedRead, externalId: string, body: JsonObject): JsonObject[] {
    const name = /(contacts|expectations|expositions|protocols|photos)$/i.exec(operation)?.[1]?.toLowerCase();
    const given = body["items"] ?? body["photos"] ?? body["data"]; // gap photos.page-shape
    if (name === undefined || externalId === "") return [];
    const store = this.#storeOf(externalId);
    if (!Array.isArray(given)) return [];
    const rows = objectsIn(given);
    if (operation === "putExpositions") store.upserts.push(rows);
    else if (name === "protocols" || name === "photos") {
      const gone = store[name].add({ query, rows, ...pageOf(query, body) });
      if (name === "photos") return gone;
      for (const row of gone) store.details.delete(keyOf(row));
      for (const row of rows) refreshIn(store.details, keyOf(row), row);
      return gone;
    } else {
      store.lists[name as ReplacedList] = rows; // the other names in the pattern
      if (name === "expositions") store.upserts.length = 0;
    }
    return [];
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

  /** Returns the external IDs in the order of the responses. */
  get externalIds(): string[] {
    return [...this.#stores].flatMap(([id, { fields }]) => (fields === undefined ? [] : [id]));
  }

  /** Whether a response had stores, or the list of them. */
  get isSeen(): boolean {
    return this.#isListed || this.externalIds.length > 0;
  }

  listOf(externalId: string, name: "protocols" | "photos" | "expositions"): readonly JsonObject[] {
    const store = this.#stores.get(externalId);
    return (name === "expositions" ? store?.lists.expositions : store?.[name].rows) ?? [];
  }

  /** Returns the stores for a server; `undefined` if no response had any. */
  seed(readings: Readonly<Record<string, unknown>>) {
    const stores = [...this.#stores].flatMap(
      ([id, store]) => storeSeed(id, store, readings, this.#invented, this.omitted) ?? [],
    );
    const storesWithoutId = this.#listed.rows.filter(({ externalId }) => externalId === null).length;
    if (storesWithoutId > 0) this.#invented.set("stores without external ID", storesWithoutId);
    return this.#isListed || stores.length > 0 ? { stores, storesWithoutId } : undefined;
  }

  /** The values that `seed` had to invent. */
  get invented(): string[] {
    return [...this.#invented].map(([what, count]) => `${count} ${what}`);
  }
}
