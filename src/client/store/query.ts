/** An instant: a `Date`, or an ISO 8601 string with an offset or `Z`. */
export type Instant = Date | string;

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

/** The largest difference between an instant and the one that the service compares. */
export type TimePrecision = "millisecond" | "second" | "minute" | "day";

/** The time that neighboring ranges share, so that no entry falls between them, in ms. */
export const rangeOverlaps: Readonly<Record<TimePrecision, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  day: 86_400_000,
};
