/** The options of every list query. Contract: fleet 4, Shared list parameters. */
export interface PageQuery {
  /** The first page, 1 or more (default: 1). */
  page?: number | undefined;
  /** The number of items on a page, 1 to 100 (default: 50). */
  limit?: number | undefined;
  /** Continues after a page: the `resume` of that page. */
  resume?: string | undefined;
  /**
   * The number of consecutive requests that may return no new item; after it the walk ends with a `PaginationError`
   * (default: 1000).
   */
  maxIdleRequests?: number | undefined;
  /**
   * The reaction to a list that changes during the walk. The page's `drift`, the hook `onDrift` and the log always show
   * the change. `heal` delivers each item once, and reads the list again after a change that can lose an item, at most
   * five times; `report` delivers the pages as they are; `throw` ends the walk with a `PaginationError` (default:
   * `report` for `pages()`, otherwise `heal`).
   */
  onDrift?: "heal" | "report" | "throw" | undefined;
  /**
   * Repeats the walk until two consecutive passes have the same items, and returns the pages of the last pass
   * (default: false). After five passes without agreement the walk ends with a `PaginationError`. This detects a change
   * that one pass cannot show: one item is deleted and another one created between two pages. All pages of a pass are
   * kept in memory.
   */
  verify?: boolean | undefined;
  /** Filters whose names the contract does not show. They are sent unchanged. */
  extra?: Record<string, string> | undefined;
}
