/** What every list query takes. Contract: fleet 4, Shared list parameters. */
export interface PageQuery {
  /** The page to begin with, 1 or more (1). */
  page?: number | undefined;
  /** Items a page, 1 to 100 (50). */
  limit?: number | undefined;
  /** Continues after a page: its `resume`. */
  resume?: string | undefined;
  /** How many requests in a row may return no new item before the walk ends with a `PaginationError` (1000). */
  maxIdleRequests?: number | undefined;
  /**
   * What becomes of a list that changes while it is walked: it is told in the page's `drift` and to the hook `onDrift`
   * (`report`), or it ends the walk with a `PaginationError` (`throw`).
   */
  onDrift?: "report" | "throw" | undefined;
  /**
   * Repeats the walk until two passes in a row agree on the items, and delivers the last pass; after five passes it is
   * a `PaginationError`. Finds what `drift` cannot show: one item deleted and one created between two pages. All pages
   * of a pass are in memory (false).
   */
  verify?: boolean | undefined;
  /** Filters whose names the contract does not show, sent as they are. */
  extra?: Record<string, string> | undefined;
}
