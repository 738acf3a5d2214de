/** A moment: a `Date`, or ISO 8601 text with its offset or `Z`. */
export type Instant = Date | string;

/** What every list query takes beside the contract's own parameters. */
export interface ListQuery {
  /** Goes on after a page: its `resume`. */
  resume?: string | undefined;
  /** Filters whose names the contract does not show, sent as they are. */
  extra?: Record<string, string> | undefined;
}

/** A range of time; whether `to` itself is in it is a gap (`time-range.ends`). */
export interface TimeRange {
  from: Instant;
  to: Instant;
}

/** A query that a caller without a compiler may have left out: the checks before sending name what it lacks. */
export function given<Query extends TimeRange>(query: Query | undefined): Query {
  return query ?? ({} as Query); // checked as any other
}
