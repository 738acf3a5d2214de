import { parseInstant } from "../../../wire/instants.ts";
import { Random } from "../../../wire/random.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { ApiResponse } from "../../http/api-response.ts";
import type { StoreContext } from "./context.ts";
import { invalidCursor } from "./errors.ts";
import { type CursorPage, readPage } from "./faulty-pages.ts";

/** A row of a list that is ordered by time. */
interface Timed {
  readonly createdAt: string;
}

/** The place of a row in its list. */
interface Place {
  readonly rank: number;
  readonly id: string;
}

type Order = "oldest-first" | "newest-first" | "unordered";

/** A list of a store that is ordered by time. */
interface TimedList<Row> {
  readonly name: string;
  readonly order: Order;
  /** All rows of the store; the paging fault `shift` changes them. */
  readonly rows: Row[];
  readonly id: keyof Row & string;
  readonly isListed: (row: Row) => boolean;
}

/** Reads one page of a list, with a paging fault. `nextPage` is the reading of gap protocols.next-page. */
export function timedPage<Row extends Timed>(
  context: StoreContext,
  { name, order, rows, id, isListed }: TimedList<Row>,
  nextPage: MockReadings["protocols.next-page"] = "cursor",
): CursorPage<Row> | ApiResponse {
  const { query, readings, ids, paging } = context;
  const read = (cursor: string | undefined): CursorPage<Row> | ApiResponse => {
    const listed = rowsOfWalk(context, name, cursor, () => rows.filter(isListed));
    const timeline = new Timeline(listed, (row) => String(row[id]), order, readings);
    const page = timeline.page(nextPage === "cursor" ? cursor : undefined, query.limit);
    if (page === undefined) return invalidCursor(readings);
    if (page.nextCursor === null || nextPage !== "ignored-new-cursor") return page;
    return { ...page, nextCursor: ids.uuid() };
  };
  const cursor = typeof query.cursor === "string" ? query.cursor : undefined; // an unknown parameter may be an array
  return readPage(paging, cursor, read, (applications, delivered) => {
    const [first, last] = [delivered.at(0), delivered.at(-1)];
    if (first === undefined || last === undefined) return;
    if (applications % 2 === 0) rows.splice(rows.indexOf(last), 1);
    else rows.unshift({ ...structuredClone(first), [id]: `!${ids.uuid()}` });
  });
}

/** Rows in the order of a list. */
class Timeline<Row extends Timed> {
  readonly #rows: readonly (Place & { readonly row: Row })[];
  readonly #compare: (a: Place, b: Place) => number;
  readonly #position: MockReadings["lists.cursor-position"];

  constructor(rows: readonly Row[], idOf: (row: Row) => string, order: Order, readings: MockReadings) {
    this.#compare = COMPARE[order];
    this.#position = readings["lists.cursor-position"];
    this.#rows = rows
      .map((row) => ({ row, id: idOf(row), rank: rankOf(row, readings) }))
      .toSorted(this.#compare);
  }

  /** Returns the rows of the page that a cursor names, or of the first page; `undefined` for an invalid cursor. */
  page(cursor: string | undefined, limit: number): CursorPage<Row> | undefined {
    const start = cursor === undefined ? 0 : this.#startOf(cursor);
    if (start === undefined) return undefined;
    const end = start + limit;
    const page = this.#rows.slice(start, end);
    const last = page.at(-1);
    const nextCursor = end < this.#rows.length && last !== undefined ? this.#cursorAt(end, last) : null;
    return { items: page.map(({ row }) => row), nextCursor };
  }

  /** gap lists.cursor-position */
  #cursorAt(end: number, last: Place): string {
    return this.#position === "count" ? String(end) : formatCursor(last);
  }

  /**
   * Returns the index of the first row of a page. The ID of a row is also a cursor, and the cursor of a deleted row is
   * valid. gaps lists.cursor-position, photos.cursor-source
   */
  #startOf(cursor: string): number | undefined {
    const place = parseCursor(cursor);
    const named = this.#rows.findIndex(({ id }) => id === (place?.id ?? cursor));
    if (named !== -1) return named + (this.#position === "at-entry" ? 0 : 1);
    if (this.#position === "count" && /^\d+$/.test(cursor)) return Number(cursor);
    if (place === undefined) return undefined;
    const next = this.#rows.findIndex((row) => this.#compare(row, place) > 0);
    return next === -1 ? this.#rows.length : next;
  }
}

/** gaps protocols.order, photos.order */
const COMPARE: Record<Order, (a: Place, b: Place) => number> = {
  "oldest-first": (a, b) => a.rank - b.rank || compareText(a.id, b.id),
  "newest-first": (a, b) => b.rank - a.rank || compareText(a.id, b.id),
  unordered: (a, b) => new Random(0, a.id).fraction() - new Random(0, b.id).fraction(),
};

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** gap lists.store-order */
function rankOf(
  row: Timed & { readonly updatedAt?: unknown; readonly submittedAt?: unknown },
  readings: MockReadings,
): number {
  if (readings["lists.store-order"] !== "changing") return parseInstant(row.createdAt);
  const times = [row.createdAt, row.submittedAt, row.updatedAt].filter((time) => typeof time === "string");
  return Math.max(...times.map(parseInstant).filter((time) => !Number.isNaN(time)));
}

/** Returns the cursor that names a row. */
function formatCursor({ rank, id }: Place): string {
  return `${new Date(rank).toISOString()}/${id}`;
}

function parseCursor(cursor: string): Place | undefined {
  const slash = cursor.indexOf("/");
  const rank = parseInstant(cursor.slice(0, Math.max(slash, 0)));
  return Number.isNaN(rank) ? undefined : { rank, id: cursor.slice(slash + 1) };
}

// by the data of a server, so that the lists of a server that nothing uses can be collected
const firstPages = new WeakMap<object, Map<string, unknown>>();

/**
 * Returns the rows of a list; for a later page under the reading `snapshot`, those of the time of the first page. gap
 * lists.store-order
 */
export function rowsOfWalk<Row>(
  context: StoreContext,
  list: string,
  cursor: string | undefined,
  read: () => Row[],
): Row[] {
  if (context.readings["lists.store-order"] !== "snapshot") return read();
  const known = firstPages.get(context.data) ?? new Map<string, unknown>();
  firstPages.set(context.data, known);
  const { limit: _limit, cursor: _cursor, ...filters } = context.query;
  const key = JSON.stringify([list, context.params, filters]);
  if (cursor === undefined || !known.has(key)) known.set(key, structuredClone(read()));
  return known.get(key) as Row[]; // the list and its filters are the key
}
