/** The options of every list query besides the contract's own parameters. */
export interface ListQuery {
  /** Continues after a page: the `resume` of that page. */
  resume?: string | undefined;
  /**
   * The number of consecutive requests that may return no new item; after it the walk ends with a `PaginationError`
   * (default: 1000).
   */
  maxIdleRequests?: number | undefined;
  /**
   * Repeats the walk until two consecutive passes have the same items, and returns the pages of the last pass
   * (default: false). Each second pass has another page size, so that a loss at the edges of pages shows. After five
   * passes without agreement the walk ends with a `PaginationError`. All pages of a pass are kept in memory.
   */
  verify?: boolean | undefined;
  /** Filters whose names the contract does not show. They are sent unchanged. */
  extra?: Record<string, string> | undefined;
}

/** The query of a numbered list. */
export interface NumberedQuery extends ListQuery {
  /**
   * What happens if the totals change during the walk: `heal` reads again from the page before (default), `report` only
   * tells the page, the hook `onDrift` and the log, `throw` ends the walk with a `PaginationError`.
   */
  onDrift?: "heal" | "report" | "throw" | undefined;
}
