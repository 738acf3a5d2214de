import { type JsonObject, objectOf } from "../../wire/json.ts";
import { sortedQuery } from "../../wire/sorted-query.ts";

/** The query of a recorded request. */
export type RecordedQuery = Readonly<Record<string, string | readonly string[]>>;

/** A page of a list. */
export interface RecordedPage {
  readonly query: RecordedQuery;
  readonly rows: readonly JsonObject[];
  /** The cursor or the number of the page; `undefined` for the first one. */
  readonly position: string | undefined;
  /** The position of the next page; `undefined` for the last page. */
  readonly next: string | undefined;
}

/** Pages that follow each other, from the first one. */
interface Walk {
  readonly keys: Set<string>;
  next: string | undefined;
}

/** The contents of the pages of one query. */
interface RecordedFilter {
  readonly query: RecordedQuery;
  keys: Set<string>;
  hasFirst: boolean;
  hasLast: boolean;
  /** The last walk with each page size. */
  readonly walks: Map<unknown, Walk>;
}

/** The last instant of a date-time with a year of four digits. */
const MAX_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/** The recorded pages of a list. A later page replaces the rows of an earlier one. */
export class RecordedList {
  readonly #rows = new Map<string, JsonObject>();
  readonly #filters = new Map<string, RecordedFilter>();

  /** Adds a page. If it ends a walk, returns the rows of earlier walks that the list no longer has. */
  add({ query, rows, position, next }: RecordedPage): JsonObject[] {
    const { limit, cursor: _cursor, page: _page, ...own } = query;
    const name = sortedQuery(own);
    const filter: RecordedFilter = this.#filters.get(name) ?? {
      query: own,
      keys: new Set(),
      hasFirst: false,
      hasLast: false,
      walks: new Map(),
    };
    this.#filters.set(name, filter);
    filter.hasFirst ||= position === undefined;
    filter.hasLast ||= next === undefined;
    if (position === undefined) filter.walks.set(limit, { keys: new Set(), next: undefined });
    const walk = filter.walks.get(limit);
    const isNext = walk !== undefined && walk.next === position;
    if (!isNext) filter.walks.delete(limit);
    for (const row of rows) {
      const key = keyOf(row);
      filter.keys.add(key);
      if (isNext) walk.keys.add(key);
      this.#rows.set(key, row);
    }
    if (!isNext) return [];
    walk.next = next;
    if (next !== undefined) return [];
    filter.walks.delete(limit);
    const gone = [...filter.keys].filter((key) => !walk.keys.has(key));
    filter.keys = walk.keys;
    const isFound = (key: string): boolean => [...this.#filters.values()].some(({ keys }) => keys.has(key));
    return gone.filter((key) => !isFound(key)).flatMap((key) => this.remove(key));
  }

  /** Removes and returns a row, which a later response shows to be deleted. */
  remove(key: string): JsonObject[] {
    const row = this.#rows.get(key);
    this.#rows.delete(key);
    for (const { keys } of this.#filters.values()) keys.delete(key);
    return row === undefined ? [] : [row];
  }

  get(key: string): JsonObject | undefined {
    return this.#rows.get(key);
  }

  /** Replaces values of a row by those of a later response. */
  refresh(key: string, later: JsonObject): void {
    const row = this.#rows.get(key);
    if (row !== undefined) this.#rows.set(key, refreshRow(row, later));
  }

  get rows(): JsonObject[] {
    return [...this.#rows.values()];
  }

  /** Whether each recorded query found a row; a query of which pages are missing says nothing about other rows. */
  queriesOf(row: JsonObject): Record<string, boolean> {
    const key = keyOf(row);
    const known = [...this.#filters].flatMap(([name, { keys, hasFirst, hasLast }]) =>
      keys.has(key) || (hasFirst && hasLast) ? [[name, keys.has(key)] as const] : [],
    );
    return Object.fromEntries(known);
  }

  /** Returns the value of a filter that found a row. */
  filterOf(row: JsonObject, name: string): string | undefined {
    const key = keyOf(row);
    const filter = [...this.#filters.values()].find(({ query, keys }) => keys.has(key) && name in query);
    const value = filter?.query[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Returns a time for each row, in the order of the list: its own if it has one, or one in the ranges that found it. */
  timesOf(
    rows: readonly JsonObject[],
    isNewestFirst: boolean,
  ): { times: Map<JsonObject, string>; invented: number } {
    const ordered = isNewestFirst ? rows.toReversed() : rows;
    const property = timeProperty(ordered);
    const times = new Map<JsonObject, string>();
    let last = 0;
    for (const row of ordered) {
      const own = property === undefined ? undefined : instantOf(row[property]);
      last = own ?? this.#timeAfter(last, row);
      times.set(row, new Date(last).toISOString());
    }
    return { times, invented: property === undefined ? rows.length : 0 };
  }

  /** Returns the first instant after another that is in the ranges that found a row, and in no range that did not. */
  #timeAfter(last: number, row: JsonObject): number {
    const key = keyOf(row);
    const ranges = [...this.#filters.values()].flatMap(({ query, keys, hasFirst, hasLast }) => {
      const [from, to] = [instantOf(query["from"]), instantOf(query["to"])];
      const isUnfiltered = Object.keys(query).every((name) => name === "from" || name === "to");
      const isSure = keys.has(key) || (hasFirst && hasLast && isUnfiltered);
      return isSure && from !== undefined && to !== undefined ? [{ from, to, has: keys.has(key) }] : [];
    });
    const isPossible = (time: number): boolean =>
      time > last &&
      time <= MAX_TIME &&
      ranges.every(({ from, to, has }) => (time > from && time < to) === has);
    const ends = ranges.flatMap(({ from, to }) => [from + 1, to + 1]).toSorted((a, b) => a - b);
    return [last + 1, ...ends].find(isPossible) ?? last + 1;
  }
}

/** Returns a row with the values of a later response. Objects and arrays stay: a list and a detail show them in different forms. */
function refreshRow(row: JsonObject, later: JsonObject): JsonObject {
  const entries = Object.entries(row).map(([name, value]) => {
    const other = later[name];
    return [name, other === undefined || (isNested(value) && isNested(other)) ? value : other] as const;
  });
  return Object.fromEntries(entries);
}

/** Does so with the row of an ID, if there is one. */
export function refreshIn(rows: Map<string, JsonObject>, id: string, later: JsonObject): void {
  const row = rows.get(id);
  if (row !== undefined) rows.set(id, refreshRow(row, later));
}

/** Whether a value is an object or an array. */
function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Returns what identifies a row. gaps protocols.id-property, protocols.image-properties */
export function keyOf(row: JsonObject): string {
  const id = row["photoId"] ?? row["id"] ?? row["imageId"] ?? row["protocolId"] ?? row["storeId"];
  return typeof id === "string" ? id : JSON.stringify(row);
}

/** Returns the property with the time by which rows are sorted; `createdAt` if it is one. */
function timeProperty(rows: readonly JsonObject[]): string | undefined {
  const names = ["createdAt", ...Object.keys(rows[0] ?? {})];
  const timed = names.filter((name) => rows.every((row) => instantOf(row[name]) !== undefined));
  return timed.find((name) => name === "createdAt" || isRising(rows.map((row) => instantOf(row[name]) ?? 0)));
}

function isRising(times: readonly number[]): boolean {
  return times.every((time, index) => time >= (times[index - 1] ?? time));
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Returns an instant in milliseconds: of a date-time, which is UTC if it has no offset, or of a number since 1970. */
function instantOf(value: unknown): number | undefined {
  // between 2001 and 2286, in seconds or milliseconds
  if (typeof value === "number") {
    if (value > 1e9 && value < 1e10) return value * 1000;
    return value > 1e12 && value < 1e13 ? value : undefined;
  }
  const match = typeof value === "string" ? DATE_TIME.exec(value) : null;
  if (match === null) return undefined;
  const time = Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the place of a page with a cursor. gaps photos.page-shape, photos.cursor-source */
export function pageOf({ cursor }: RecordedQuery, body: JsonObject): Pick<RecordedPage, "position" | "next"> {
  const next = body["nextCursor"] ?? body["cursor"];
  return { position: cursor?.toString(), next: typeof next === "string" ? next : undefined };
}

/** Returns the place of a numbered page; a list without pagination is whole. gap lists.undocumented */
export function numberedPageOf(
  { page = "1" }: RecordedQuery,
  json: unknown,
): Pick<RecordedPage, "position" | "next"> {
  const { hasNextPage } = objectOf(objectOf(objectOf(json)["meta"])["pagination"]);
  return {
    position: page === "1" ? undefined : String(page),
    next: hasNextPage === true ? String(Number(page) + 1) : undefined,
  };
}
