import { SerializedJson, ok } from "../../http/api-response.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { type CursorPage, readPage } from "./faulty-pages.ts";
import { requireStore, storeOf } from "./path-ids.ts";
import { type StoreRow, storePage } from "./store-page.ts";
import { checkUpsert, findReferences, upsertStore } from "./store-upsert.ts";

/** `GET /v1/stores` */
export const listStores: StoreHandler = {
  run: (context) => {
    const read = (cursor: string | undefined) => storePage(context, cursor);
    const page = readPage(context.paging, context.query.cursor, read, (applications, rows) =>
      shiftStores(context, applications, rows),
    );
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
  find: findReferences,
  check: checkUpsert,
  run: (context) => ok(upsertStore(context)),
};

function pageJson({ items, nextCursor }: CursorPage<StoreRow>): SerializedJson {
  const stores = items.map(({ json }) => json).join(",");
  return new SerializedJson(`{"items":[${stores}],"nextCursor":${JSON.stringify(nextCursor)}}`);
}

/** Changes the list between two pages: adds a store before all others, or deletes the store that was returned last. */
function shiftStores(
  { data, ids }: StoreContext,
  applications: number,
  delivered: readonly StoreRow[],
): void {
  const key = delivered.findLast(({ externalId }) => externalId !== null)?.externalId;
  const last = typeof key === "string" ? data.stores.read(key) : undefined;
  if (typeof key !== "string" || last === undefined) return;
  if (applications % 2 === 0) {
    data.stores.delete(key);
    return;
  }
  const externalId = `!${applications}`;
  data.stores.set(externalId, { ...structuredClone(last), externalId, storeId: ids.uuid() });
}
