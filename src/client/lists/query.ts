/** The options of every list query besides the contract's own parameters. */
export interface ListQuery {
  /** Continues after a page: the `resume` of that page. */
  resume?: string | undefined;
  /**
   * Repeats the walk until two consecutive passes have the same items, and returns the pages of the last pass
   * (default: false). Each second pass has another page size, so that a loss at the edges of pages shows. After five
   * passes without agreement the walk ends with a `PaginationError`. All pages of a pass are kept in memory.
   */
  verify?: boolean | undefined;
  /** Filters whose names the contract does not show. They are sent unchanged. */
  extra?: Record<string, string> | undefined;
}

/**
 * What happens if a numbered list does not add up: its totals change during the walk, an item comes again, or it has fewer items
 * than its total.
 *
 * - `heal`: reads again what may have moved, and ends with a `PaginationError` if the list still has fewer items than its total.
 * - `report`: delivers what is there; for services whose totals count what they hide.
 * - `throw`: ends with a `PaginationError` at the first sign.
 *
 * Each of them tells the hook `onDrift`, the log and the page.
 */
export type DriftReaction = "heal" | "report" | "throw";

/** The query of a numbered list. */
export interface NumberedQuery extends ListQuery {
  /** What happens if the list does not add up (default: the option of the client, `heal`). */
  onDrift?: DriftReaction | undefined;
}
