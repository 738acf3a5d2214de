import type { JsonObject } from "../../../generated/store.ts";
import { parseInstant } from "../server/instants.ts";
import { Random } from "../server/random.ts";
import type { StoreCall } from "../server/call.ts";
import type { Is } from "../server/readings.ts";
import { refuse } from "./errors.ts";
import { compareText, type CursorPage, readPage, rowsOfWalk } from "./pages.ts";

/** A list of a store that is ordered by time. */
interface TimedList<Row> {
  readonly name: string;
  readonly order: "oldest-first" | "newest-first" | "unordered";
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

/** gaps lists.cursor-position, photos.cursor-source */
function correctPage<Row extends { readonly createdAt: string }>(
  call: StoreCall,
  { name, order, rows, id, isListed }: TimedList<Row>,
  cursor: string | undefined,
): CursorPage<Row> {
  const { is, query } = call;
  const compare = comparisonOf(order);
  const sorted = rowsOfWalk(call, name, cursor, () => rows.filter(isListed))
    .map((row) => ({ row, id: String(row[id]), rank: rankOf(row, is) }))
    .toSorted(compare);
  const start = cursor === undefined ? 0 : startOf(sorted, cursor, compare, is);
  const end = start + query.limit;
  const page = sorted.slice(start, end);
  const last = page.at(-1);
  const nextCursor =
    last === undefined || end >= sorted.length
      ? null
      : is("lists.cursor-position", "count")
        ? String(end)
        : `${new Date(last.rank).toISOString()}/${last.id}`;
  return { items: page.map(({ row }) => row), nextCursor };
}

/** gaps protocols.order, photos.order */
function comparisonOf(order: TimedList<unknown>["order"]): (a: Place, b: Place) => number {
  if (order === "unordered") return (a, b) => new Random(0, a.id).fraction() - new Random(0, b.id).fraction();
  const sign = order === "oldest-first" ? 1 : -1;
  return (a, b) => sign * (a.rank - b.rank) || compareText(a.id, b.id);
}

/** gap lists.store-order */
function rankOf(row: JsonObject, is: Is): number {
  const names = is("lists.store-order", "changing")
    ? ["createdAt", "submittedAt", "updatedAt"]
    : ["createdAt"];
  const times = names.map((name) => parseInstant(String(row[name]))).filter((time) => !Number.isNaN(time));
  return Math.max(...times);
}

/** Returns the index of the first row of a page. The ID of a row is also a cursor, and the cursor of a deleted row is valid. */
function startOf(
  rows: readonly Place[],
  cursor: string,
  compare: (a: Place, b: Place) => number,
  is: Is,
): number {
  const slash = cursor.indexOf("/");
  const rank = parseInstant(cursor.slice(0, Math.max(slash, 0)));
  const place = Number.isNaN(rank) ? undefined : { rank, id: cursor.slice(slash + 1) };
  const named = rows.findIndex(({ id }) => id === (place?.id ?? cursor));
  if (named !== -1) return named + (is("lists.cursor-position", "at-entry") ? 0 : 1);
  if (is("lists.cursor-position", "count") && /^\d+$/.test(cursor)) return Number(cursor);
  if (place === undefined) return refuse("cursor", "is not a cursor of this list", is);
  const next = rows.findIndex((row) => compare(row, place) > 0);
  return next === -1 ? rows.length : next;
}
