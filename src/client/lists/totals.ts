import type { RawNumberedPage } from "./numbered-page.ts";
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

/** What a walk has at its last page. */
export interface Balance {
  /** The number of items that were delivered, and those that the totals say were created and deleted meanwhile. */
  readonly delivered: number;
  readonly created: number;
  readonly deleted: number;
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
  created,
  deleted,
  total,
  isGrowing,
  canRepeat,
}: Balance): "done" | "look" | "repeat" | "fail" {
  // what was created during the walk may be on a page that was read before
  if (delivered + created < total) return canRepeat ? "repeat" : "fail";
  return delivered - deleted > total && isGrowing ? "look" : "done";
}
