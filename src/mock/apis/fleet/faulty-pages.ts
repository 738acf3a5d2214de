import type { Pagination } from "../../../../generated/fleet.ts";
import type { PagingFault } from "../../testing/rule.ts";

/** The rows of a page and its pagination. */
export interface NumberedPage {
  readonly from: number;
  readonly to: number;
  readonly pagination: Pagination;
}

/**
 * Applies a paging fault. A list with a single page stays correct.
 *
 * - `repeat-cursor`: every page has the rows of the first page and announces another page.
 * - `cycle`: the rows of page 1, of page 2, of page 1, …, and always announces another page.
 * - `empty-page`: an empty page comes before every page except the first.
 * - `clamp`: every page after the second is the second, with its number.
 * - `shift`: before every second request a row is added before all others, and it is deleted before the next.
 */
export function applyPagingFault(
  paging: PagingFault | undefined,
  page: NumberedPage,
  limit: number,
): NumberedPage {
  const { pagination } = page;
  const { currentPage, totalPages } = pagination;
  if (paging === undefined || totalPages < 2) return page;
  switch (paging.kind) {
    case "repeat-cursor":
      return pageUnderNumber(pagination, 1, limit);
    case "cycle":
      return pageUnderNumber(pagination, currentPage % 2 === 1 ? 1 : 2, limit);
    case "empty-page":
      return interleavedPage(page, limit);
    case "clamp":
      return currentPage < 3
        ? pageUnderNumber(pagination, currentPage, limit)
        : clampedPage(pagination, limit);
    case "shift":
      return shiftedPage(page, paging.applications);
  }
}

/** Returns the rows of a page under the requested number, and announces another page. */
function pageUnderNumber(pagination: Pagination, page: number, limit: number): NumberedPage {
  return { from: (page - 1) * limit, to: page * limit, pagination: { ...pagination, hasNextPage: true } };
}

function clampedPage(pagination: Pagination, limit: number): NumberedPage {
  const second = { ...pagination, currentPage: 2, hasNextPage: true, hasPreviousPage: true };
  return { from: limit, to: 2 * limit, pagination: second };
}

/** Rows on the odd pages, nothing on the even ones. */
function interleavedPage({ pagination }: NumberedPage, limit: number): NumberedPage {
  const { currentPage, totalPages } = pagination;
  const total = 2 * totalPages - 1;
  const page = (currentPage + 1) / 2;
  const from = Number.isInteger(page) ? (page - 1) * limit : 0;
  const to = Number.isInteger(page) ? page * limit : 0;
  return { from, to, pagination: { ...pagination, totalPages: total, hasNextPage: currentPage < total } };
}

/** A row before all others shifts the rest by one: every second page begins one row too early. */
function shiftedPage({ from, to, pagination }: NumberedPage, applications: number): NumberedPage {
  const moved = applications % 2 === 0 ? 1 : 0;
  return { from: Math.max(from - moved, 0), to: to - moved, pagination };
}
