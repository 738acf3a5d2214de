import { isLastPage, type RawNumberedPage } from "./numbered-page.ts";
import type { Drift, Pagination } from "./page.ts";

/** The totals of a response. */
export type Totals = Pick<Pagination, "totalCount" | "totalPages">;

/** Returns the changes of the totals since the response before. */
export function compareTotals(before: Totals | undefined, { number, pagination }: RawNumberedPage): Drift[] {
  if (before === undefined) return [];
  const kinds = ["totalCount", "totalPages"] as const;
  return kinds
    .filter((kind) => before[kind] !== pagination[kind])
    .map((kind) => ({ kind, page: number, before: before[kind], after: pagination[kind] }));
}

/** Whether a page has fewer items than its total and the size of the longest page say. */
export function isShortPage({ number, items, pagination }: RawNumberedPage, longest: number): boolean {
  return items.length < Math.min(longest, pagination.totalCount - (number - 1) * longest);
}

/** Whether a page shows that the list has items that no page has: a last page has all that are left. */
export function lacksItems(raw: RawNumberedPage, longest: number): boolean {
  const left = raw.pagination.totalCount - (raw.number - 1) * longest;
  return isShortPage(raw, longest) || (isLastPage(raw) && longest > 0 && raw.items.length < left);
}

/** What a walk has at its last page. */
export interface Balance {
  /** The number of items that were delivered. */
  readonly delivered: number;
  /** The number of items that were created on pages that were read before, and that were deleted during the walk. */
  readonly unseen: number;
  readonly deleted: number;
  /** Whether a page was short: then what was deleted says nothing about what is missing. */
  readonly hasShortPage: boolean;
  /** The total of the last page. */
  readonly total: number;
  /** Whether the last page had a new item. */
  readonly isGrowing: boolean;
  /** Whether the list can be read once more with a result: its items have IDs, and this pass had new ones. */
  readonly canRepeat: boolean;
}

/**
 * Decides at the last page: the walk is done, looks for a further page (which a total that is too small may hide), reads the
 * list once more, or fails.
 */
export function judgeBalance({
  delivered,
  unseen,
  deleted,
  hasShortPage,
  total,
  isGrowing,
  canRepeat,
}: Balance): "done" | "look" | "repeat" | "fail" {
  if (delivered + unseen - (hasShortPage ? deleted : 0) < total) return canRepeat ? "repeat" : "fail";
  return delivered - deleted > total && isGrowing ? "look" : "done";
}
