import { isLastPage, type RawNumberedPage } from "./numbered-page.ts";
import type { Drift, Pagination } from "./page.ts";

/** The totals of a response. */
export type Totals = Pick<Pagination, "totalCount" | "totalPages">;

/** What the responses of a walk say about the size of its list. */
export class Tally {
  /** The totals of the response before. */
  #totals: Totals | undefined;
  /** The number of items of the longest page. */
  longest: number;
  /** The number of items that were created and deleted during the walk, by the totals, and that came again. */
  created = 0;
  deleted = 0;
  repeated = 0;
  hasShortPage = false;

  /** @param before what a token says about the page before */
  constructor(before: (Totals & { readonly size: number }) | undefined) {
    this.#totals = before;
    this.longest = before?.size ?? 0;
  }

  /** The number of items that were created on pages that were read before: each of them has moved another one to a later page. */
  get unseen(): number {
    return Math.min(this.created, this.repeated);
  }

  /** Returns the changes of the totals since the response before. */
  compare(raw: RawNumberedPage): Drift[] {
    const before = this.#totals ?? raw.pagination;
    const growth = raw.pagination.totalCount - before.totalCount;
    this.created += Math.max(0, growth);
    this.deleted += Math.max(0, -growth);
    this.#totals = raw.pagination;
    return compareTotals(before, raw);
  }

  /** Adds a page that was accepted, and the number of its items that came again. */
  add(raw: RawNumberedPage, repeated: number): void {
    this.longest = Math.max(this.longest, raw.items.length);
    this.hasShortPage ||= lacksItems(raw, this.longest);
    this.repeated += repeated;
  }

  /** The list is read again, with pages of the same or of another size. */
  beginPass(hasOtherSize: boolean): void {
    this.hasShortPage = false;
    if (hasOtherSize) this.#totals = undefined;
  }
}

/** Returns the differences between the totals of two consecutive responses. */
export function compareTotals(before: Totals, { number, pagination }: RawNumberedPage): Drift[] {
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

/**
 * Whether a walk that continues with a page misses nothing: it is the first page of the walk's list, or begins with an item
 * that the walk knows.
 * @param start the number of the page at which the walk has begun
 */
export function isSafePlace(
  page: RawNumberedPage | undefined,
  start: number,
  isKnown: (item: unknown) => boolean,
): page is RawNumberedPage {
  if (page === undefined) return false;
  const [first] = page.items;
  return (page.number === 1 && start === 1) || (first !== undefined && isKnown(first));
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
export function judgeBalance(balance: Balance): "done" | "look" | "repeat" | "fail" {
  const { delivered, unseen, deleted, hasShortPage, total, isGrowing, canRepeat } = balance;
  if (delivered + unseen - (hasShortPage ? deleted : 0) < total) return canRepeat ? "repeat" : "fail";
  return delivered - deleted > total && isGrowing ? "look" : "done";
}
