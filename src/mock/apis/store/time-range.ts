import type { MockReadings } from "../../server/readings.ts";
import type { Issue } from "../../http/api-response.ts";
import { isRfc3339, parseInstant } from "../../../wire/instants.ts";
import type { StoreContext } from "./context.ts";
import type { PhotoRow, ProtocolRow } from "./data.ts";

/** The zone of the service under `time-zones.meaning: local`; the contract names no zone. */
const LOCAL_ZONE = "Europe/Warsaw";

const HOUR = 3_600_000;

/** A point in time as date and clock time of a zone. */
interface LocalTime {
  /** `2026-01-01` */
  readonly date: string;
  /** `09:30` */
  readonly clock: string;
  /** 0 is Sunday. */
  readonly weekday: number;
}

/** Returns date, clock time and weekday of an instant in the zone of the service. gap time-zones.meaning */
export function localTime(time: number, readings: MockReadings): LocalTime {
  const shifted = new Date(time + (readings["time-zones.meaning"] === "local" ? localOffset(time) : 0));
  const text = shifted.toISOString();
  return { date: text.slice(0, 10), clock: text.slice(11, 16), weekday: shifted.getUTCDay() };
}

export function mondayOf({ date, weekday }: LocalTime): string {
  const monday = Date.parse(`${date}T00:00:00.000Z`) - ((weekday + 6) % 7) * 24 * HOUR;
  return new Date(monday).toISOString().slice(0, 10);
}

const offsets = new Map<number, number>();

/** Returns the offset of the zone in milliseconds; it changes on the hour. */
function localOffset(time: number): number {
  const hour = Math.floor(time / HOUR);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  if (offsets.size > 10_000) offsets.clear();
  const offset = computeOffset(hour * HOUR);
  offsets.set(hour, offset);
  return offset;
}

function computeOffset(time: number): number {
  const formatter = new Intl.DateTimeFormat("en-US", { timeZone: LOCAL_ZONE, timeZoneName: "longOffset" });
  const name = formatter.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * 60_000);
}

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
