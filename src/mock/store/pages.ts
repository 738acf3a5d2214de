import type { Store } from "../../../generated/store.ts";
import type { StoreCall } from "../server/call.ts";
import { refuse } from "../server/exchange.ts";
import { parseInstant } from "../server/clock.ts";
import { firstAtLeast } from "../server/rows.ts";

export interface CursorPage<Row> {
  items: Row[];
  nextCursor: string | null;
}

/** What precedes the cursor of the list in one that a paging fault makes from it. */
const MADE = /^again-\d+:/;

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
  { paging }: StoreCall,
  cursor: string | undefined,
  read: (cursor: string | undefined) => CursorPage<Row>,
  shift: (applications: number, delivered: readonly Row[]) => void,
): CursorPage<Row> {
  // a cursor that a fault has made stays valid after the fault
  const own = cursor?.replace(MADE, "");
  const page = read(own);
  if (paging?.kind === "shift") shift(paging.applications, page.items);
  if (paging === undefined || paging.kind === "shift" || cursor === undefined) return page;
  const made = `again-${paging.applications}:${own}`;
  switch (paging.kind) {
    case "repeat-cursor":
      return { ...page, nextCursor: cursor };
    case "cycle": {
      const start = read(undefined).nextCursor;
      return { ...page, nextCursor: cursor === start ? (page.nextCursor ?? start) : start };
    }
    case "empty-page":
      return MADE.test(cursor) ? page : { items: [], nextCursor: made };
    case "clamp":
      return { ...page, nextCursor: made };
  }
}

/** Returns one page of stores, with a paging fault. */
export function storePage(call: StoreCall): CursorPage<Store> {
  return readPage(
    call,
    call.query.cursor,
    (cursor) => correctStorePage(call, cursor),
    (applications, rows) => shiftStores(call, applications, rows),
  );
}

/** gaps stores.cursor-start, stores.null-cursor, stores.null-external-id */
function correctStorePage(call: StoreCall, cursor: string | undefined): CursorPage<Store> {
  const { query, is } = call;
  const { stores, storesWithoutId } = call.store;
  const named = stores.keyList();
  const places = is("stores.null-external-id", "listed") ? storesWithoutId.keyList() : [];
  const areLast = is("stores.null-cursor", "last-page");
  const all = places.length === 0 ? named : [...named, ...places];
  const keys = areLast || all === named ? all : all.toSorted();
  const storeOf = (key: string) => (stores.get(key) ?? storesWithoutId.get(key)) as Store; // it is one of the keys
  const start = cursor === undefined ? 0 : startOf(call, areLast ? named : keys, cursor);
  const end = start + query.limit; // the schema sets the default
  const following = keys[end];
  const isLast = areLast && following !== undefined && storesWithoutId.has(following);
  const items = keys.slice(start, isLast ? undefined : end).map(storeOf);
  if (isLast || following === undefined) return { items, nextCursor: null };
  const marker = is("stores.cursor-start", "at") ? storeOf(following) : items.at(-1);
  const lastNamed = items.findLast(({ externalId }) => externalId !== null)?.externalId ?? cursor ?? null;
  const instead = is("stores.null-cursor", "last-not-null") ? lastNamed : null;
  return { items, nextCursor: marker?.externalId ?? instead };
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
  delivered: readonly Store[],
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
