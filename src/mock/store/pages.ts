import type { StoreCall } from "../server/call.ts";
import { refuse } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import { firstAtLeast } from "../server/rows.ts";

export interface CursorPage<Row> {
  items: Row[];
  nextCursor: string | null;
}

const EMPTY = "empty:";
const CLAMPED = /^clamped:(\d+):(.*)$/s;

/**
 * Reads a page with the paging fault of a call; without one, the correct page.
 *
 * - `repeat-cursor`: every page except the first returns the cursor of its request.
 * - `cycle`: the cursors alternate: A, B, A, B, …
 * - `empty-page`: an empty page comes before every page except the first.
 * - `clamp`: every page after the second is the second again, with a new cursor.
 * - `shift`: rows are added and deleted between the pages.
 */
export function readPage<Row>(
  { paging }: StoreCall,
  cursor: string | undefined,
  read: (cursor: string | undefined) => CursorPage<Row>,
  shift: (applications: number, delivered: readonly Row[]) => void,
): CursorPage<Row> {
  // a cursor that a fault has made stays valid after the fault
  const own = cursor?.replace(/^(?:empty:|clamped:\d+:)/, "");
  if (paging?.kind === "shift") {
    const page = read(own);
    shift(paging.applications, page.items);
    return page;
  }
  if (paging === undefined || cursor === undefined) return read(own);
  switch (paging.kind) {
    case "repeat-cursor":
      return { ...read(own), nextCursor: cursor };
    case "cycle": {
      const { items, nextCursor } = read(own);
      const start = read(undefined).nextCursor;
      return { items, nextCursor: cursor === start ? (nextCursor ?? start) : start };
    }
    case "empty-page":
      if (cursor.startsWith(EMPTY)) return read(own);
      return { items: [], nextCursor: EMPTY + cursor };
    case "clamp": {
      const [, count = "0", second = cursor] = CLAMPED.exec(cursor) ?? [];
      return { ...read(second), nextCursor: `clamped:${Number(count) + 1}:${second}` };
    }
  }
}

/** Compares texts by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

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
export function storePage(call: StoreCall, cursor: string | undefined): CursorPage<StoreRow> {
  const { query, is } = call;
  const order = is("lists.store-order", "fixed") ? orderById(call) : orderByName(call);
  const start = cursor === undefined ? 0 : startOf(order, cursor, is);
  const end = start + query.limit; // the schema sets the default
  const [following] = order.slice(end, end + 1);
  // the stores without an external ID are the last ones under this reading
  const isLast = is("stores.null-cursor", "last-page") && following?.externalId === null;
  const items = order.slice(start, isLast ? undefined : end);
  if (isLast || following === undefined) return { items, nextCursor: null };
  // gaps stores.cursor-start, stores.null-cursor
  const marker = is("stores.cursor-start", "at") ? following : items.at(-1);
  const lastNamed = items.findLast(({ externalId }) => externalId !== null)?.externalId ?? cursor ?? null;
  const instead = is("stores.null-cursor", "last-not-null") ? lastNamed : null;
  return { items, nextCursor: marker?.externalId ?? instead };
}

/** Returns the index of the first store of a page. gaps stores.cursor-start, stores.unknown-cursor */
function startOf({ find }: StoreOrder, cursor: string, is: Is): number {
  const { index, isKnown } = find(cursor);
  if (isKnown) return is("stores.cursor-start", "at") ? index : index + 1;
  if (is("stores.unknown-cursor", "reject")) refuse("cursor", "is not a cursor of this list");
  return is("stores.unknown-cursor", "empty") ? Infinity : index;
}

/** gap lists.store-order */
function orderByName(call: StoreCall): StoreOrder {
  const nameOf = ({ externalId }: StoreRow) =>
    externalId === null ? "\uffff" : String(call.store.stores.read(externalId)?.name);
  const rows = orderById(call)
    .slice(0)
    .toSorted((a, b) => compareText(nameOf(a), nameOf(b)));
  const find = (wanted: string) => {
    const index = rows.findIndex(({ externalId }) => externalId === wanted);
    return { index: index === -1 ? rows.length : index, isKnown: index !== -1 };
  };
  return { slice: (from, to) => rows.slice(from, to), find };
}

/**
 * The order of the external IDs. Stores without one are last, or at the place that they are stored under. gaps
 * stores.null-cursor, stores.null-external-id
 */
function orderById({ store: { stores, storesWithoutId }, is }: StoreCall): StoreOrder {
  const keys = stores.keyList();
  const places = is("stores.null-external-id", "listed") ? storesWithoutId.keyList() : [];
  const named = (key: string): StoreRow => ({ externalId: key, json: stores.readJson(key) });
  const unnamed = (place: string): StoreRow => ({ externalId: null, json: storesWithoutId.readJson(place) });
  const areLast = places.length === 0 || is("stores.null-cursor", "last-page");
  const find = (key: string) => {
    const index = firstAtLeast(keys, key);
    return { index: index + (areLast ? 0 : firstAtLeast(places, key)), isKnown: keys[index] === key };
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
  ].toSorted((a, b) => compareText(a.key, b.key));
  return { slice: (from, to) => mixed.slice(from, to).map(({ key, read }) => read(key)), find };
}
