import type { StoreCall } from "../server/call.ts";
import { refuse } from "../server/exchange.ts";
import { parseInstant } from "../server/clock.ts";
import { firstAtLeast } from "../server/rows.ts";

export interface CursorPage<Row> {
  items: Row[];
  nextCursor: string | null;
}

/** For each server: the cursors that a paging fault made up, and the cursor of the list that each replaces. */
const faultCursors = new WeakMap<StoreCall["server"], Map<string, string>>();

/**
 * Reads a page with the paging fault of a call; without one, the correct page.
 *
 * - `repeat-cursor`: every page except the first returns the cursor of its request.
 * - `cycle`: the cursors alternate: A, B, A, B, …
 * - `empty-page`: an empty page comes before every page except the first.
 * - `clamp`: every page after the second is the second again, with a new cursor.
 * - `shift`: rows are added and deleted between the pages.
 */
function readPage<Row>(
  { paging, server }: StoreCall,
  cursor: string | undefined,
  read: (cursor: string | undefined) => CursorPage<Row>,
  shift: (applications: number, delivered: readonly Row[]) => void,
): CursorPage<Row> {
  const made = faultCursors.get(server) ?? new Map<string, string>();
  // a cursor that a fault has made stays valid after the fault
  const own = cursor === undefined ? undefined : (made.get(cursor) ?? cursor);
  if (paging?.kind === "shift") {
    const page = read(own);
    shift(paging.applications, page.items);
    return page;
  }
  if (paging === undefined || cursor === undefined || own === undefined) return read(own);
  const newCursor = (): string => {
    const text = server.ids.uuid(); // a text of the cursor could be an external ID
    faultCursors.set(server, made.set(text, own));
    return text;
  };
  switch (paging.kind) {
    case "repeat-cursor":
      return { ...read(own), nextCursor: cursor };
    case "cycle": {
      const { items, nextCursor } = read(own);
      const start = read(undefined).nextCursor;
      return { items, nextCursor: cursor === start ? (nextCursor ?? start) : start };
    }
    case "empty-page":
      return own === cursor ? { items: [], nextCursor: newCursor() } : read(own);
    case "clamp":
      return { ...read(own), nextCursor: newCursor() };
  }
}

/** A store of a page: most stores are already serialized, because an earlier page needed them. */
interface StoreRow {
  /** The external ID; `null` for a store without one. */
  readonly externalId: string | null;
  readonly json: string;
}

/** Returns one page of stores, with a paging fault. */
export function storePage(call: StoreCall): CursorPage<StoreRow> {
  return readPage(
    call,
    call.query.cursor,
    (cursor) => correctStorePage(call, cursor),
    (applications, rows) => shiftStores(call, applications, rows),
  );
}

/** gaps stores.cursor-start, stores.null-cursor, stores.null-external-id */
function correctStorePage(call: StoreCall, cursor: string | undefined): CursorPage<StoreRow> {
  const { query, is, store } = call;
  const { stores, storesWithoutId } = store;
  const named = stores.keyList();
  const places = is("stores.null-external-id", "listed") ? storesWithoutId.keyList() : [];
  const areLast = is("stores.null-cursor", "last-page");
  const all = places.length === 0 ? named : [...named, ...places];
  const keys = areLast || all === named ? all : all.toSorted();
  const start = cursor === undefined ? 0 : startOf(call, areLast ? named : keys, cursor);
  const end = start + query.limit; // the schema sets the default
  const following = keys[end];
  const isLast = areLast && following !== undefined && storesWithoutId.has(following);
  const items = keys.slice(start, isLast ? undefined : end).map((key) => storeRow(store, key));
  if (isLast || following === undefined) return { items, nextCursor: null };
  const marker = is("stores.cursor-start", "at") ? storeRow(store, following) : items.at(-1);
  const lastNamed = items.findLast(({ externalId }) => externalId !== null)?.externalId ?? cursor ?? null;
  const instead = is("stores.null-cursor", "last-not-null") ? lastNamed : null;
  return { items, nextCursor: marker?.externalId ?? instead };
}

function storeRow({ stores, storesWithoutId }: StoreCall["store"], key: string): StoreRow {
  return storesWithoutId.has(key)
    ? { externalId: null, json: storesWithoutId.readJson(key) }
    : { externalId: key, json: stores.readJson(key) };
}

/** Returns the index of the first store after a cursor. gaps stores.cursor-start, stores.unknown-cursor */
function startOf({ is }: StoreCall, sorted: readonly string[], cursor: string): number {
  const index = firstAtLeast(sorted, cursor);
  if (sorted[index] === cursor) return is("stores.cursor-start", "at") ? index : index + 1;
  if (is("stores.unknown-cursor", "reject")) refuse("cursor", "is not a cursor of this list");
  return is("stores.unknown-cursor", "empty") ? Infinity : index;
}

/** Changes the list between two pages: adds a store before all others, or deletes the store that was returned last. */
function shiftStores(
  { store: { stores }, server }: StoreCall,
  applications: number,
  delivered: readonly StoreRow[],
): void {
  const key = delivered.findLast(({ externalId }) => externalId !== null)?.externalId ?? "";
  const last = stores.read(key);
  if (last === undefined) return;
  if (applications % 2 === 0) stores.delete(key);
  else {
    const externalId = `!${applications}`;
    stores.set(externalId, { ...structuredClone(last), externalId, storeId: server.ids.uuid() });
  }
}

/** A list of a store that is ordered by time. */
interface TimedList<Row> {
  readonly isNewestFirst: boolean;
  /** All rows of the store; the paging fault `shift` changes them. */
  readonly rows: Row[];
  /** The property with the ID of a row. */
  readonly id: keyof Row & string;
  readonly isListed: (row: Row) => boolean;
}

/** Returns one page of a list, with a paging fault. */
export function timedPage<Row extends { readonly createdAt: string }>(
  call: StoreCall,
  cursor: unknown,
  list: TimedList<Row>,
): CursorPage<Row> {
  const { rows, id } = list;
  return readPage(
    call,
    typeof cursor === "string" ? cursor : undefined, // an unknown parameter may be an array
    (from) => correctTimedPage(call, list, from),
    (applications, delivered) => {
      const [first, last] = [delivered.at(0), delivered.at(-1)];
      if (first === undefined || last === undefined) return;
      if (applications % 2 === 0) rows.splice(rows.indexOf(last), 1);
      else rows.unshift({ ...structuredClone(first), [id]: `!${call.server.ids.uuid()}` });
    },
  );
}

/** The place of a row in its list. */
interface Place {
  readonly time: number;
  readonly id: string;
}

/** gaps lists.cursor-position, photos.cursor-source */
function correctTimedPage<Row extends { readonly createdAt: string }>(
  call: StoreCall,
  { isNewestFirst, rows, id, isListed }: TimedList<Row>,
  cursor: string | undefined,
): CursorPage<Row> {
  const sign = isNewestFirst ? -1 : 1;
  const compare = (a: Place, b: Place) =>
    sign * (a.time - b.time) || (a.id < b.id ? -1 : Number(a.id > b.id));
  const sorted = rows
    .filter(isListed)
    .map((row) => ({ row, id: String(row[id]), time: parseInstant(row.createdAt) }))
    .toSorted(compare);
  const start = cursor === undefined ? 0 : startAfter(sorted, cursor, compare, call);
  const end = start + call.query.limit;
  const page = sorted.slice(start, end);
  const items = page.map(({ row }) => row);
  const last = page.at(-1);
  if (last === undefined || end >= sorted.length) return { items, nextCursor: null };
  const isCount = call.is("lists.cursor-position", "count");
  return { items, nextCursor: isCount ? String(end) : `${new Date(last.time).toISOString()}/${last.id}` };
}

/** Returns the index of the first row of a page. The ID of a row is also a cursor, and the cursor of a deleted row is valid. */
function startAfter(
  rows: readonly Place[],
  cursor: string,
  compare: (a: Place, b: Place) => number,
  { is }: StoreCall,
): number {
  const slash = cursor.indexOf("/");
  const time = parseInstant(cursor.slice(0, Math.max(slash, 0)));
  const place = Number.isNaN(time) ? undefined : { time, id: cursor.slice(slash + 1) };
  const named = rows.findIndex(({ id }) => id === (place?.id ?? cursor));
  if (named !== -1) return named + (is("lists.cursor-position", "at-entry") ? 0 : 1);
  if (is("lists.cursor-position", "count") && /^\d+$/.test(cursor)) return Number(cursor);
  if (place === undefined) return refuse("cursor", "is not a cursor of this list");
  const next = rows.findIndex((row) => compare(row, place) > 0);
  return next === -1 ? rows.length : next;
}
