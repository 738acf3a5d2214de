import { type ApiResponse, RawJson, ok } from "../../kernel/api-response.ts";
import { type CursorPage, readPage } from "./faulty-pages.ts";
import { firstAtLeast } from "../../seed/seeded-map.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { invalid } from "./errors.ts";
import { requireStore, storeOf } from "./path-ids.ts";
import { NAMELESS_KEY } from "./seed/seed.ts";
import { checkUpsert, upsertStore } from "./store-upsert.ts";

/** `GET /v1/stores` */
export const listStores: StoreHandler = {
  run: (context) => {
    const cursor = context.query.cursor as string | undefined;
    const read = (from: string | undefined) => pageOf(context, from);
    const page = readPage(context.paging, cursor, read, (turn, rows) => shiftStores(context, turn, rows));
    return "status" in page ? page : ok(pageJson(page));
  },
};

/** `GET /v1/stores/{externalId}` */
export const getStore: StoreHandler = {
  find: requireStore,
  run: (context) => ok(storeOf(context)),
};

/** `PUT /v1/stores/{externalId}` */
export const putStore: StoreHandler = {
  check: checkUpsert,
  run: (context) => ok(upsertStore(context)),
};

/** A store of a page: most have their JSON already, because an earlier page needed it. */
interface StoreJson {
  readonly key: string;
  readonly json: string;
}

function pageJson({ items, nextCursor: cursor }: CursorPage<StoreJson>): RawJson {
  const stores = items.map(({ json }) => json).join(",");
  return new RawJson(`{"items":[${stores}],"nextCursor":${JSON.stringify(cursor)}}`);
}

function pageOf(context: StoreContext, cursor: string | undefined): CursorPage<StoreJson> | ApiResponse {
  const { data, query, readings } = context;
  const limit = query.limit as number; // the schema sets the default
  const keys = data.stores.keyList();
  const start = cursor === undefined ? 0 : startOf(context, keys, cursor);
  if (start === undefined)
    return invalid([{ path: "cursor", message: "is not the cursor of a page" }], readings);
  const end = Math.min(start + limit, countOf(context, keys));
  const items = keys.slice(start, end).map((key) => ({ key, json: data.stores.json(key) }));
  return { items, nextCursor: end < countOf(context, keys) ? nextCursor(context, keys, end) : null };
}

/** Returns where a page begins; nothing for a rejected cursor. gaps stores.cursor-start, stores.unknown-cursor */
function startOf({ readings }: StoreContext, keys: readonly string[], cursor: string): number | undefined {
  const at = firstAtLeast(keys, cursor);
  if (keys[at] === cursor) return readings["stores.cursor-start"] === "at" ? at : at + 1;
  switch (readings["stores.unknown-cursor"]) {
    case "next-greater":
      return at;
    case "empty":
      return keys.length;
    case "reject":
      return undefined;
  }
}

/** gap stores.cursor-start */
function nextCursor({ readings }: StoreContext, keys: readonly string[], end: number): string {
  return keys[readings["stores.cursor-start"] === "at" ? end : end - 1] as string;
}

/** gap stores.null-external-id */
function countOf({ readings }: StoreContext, keys: readonly string[]): number {
  const nameless = keys.at(-1) === NAMELESS_KEY && readings["stores.null-external-id"] === "never-listed";
  return nameless ? keys.length - 1 : keys.length;
}

/** Between two pages: adds a store before all others, or deletes the store that was delivered last. */
function shiftStores({ data, ids }: StoreContext, turn: number, delivered: readonly StoreJson[]): void {
  const key = delivered.at(-1)?.key;
  const last = key === undefined ? undefined : data.stores.read(key);
  if (key === undefined || last === undefined || last.externalId === null) return;
  if (turn % 2 === 0) {
    data.stores.delete(key);
    return;
  }
  const externalId = `!${turn}`;
  data.stores.set(externalId, { ...structuredClone(last), externalId, storeId: ids.uuid() });
}
