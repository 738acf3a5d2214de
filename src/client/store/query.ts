import type { storeClientReadings } from "../../../generated/readings.ts";

/** An instant: a `Date`, or an ISO 8601 string with an offset or `Z`. */
export type Instant = Date | string;

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
   * (default: false). After five passes without agreement the walk ends with a `PaginationError`. This detects changes
   * that one pass cannot show. All pages of a pass are kept in memory.
   */
  verify?: boolean | undefined;
  /** Filters whose names the contract does not show. They are sent unchanged. */
  extra?: Record<string, string> | undefined;
}

/** The size of the pages of `stores.list` and `protocols.list`. */
export interface PageLimit {
  /** The number of items on a page, 1 to 100 (default: 100). */
  limit?: number | undefined;
}

/** A time range. Whether it includes `to` is a gap (`time-range.ends`). */
export interface TimeRange {
  from: Instant;
  to: Instant;
}

/** The largest difference between an instant and the one that the service compares, in ms (gap `time-range.precision`). */
export const rangePrecisions = {
  millisecond: 1000, // neighboring ranges overlap by a second under every reading
  second: 1000,
  "rounded-second": 1000,
  minute: 60_000,
  day: 86_400_000,
} as const satisfies Record<(typeof storeClientReadings)["time-range.precision"][number], number>;
