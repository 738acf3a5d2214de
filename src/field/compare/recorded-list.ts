import type { JsonObject } from "../../wire/json.ts";
import { sortedQuery } from "../../wire/sorted-query.ts";

/** The query of a recorded request. */
export type RecordedQuery = Readonly<Record<string, string | readonly string[]>>;

/** The contents of the pages of one query. */
interface Walk {
  readonly query: RecordedQuery;
  readonly keys: Set<string>;
  hasFirst: boolean;
  hasLast: boolean;
}

/** The recorded pages of the protocols or photos of a store. */
export class RecordedList {
  readonly #rows = new Map<string, JsonObject>();
  readonly #walks = new Map<string, Walk>();

  /** Adds a page. `isLast`: whether no page follows. */
  add(query: RecordedQuery, rows: readonly JsonObject[], isLast: boolean): void {
    const { limit: _, cursor, ...filters } = query;
    const name = sortedQuery(query);
    const walk = this.#walks.get(name) ?? {
      query: filters,
      keys: new Set(),
      hasFirst: false,
      hasLast: false,
    };
    this.#walks.set(name, walk);
    walk.hasFirst ||= cursor === undefined;
    walk.hasLast ||= isLast;
    for (const row of rows) {
      const key = keyOf(row);
      walk.keys.add(key);
      if (!this.#rows.has(key)) this.#rows.set(key, row);
    }
  }

  get rows(): JsonObject[] {
    return [...this.#rows.values()];
  }

  /** Whether each recorded query found a row; a query of which pages are missing says nothing about other rows. */
  queriesOf(row: JsonObject): Record<string, boolean> {
    const key = keyOf(row);
    const known = [...this.#walks].flatMap(([name, { keys, hasFirst, hasLast }]) =>
      keys.has(key) || (hasFirst && hasLast) ? [[name, keys.has(key)] as const] : [],
    );
    return Object.fromEntries(known);
  }

  /** Returns the value of a filter that found a row. */
  filterOf(row: JsonObject, name: string): string | undefined {
    const key = keyOf(row);
    const walk = [...this.#walks.values()].find(({ query, keys }) => keys.has(key) && name in query);
    const value = walk?.query[name];
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
    const ranges = [...this.#walks.values()].flatMap(({ query, keys, hasFirst, hasLast }) => {
      const [from, to] = [instantOf(query["from"]), instantOf(query["to"])];
      const isUnfiltered = Object.keys(query).every((name) => name === "from" || name === "to");
      const isSure = keys.has(key) || (hasFirst && hasLast && isUnfiltered);
      return isSure && from !== undefined && to !== undefined ? [{ from, to, has: keys.has(key) }] : [];
    });
    const isPossible = (time: number): boolean =>
      time > last && ranges.every(({ from, to, has }) => (time > from && time < to) === has);
    const ends = ranges.flatMap(({ from, to }) => [from + 1, to + 1]).toSorted((a, b) => a - b);
    return [last + 1, ...ends].find(isPossible) ?? last + 1;
  }
}

/** Returns what identifies a row. gaps protocols.id-property, protocols.image-properties */
export function keyOf(row: JsonObject): string {
  const id = row["photoId"] ?? row["id"] ?? row["imageId"] ?? row["protocolId"];
  return typeof id === "string" ? id : JSON.stringify(row);
}

/** Returns the property with the time by which rows are sorted; `createdAt` if it is one. */
function timeProperty(rows: readonly JsonObject[]): string | undefined {
  const names = ["createdAt", ...Object.keys(rows[0] ?? {})];
  const timed = names.filter((name) => rows.every((row) => instantOf(row[name]) !== undefined));
  return timed.find((name) => name === "createdAt" || isRising(rows.map((row) => instantOf(row[name]) ?? 0)));
}

function isRising(times: readonly number[]): boolean {
  return times.every((time, at) => time >= (times[at - 1] ?? time));
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
