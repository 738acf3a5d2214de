import type { ApiResponse } from "../../http/api-response.ts";
import { firstAtLeast } from "../../seed/seeded-map.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { StoreContext } from "./context.ts";
import { invalidCursor } from "./errors.ts";
import type { CursorPage } from "./faulty-pages.ts";
import { rowsOfWalk } from "./timeline.ts";

/** A store of a page: most stores are already serialized, because an earlier page needed them. */
export interface StoreRow {
  /** The external ID; `null` for a store without one. */
  readonly externalId: string | null;
  readonly json: string;
}

/** The stores in the order of the list; only the stores of a page are serialized. */
interface StoreOrder {
  readonly slice: (from: number, to?: number) => StoreRow[];
  /** Returns the index of the store with this ID, or of the store that follows an unknown ID. */
  readonly find: (externalId: string) => { readonly index: number; readonly isKnown: boolean };
}

/** Returns a page of stores. */
export function storePage(
  context: StoreContext,
  cursor: string | undefined,
): CursorPage<StoreRow> | ApiResponse {
  const { query, readings } = context;
  const order = orderOf(context, cursor);
  const start = cursor === undefined ? 0 : startOf(order, cursor, readings);
  if (start === undefined) return invalidCursor(readings);
  const end = start + query.limit; // the schema sets the default
  const [next] = order.slice(end, end + 1);
  // the stores without an external ID are the last ones under this reading
  const isLast = readings["stores.null-cursor"] === "last-page" && next?.externalId === null;
  const items = order.slice(start, isLast ? undefined : end);
  return { items, nextCursor: nextCursor(context, isLast ? undefined : next, items, cursor) };
}

/** Returns the index of the first store of a page; `undefined` if the cursor is rejected. */
function startOf({ find }: StoreOrder, cursor: string, readings: MockReadings): number | undefined {
  const { index, isKnown } = find(cursor);
  if (isKnown) return readings["stores.cursor-start"] === "at" ? index : index + 1;
  switch (readings["stores.unknown-cursor"]) {
    case "next-greater":
      return index;
    case "reject":
      return undefined;
    case "empty":
      return Infinity;
  }
}

/** gaps stores.cursor-start, stores.null-cursor */
function nextCursor(
  { readings }: StoreContext,
  next: StoreRow | undefined,
  items: readonly StoreRow[],
  cursor: string | undefined,
): string | null {
  if (next === undefined) return null;
  const marker = readings["stores.cursor-start"] === "at" ? next : items.at(-1);
  if (typeof marker?.externalId === "string") return marker.externalId;
  if (readings["stores.null-cursor"] !== "last-not-null") return null;
  return items.findLast(({ externalId }) => externalId !== null)?.externalId ?? cursor ?? null;
}

/** gap lists.store-order */
function orderOf(context: StoreContext, cursor: string | undefined): StoreOrder {
  const byId = orderById(context);
  const reading = context.readings["lists.store-order"];
  if (reading === "fixed") return byId;
  const rows = rowsOfWalk(context, "stores", cursor, () =>
    reading === "changing" ? sortByName(byId.slice(0), context) : byId.slice(0),
  );
  const indexOf = (isFound: (externalId: string) => boolean): number => {
    const index = rows.findIndex(({ externalId }) => externalId !== null && isFound(externalId));
    return index === -1 ? rows.length : index;
  };
  return {
    slice: (from, to) => rows.slice(from, to),
    find: (wanted) => {
      const index = indexOf((id) => id === wanted);
      if (index < rows.length) return { index, isKnown: true };
      // only an order by IDs has a place for an unknown one
      return { index: reading === "snapshot" ? indexOf((id) => id > wanted) : index, isKnown: false };
    },
  };
}

/**
 * The order of the external IDs. Stores without one are last, or at the place that they are stored under. gaps
 * stores.null-cursor, stores.null-external-id
 */
function orderById({ data, readings }: StoreContext): StoreOrder {
  const { stores, storesWithoutId } = data;
  const keys = stores.keyList();
  const places = readings["stores.null-external-id"] === "listed" ? storesWithoutId.keyList() : [];
  const named = (key: string): StoreRow => ({ externalId: key, json: stores.readJson(key) });
  const unnamed = (place: string): StoreRow => ({ externalId: null, json: storesWithoutId.readJson(place) });
  const areLast = places.length === 0 || readings["stores.null-cursor"] === "last-page";
  const find = (key: string) => {
    const index = firstAtLeast(keys, key);
    const placesBefore = areLast ? 0 : firstAtLeast(places, key);
    return { index: index + placesBefore, isKnown: keys[index] === key };
  };
  if (areLast) {
    const placesFrom = (index: number) => Math.max(index - keys.length, 0);
    const slice = (from: number, to = Infinity) => [
      ...keys.slice(from, to).map(named),
      ...places.slice(placesFrom(from), placesFrom(to)).map(unnamed),
    ];
    return { slice, find };
  }
  const mixed = [
    ...keys.map((key) => ({ key, read: named })),
    ...places.map((key) => ({ key, read: unnamed })),
  ];
  mixed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return { slice: (from, to) => mixed.slice(from, to).map(({ key, read }) => read(key)), find };
}

function sortByName(rows: StoreRow[], { data }: StoreContext): StoreRow[] {
  const nameOf = ({ externalId }: StoreRow) =>
    externalId === null ? "\uffff" : String(data.stores.read(externalId)?.name);
  return rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))));
}
