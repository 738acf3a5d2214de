import { storesOfPage } from "../responses.ts";

/** The pages of the stub. */
export const pageSize = 100;

const placeholder = "@";

/** The texts of a few stores, each split at its ID, because every store of a walk has a different ID. */
const texts = storesOfPage(0, pageSize).map((store) =>
  JSON.stringify({ ...store, id: placeholder, storeId: placeholder, externalId: placeholder }).split(
    placeholder,
  ),
);

/** A `fetch` that returns the given number of stores in pages, as text to be parsed. A cursor is a position. */
export function pagesFetch(stores: number): (url: string) => Promise<Response> {
  const headers = { "content-type": "application/json" };
  return async (url) => {
    const start = Number(/[?&]cursor=(\d+)/.exec(url)?.[1] ?? 0);
    const limit = Number(/[?&]limit=(\d+)/.exec(url)?.[1] ?? pageSize);
    const end = Math.min(start + limit, stores);
    const items: string[] = [];
    for (let at = start; at < end; at += 1) items.push((texts[at % pageSize] as string[]).join(`S-${at}`)); // one text for each store of a page
    const cursor = end < stores ? `"${end}"` : "null";
    return new Response(`{"items":[${items.join()}],"nextCursor":${cursor}}`, { headers });
  };
}
