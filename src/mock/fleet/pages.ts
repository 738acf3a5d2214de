import type { JsonObject, Pagination } from "../../../generated/fleet.ts";
import type { Call, FleetCall } from "../server/call.ts";
import { refuse, type Reply } from "../server/exchange.ts";
import { operations } from "../server/operations.ts";
import type { PagingFault } from "../testing/effects.ts";
import type { FleetResource } from "./data.ts";

/** Returns a response in its envelope. */
export function envelope(data: unknown, meta: JsonObject = {}): Reply {
  return { status: 200, body: { data, meta: { version: "v1", ...meta } } };
}

/** Returns the IDs of a resource in the order of its list; a changed row is the last key. gap lists.fleet-order */
export function sortedIds({ fleet, is }: FleetCall, resource: FleetResource): readonly string[] {
  const ids = fleet[resource].keyList();
  return is("lists.fleet-order", "fixed") ? ids : ids.toReversed();
}

/** Whether a list comes whole. gap lists.undocumented */
export function isWhole({ operation, is }: Call): boolean {
  return operations[operation]?.list?.isDocumented === false && is("lists.undocumented", "whole");
}

/** Returns one page of a list in its envelope; only the rows of the page are created. gap fleet.page-past-end */
export function pageReply(
  call: FleetCall,
  ids: readonly string[],
  show: (id: string) => JsonObject,
  meta: JsonObject = {},
): Reply {
  if (isWhole(call)) return envelope(ids.map(show));
  const { query, is, paging } = call;
  const { limit } = query;
  const totalPages = Math.ceil(ids.length / limit);
  const last = Math.max(totalPages, 1);
  if (query.page > last && is("fleet.page-past-end", "rejected")) refuse("page", `must be at most ${last}`);
  const page = is("fleet.page-past-end", "clamped") ? Math.min(query.page, last) : query.page;
  const pagination = {
    currentPage: page,
    totalPages,
    totalCount: ids.length,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1,
  };
  const correct = { from: (page - 1) * limit, to: page * limit, pagination };
  const shown = paging === undefined || totalPages < 2 ? correct : faultyPage(paging, correct, limit);
  return envelope(ids.slice(shown.from, shown.to).map(show), { pagination: shown.pagination, ...meta });
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

/** Returns `meta.filters`: sent filters, and null for those that were not sent. gap fleet.unsent-filters */
export function filtersMeta({ query }: FleetCall, names: readonly string[]): JsonObject {
  return { filters: Object.fromEntries(names.map((name) => [name, query[name] ?? null])) };
}

/** Whether one of the values contains a text, ignoring case; without a text, always. gap fleet.search */
export function matchesSearch(search: string | undefined, values: readonly unknown[]): boolean {
  const wanted = search?.toLowerCase();
  return (
    wanted === undefined ||
    values.some((value) => typeof value === "string" && value.toLowerCase().includes(wanted))
  );
}
