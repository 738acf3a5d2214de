import type { QueryRule } from "../../../wire/operation.ts";
import { type JsonObject, isObject } from "../../../wire/json.ts";
import type { Fault } from "./finding.ts";
import type { Documented } from "./operations.ts";

/** The properties that can contain the rows of a page. gap photos.page-shape */
const ROWS = ["items", "photos", "data"] as const;

/** Returns the violation of a page with more rows than the request allows. */
export function pageFaults(
  { list, query = {} }: Documented,
  search: URLSearchParams,
  value: unknown,
): Fault[] {
  const rule = query["limit"];
  if (rule === undefined || list === undefined || !isObject(value)) return [];
  const maximum = limitOf(rule, search.get("limit"), list.defaultPageSize);
  return ROWS.flatMap((name) => {
    const rows = value[name];
    if (!Array.isArray(rows) || countOf(rows, value) <= maximum) return [];
    return [{ place: `/${name}`, expected: "at most as many elements as limit", actual: "more" }];
  });
}

/**
 * Returns the rows that count for the limit. The last page of stores can have all stores without an external ID.
 * gap stores.null-cursor
 */
function countOf(rows: readonly unknown[], { nextCursor }: JsonObject): number {
  if (nextCursor !== null) return rows.length;
  return rows.filter((row) => !isObject(row) || row["externalId"] !== null).length;
}

/** Returns the number of rows that a page may have. gap fleet.limit-out-of-range */
function limitOf(
  { minimum = 1, maximum = 100 }: QueryRule,
  given: string | null,
  defaultLimit: number,
): number {
  if (given === null) return defaultLimit;
  const limit = Number(given);
  return given.trim() === "" || Number.isNaN(limit) ? maximum : Math.min(Math.max(limit, minimum), maximum);
}
