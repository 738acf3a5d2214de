import type { StoreCall } from "../server/call.ts";
import { refuse, refuseIssues } from "../server/exchange.ts";
import { isRfc3339, parseInstant } from "../server/instants.ts";
import type { Is } from "../server/readings.ts";
import type { PhotoRow, ProtocolRow } from "./data.ts";

/** The zone of the service under `time-zones.meaning: local`; the contract names no zone. */
const LOCAL_ZONE = "Europe/Warsaw";

const HOUR = 3_600_000;

/** Returns date (`2026-01-01`), clock time (`09:30`) and weekday (0 is Sunday) of an instant. gap time-zones.meaning */
export function localTime(time: number, is: Is): { date: string; clock: string; weekday: number } {
  const shifted = new Date(time + (is("time-zones.meaning", "local") ? localOffset(time) : 0));
  const text = shifted.toISOString();
  return { date: text.slice(0, 10), clock: text.slice(11, 16), weekday: shifted.getUTCDay() };
}

const formatter = new Intl.DateTimeFormat("en-US", { timeZone: LOCAL_ZONE, timeZoneName: "longOffset" });

const offsets = new Map<number, number>();

/** Returns the offset of the zone in milliseconds; it changes on the hour. */
function localOffset(time: number): number {
  const hour = Math.floor(time / HOUR);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  if (offsets.size > 10_000) offsets.clear();
  const name = formatter.formatToParts(hour * HOUR).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const offset = (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * 60_000);
  offsets.set(hour, offset);
  return offset;
}

/** The units to which instants are cut before they are compared, in milliseconds. gap time-range.precision */
const UNITS = { millisecond: 1, second: 1000, minute: 60_000, day: 86_400_000 } as const;

/** Returns a function that says whether an instant is between `from` and `to`. gap time-range.ends */
export function timeRange({ query, is, server }: StoreCall): (instant: number) => boolean {
  const unit = UNITS[server.readings["time-range.precision"]];
  const [from, to] = [Math.floor(parseInstant(query.from) / unit), Math.floor(parseInstant(query.to) / unit)];
  const hasFrom = is("time-range.ends", "half-open") || is("time-range.ends", "inclusive");
  const hasTo = is("time-range.ends", "left-open") || is("time-range.ends", "inclusive");
  return (instant) => {
    const time = Math.floor(instant / unit);
    return (time > from || (hasFrom && time === from)) && (time < to || (hasTo && time === to));
  };
}

/** Returns the instant of a protocol that a range compares with; `NaN` is outside every range. gap time-range.instant */
export function protocolInstant(protocol: ProtocolRow, is: Is): number {
  if (is("time-range.instant", "creation")) return parseInstant(protocol.createdAt);
  return typeof protocol.submittedAt === "string" ? parseInstant(protocol.submittedAt) : Number.NaN;
}

/** Returns the instant of a photo that a range compares with: that of its protocol. */
export function photoInstant(photo: PhotoRow, protocol: ProtocolRow | undefined, is: Is): number {
  // a seeded photo may name a protocol that the store does not have
  return protocol === undefined ? parseInstant(photo.createdAt) : protocolInstant(protocol, is);
}

/** Throws a 400 for a range that is not valid. gaps time-range.inverted, date-times.forms */
export function assertTimeRange({ query, is }: StoreCall): void {
  const message = "must be an RFC 3339 date-time such as 2026-01-31T00:00:00Z";
  refuseIssues(
    (["from", "to"] as const)
      .filter((name) => !isRfc3339(query[name]))
      .map((path) => ({ path, message, code: "invalid_format" })),
  );
  if (is("time-range.inverted", "reject") && parseInstant(query.from) > parseInstant(query.to))
    refuse("from", "must not be after to");
}

/** Returns a row with its date-times in the form of responses. gap date-times.forms */
export function withResponseTimes<Row extends object>(row: Row, properties: readonly string[], is: Is): Row {
  if (is("date-times.forms", "rfc3339")) return row;
  const changed = Object.entries(row).flatMap(([name, text]: [string, unknown]) => {
    const time = properties.includes(name) && typeof text === "string" ? parseInstant(text) : Number.NaN;
    return Number.isNaN(time) ? [] : [[name, new Date(time).toISOString().slice(0, -1)] as const];
  });
  return { ...row, ...Object.fromEntries(changed) };
}
