import type { QueryRule } from "../../../wire/operation.ts";
import { type JsonObject, isInteger, isObject, objectOf } from "../../../wire/json.ts";
import type { Fault } from "./finding.ts";
import type { Documented } from "./operations.ts";

/** The properties that can contain the rows of a page. gap photos.page-shape */
const ROWS = ["items", "photos", "data"] as const;

/** Returns the violations of a page: more rows than the request allows, another number, contradictions. */
export function pageFaults(
  { list, query = {} }: Documented,
  search: URLSearchParams,
  value: unknown,
): Fault[] {
  const rule = query["limit"];
  if (rule === undefined || list === undefined || !isObject(value)) return [];
  const maximum = limitOf(rule, search.get("limit"), list.defaultPageSize);
  const tooLong = ROWS.flatMap((name) => {
    const rows = value[name];
    if (!Array.isArray(rows) || countOf(rows, value) <= maximum) return [];
    return [{ place: `/${name}`, expected: "at most as many elements as limit", actual: "more" }];
  });
  return [...tooLong, ...numberFaults(Number(search.get("page") ?? 1), value)];
}

/** gaps fleet.page-past-end, fleet.limit-out-of-range */
function numberFaults(requested: number, { meta }: JsonObject): Fault[] {
  const { currentPage, totalPages, ...flags } = objectOf(objectOf(meta)["pagination"]);
  if (!isInteger(currentPage) || !isInteger(totalPages)) return [];
  const exists = isInteger(requested) && requested >= 1 && requested <= totalPages;
  const faults: Fault[] = [];
  if (exists && requested !== currentPage)
    faults.push({ place: "currentPage", expected: "that of the request", actual: "another one" });
  if (flags["hasNextPage"] === currentPage >= totalPages)
    faults.push({
      place: "hasNextPage",
      expected: "false on the last page, otherwise true",
      actual: "the opposite",
    });
  if (currentPage <= totalPages && flags["hasPreviousPage"] === currentPage <= 1)
    faults.push({
      place: "hasPreviousPage",
      expected: "false on the first page, otherwise true",
      actual: "the opposite",
    });
  return faults.map((fault) => ({ ...fault, place: `/meta/pagination/${fault.place}` }));
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
