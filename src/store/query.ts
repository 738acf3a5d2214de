/** A moment: a `Date`, or ISO 8601 text with its offset or `Z`. */
export type Instant = Date | string;

/** What every list query takes beside the contract's own parameters. */
export interface ListQuery {
  /** Continues after a page: its `resume`. */
  resume?: string | undefined;
  /** How many requests in a row may return no new item before the walk ends with a `PaginationError` (1000). */
  maxIdleRequests?: number | undefined;
  /** Filters whose names the contract does not show, sent as they are. */
  extra?: Record<string, string> | undefined;
}

/** A range of time; whether `to` itself is in it is a gap (`time-range.ends`). */
export interface TimeRange {
  from: Instant;
  to: Instant;
}
