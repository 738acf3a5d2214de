import type { JsonObject, Pagination } from "../../../generated/fleet.ts";
import type { FleetCall } from "../server/call.ts";
import type { Reply } from "../server/exchange.ts";
import { operations } from "../server/operations.ts";
import type { Is } from "../server/readings.ts";
import type { PagingFault } from "../testing/effects.ts";
import type { FleetResource, FleetRow } from "./data.ts";
import { refuse } from "./errors.ts";

/** Returns a response in its envelope. */
export function envelope(data: unknown, meta: JsonObject = {}, status = 200): Reply {
  return { status, body: { data, meta: { version: "v1", ...meta } } };
}

/** The rows of a list; counting them does not create them. */
export interface Rows<Row extends JsonObject = JsonObject> {
  readonly count: number;
  /** Returns the rows from one index up to, but not including, another. */
  slice(from: number, to: number): Row[];
}

/** Returns all rows of a resource; the last page costs as much as the first. */
export function rowsIn(call: FleetCall, resource: FleetResource): Rows<FleetRow> {
  const keys = sortedKeys(call, resource);
  const rows = call.fleet[resource];
  return {
    count: keys.length,
    slice: (from, to) => keys.slice(from, to).flatMap((key) => rows.get(key) ?? []),
  };
}

/** A property of each resource that several rows share. */
const SHARED: Readonly<Record<FleetResource, string>> = {
  vehicles: "brand",
  vehicleGroups: "kind",
  vehicleFields: "inputType",
  inspections: "templateId",
  inspectionTemplates: "isActive",
  damages: "status",
  driverAssignments: "vehicleId",
};

/** Returns the IDs of a resource in the order of its list; a changed row is the last key. gap lists.fleet-order */
export function sortedKeys({ fleet, is }: FleetCall, resource: FleetResource): readonly string[] {
  const rows = fleet[resource];
  const keys = rows.keyList();
  if (is("lists.fleet-order", "fixed")) return keys;
  if (is("lists.fleet-order", "last-change")) return keys.toReversed();
  const valueOf = (key: string) => String(rows.get(key)?.[SHARED[resource]]);
  return keys.toSorted((a, b) => (valueOf(a) < valueOf(b) ? -1 : Number(valueOf(a) > valueOf(b))));
}

/** Returns one page of a list in its envelope, with `meta.pagination`. gap fleet.page-past-end */
export function pageReply({ query, is, paging }: FleetCall, rows: Rows, meta: JsonObject = {}): Reply {
  const { limit } = query;
  const totalPages = Math.ceil(rows.count / limit);
  const last = Math.max(totalPages, 1);
  if (query.page > last && is("fleet.page-past-end", "rejected"))
    refuse("page", `must be at most ${last}`, is);
  const page = is("fleet.page-past-end", "clamped") ? Math.min(query.page, last) : query.page;
  const pagination = {
    currentPage: page,
    totalPages,
    totalCount: rows.count,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1,
  };
  const correct = { from: (page - 1) * limit, to: page * limit, pagination };
  const shown = paging === undefined || totalPages < 2 ? correct : faultyPage(paging, correct, limit);
  return envelope(rows.slice(shown.from, shown.to), { pagination: shown.pagination, ...meta });
}

/** The rows of a page and its pagination. */
interface NumberedPage {
  readonly from: number;
  readonly to: number;
  readonly pagination: Pagination;
}

/**
 * Returns a page with a paging fault.
 *
 * - `repeat-cursor`: every page has the rows of the first page and announces another page.
 * - `cycle`: the rows of page 1, of page 2, of page 1, …, and always announces another page.
 * - `empty-page`: an empty page comes before every page except the first.
 * - `clamp`: every page after the second is the second, with its number.
 * - `shift`: before every second request a row is added before all others, and it is deleted before the next.
 */
function faultyPage(
  { kind, applications }: PagingFault,
  { from, to, pagination }: NumberedPage,
  limit: number,
): NumberedPage {
  const { currentPage, totalPages } = pagination;
  const under = (page: number, changed: Partial<Pagination> = {}): NumberedPage => ({
    from: (page - 1) * limit,
    to: page * limit,
    pagination: { ...pagination, hasNextPage: true, ...changed },
  });
  switch (kind) {
    case "repeat-cursor":
      return under(1);
    case "cycle":
      return under(currentPage % 2 === 1 ? 1 : 2);
    case "clamp":
      return currentPage < 3 ? under(currentPage) : under(2, { currentPage: 2, hasPreviousPage: true });
    case "empty-page": {
      const total = 2 * totalPages - 1;
      const page = under((currentPage + 1) / 2, { totalPages: total, hasNextPage: currentPage < total });
      return currentPage % 2 === 1 ? page : { ...page, from: 0, to: 0 };
    }
    case "shift": {
      const moved = applications % 2 === 0 ? 1 : 0;
      return { from: Math.max(from - moved, 0), to: to - moved, pagination };
    }
  }
}

/** Whether the contract does not show the filters and the shape of a list. gaps lists.undocumented, lists.unknown-filters */
export function isUndocumentedList(operation: string): boolean {
  return operations[operation]?.list?.isDocumented === false;
}

/** Returns the response of a list whose shape the contract does not show. gap lists.undocumented */
export function undocumentedPage(call: FleetCall, rows: Rows): Reply {
  return call.is("lists.undocumented", "whole") ? envelope(rows.slice(0, rows.count)) : pageReply(call, rows);
}

/** Returns `meta.filters`: sent filters, and the value of those that were not sent. gap fleet.unsent-filters */
export function filtersMeta({ query, is }: FleetCall, names: readonly string[]): JsonObject {
  const filters: JsonObject = {};
  for (const name of names) {
    if (query[name] !== undefined) filters[name] = query[name];
    else if (!is("fleet.unsent-filters", "absent"))
      filters[name] = is("fleet.unsent-filters", "null-value") ? null : "";
  }
  return filters;
}

/** Whether the search finds one of the values, ignoring case. gap fleet.search */
export function matchesSearch(search: string, values: readonly unknown[], is: Is): boolean {
  const wanted = search.toLowerCase();
  return values.some((given) => {
    if (typeof given !== "string") return false;
    const value = given.toLowerCase();
    if (is("fleet.search", "whole-value")) return value === wanted;
    if (is("fleet.search", "part")) return value.includes(wanted);
    return wanted.split(/\s+/).every((word) => value.includes(word));
  });
}
