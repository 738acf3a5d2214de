import { type StoreCall } from "../server/call.ts";
import { refuse } from "../server/exchange.ts";
import { parseInstant } from "../server/instants.ts";
import { compareText, type CursorPage, readPage } from "./pages.ts";

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
  list: TimedList<Row>,
): CursorPage<Row> {
  const { rows, id } = list;
  const { cursor: sent } = call.query;
  const cursor = typeof sent === "string" ? sent : undefined; // an unknown parameter may be an array
  return readPage(
    call,
    cursor,
    (from) => correctPage(call, list, from),
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
  readonly rank: number;
  readonly id: string;
}

/** gaps lists.cursor-position, lists.store-order, photos.cursor-source */
function correctPage<Row extends { readonly createdAt: string }>(
  call: StoreCall,
  { isNewestFirst, rows, id, isListed }: TimedList<Row>,
  cursor: string | undefined,
): CursorPage<Row> {
  const { is, query } = call;
  const sign = isNewestFirst ? -1 : 1;
  const compare = (a: Place, b: Place) => sign * (a.rank - b.rank) || compareText(a.id, b.id);
  const isChanging = is("lists.store-order", "changing");
  const sorted = rows
    .filter(isListed)
    .map((row) => ({
      row,
      id: String(row[id]),
      rank: isChanging ? lastChange(row) : parseInstant(row.createdAt),
    }))
    .toSorted(compare);
  const start = cursor === undefined ? 0 : startOf(sorted, cursor, compare, call);
  const end = start + query.limit;
  const page = sorted.slice(start, end);
  const last = page.at(-1);
  const position = is("lists.cursor-position", "count")
    ? String(end)
    : last && `${new Date(last.rank).toISOString()}/${last.id}`;
  return {
    items: page.map(({ row }) => row),
    nextCursor: last === undefined || end >= sorted.length ? null : (position ?? null),
  };
}

function lastChange(row: object): number {
  const { createdAt, submittedAt, updatedAt } = row as Record<string, unknown>; // the properties of a row are open
  const times = [createdAt, submittedAt, updatedAt].map((time) => parseInstant(String(time)));
  return Math.max(...times.filter((time) => !Number.isNaN(time)));
}

/** Returns the index of the first row of a page. The ID of a row is also a cursor, and the cursor of a deleted row is valid. */
function startOf(
  rows: readonly Place[],
  cursor: string,
  compare: (a: Place, b: Place) => number,
  { is }: StoreCall,
): number {
  const slash = cursor.indexOf("/");
  const rank = parseInstant(cursor.slice(0, Math.max(slash, 0)));
  const place = Number.isNaN(rank) ? undefined : { rank, id: cursor.slice(slash + 1) };
  const named = rows.findIndex(({ id }) => id === (place?.id ?? cursor));
  if (named !== -1) return named + (is("lists.cursor-position", "at-entry") ? 0 : 1);
  if (is("lists.cursor-position", "count") && /^\d+$/.test(cursor)) return Number(cursor);
  if (place === undefined) return refuse("cursor", "is not a cursor of this list");
  const next = rows.findIndex((row) => compare(row, place) > 0);
  return next === -1 ? rows.length : next;
}
