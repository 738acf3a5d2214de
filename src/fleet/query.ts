/** What every list query takes. Contract: fleet 4, Shared list parameters. */
export interface PageQuery {
  /** The page to begin with, 1 or more (1). */
  page?: number | undefined;
  /** Items a page, 1 to 100 (50). */
  limit?: number | undefined;
  /** Goes on after a page: its `resume`. */
  resume?: string | undefined;
  /**
   * What becomes of a list that changes while it is walked: it is told in the page's `drift` and to the hook `onDrift`
   * (`report`), or it ends the walk with a `PaginationError` (`throw`).
   */
  onDrift?: "report" | "throw" | undefined;
  /** Filters whose names the contract does not show, sent as they are. */
  extra?: Record<string, string> | undefined;
}
