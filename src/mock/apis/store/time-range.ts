import type { Issue } from "../../http/api-response.ts";
import { isRfc3339, parseInstant } from "../../../wire/instants.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { StoreContext } from "./context.ts";
import type { PhotoRow, ProtocolRow } from "./data.ts";

/** The precision with which instants are compared. gap time-range.precision */
const PRECISIONS: Record<MockReadings["time-range.precision"], (time: number) => number> = {
  millisecond: (time) => time,
  second: (time) => Math.floor(time / 1000),
  "rounded-second": (time) => Math.round(time / 1000),
  minute: (time) => Math.floor(time / 60_000),
  day: (time) => Math.floor(time / 86_400_000),
};

/** The range between `from` and `to` of a query. */
export class TimeRange {
  readonly #precise: (time: number) => number;
  readonly #from: number;
  readonly #to: number;
  readonly #hasFrom: boolean;
  readonly #hasTo: boolean;

  constructor({ query, readings }: StoreContext) {
    const ends = readings["time-range.ends"];
    this.#precise = PRECISIONS[readings["time-range.precision"]];
    this.#from = parseInstant(query.from); // the schema requires both
    this.#to = parseInstant(query.to);
    this.#hasFrom = ends === "half-open" || ends === "inclusive";
    this.#hasTo = ends === "left-open" || ends === "inclusive";
  }

  /** Whether an instant is in the range. gap time-range.ends */
  has(instant: number): boolean {
    const [time, from, to] = [this.#precise(instant), this.#precise(this.#from), this.#precise(this.#to)];
    const isAfterFrom = time > from || (this.#hasFrom && time === from);
    return isAfterFrom && (time < to || (this.#hasTo && time === to));
  }

  get inverted(): boolean {
    return this.#from > this.#to;
  }
}

/**
 * Returns the instant of a protocol that a range compares with; `NaN` is outside every range. gap
 * time-range.instant
 */
export function protocolInstant({ readings }: StoreContext, protocol: ProtocolRow): number {
  if (readings["time-range.instant"] !== "submission") return parseInstant(protocol.createdAt);
  return typeof protocol.submittedAt === "string" ? parseInstant(protocol.submittedAt) : Number.NaN;
}

/** Returns a function for the instants of photos that a range compares with. gap time-range.instant */
export function photoInstants(
  context: StoreContext,
): (photo: PhotoRow, protocol: ProtocolRow | undefined) => number {
  const known = new Map<ProtocolRow, number>();
  return (photo, protocol) => {
    // a seeded photo may name a protocol that the store does not have
    if (protocol === undefined || context.readings["time-range.instant"] === "own-instant")
      return parseInstant(photo.createdAt);
    const instant = known.get(protocol) ?? protocolInstant(context, protocol);
    known.set(protocol, instant);
    return instant;
  };
}

/** gaps time-range.inverted, date-times.forms */
export function timeRangeIssues(context: StoreContext): Issue[] {
  const { query, readings } = context;
  const formIssues = (["from", "to"] as const)
    .filter((name) => !isAcceptedForm(query[name], readings["date-times.forms"] === "iso-utc"))
    .map((path) => ({
      path,
      message: "must be an RFC 3339 date-time such as 2026-01-31T00:00:00Z",
      code: "invalid_format",
    }));
  if (formIssues.length > 0) return formIssues;
  if (readings["time-range.inverted"] === "empty" || !new TimeRange(context).inverted) return [];
  return [{ path: "from", message: "must not be after to" }];
}

function isAcceptedForm(text: string, anyForm: boolean): boolean {
  return !Number.isNaN(parseInstant(text)) && (anyForm || isRfc3339(text));
}
