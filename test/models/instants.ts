/** Instants as microseconds since 1970, exact up to the year 2255. */

/** RFC 3339 date-times, or every calendar date-time of ISO 8601 (UTC where the offset is missing). */
export type DateTimeForm = "rfc3339" | "iso8601";

const offset = "(Z|[+-]\\d\\d(?::?\\d\\d)?)?";
const extended = new RegExp(
  `^(\\d{4})-(\\d\\d)-(\\d\\d)T(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d+))?)?${offset}$`,
  "i",
);
const basic = new RegExp(
  `^(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(?:(\\d\\d)(?:[.,](\\d+))?)?${offset}$`,
  "i",
);
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Minutes east of UTC, or `undefined` where the offset is out of range. */
function offsetMinutes(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

function isTime(hour: number, minute: number, second: number, fraction: number): boolean {
  if (minute > 59 || second > 60) return false;
  return hour < 24 || (hour === 24 && minute + second + fraction === 0);
}

/** Reads a date-time. Digits behind the microsecond are dropped. */
export function parseInstant(text: string, form: DateTimeForm): number | undefined {
  if (form === "rfc3339" && !rfc3339.test(text)) return undefined;
  const parts = extended.exec(text) ?? basic.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const micros = Number((parts[7] ?? "").padEnd(6, "0").slice(0, 6));
  const east = offsetMinutes(parts[8]);
  const isDay =
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (east === undefined || !isDay || !isTime(hour, minute, second, micros)) return undefined;
  if (hour === 24 && form === "rfc3339") return undefined;
  return Date.UTC(year, month - 1, day, hour, minute - east, second) * 1000 + micros;
}

/** Writes an instant with as many digits as it needs: none, three or six. */
export function formatInstant(micros: number, withOffset: boolean): string {
  const text = new Date(Math.floor(micros / 1000)).toISOString();
  const end = withOffset ? "Z" : "";
  const rest = micros % 1000;
  if (rest !== 0) return text.slice(0, 23) + String(rest).padStart(3, "0") + end;
  return (micros % 1_000_000 === 0 ? text.slice(0, 19) : text.slice(0, 23)) + end;
}

/** 01:00 UTC on the last Sunday of a month: when daylight saving begins or ends in the European Union. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return last.getTime() - last.getUTCDay() * 86_400_000;
}

/** Milliseconds by which a clock in Warsaw is ahead of UTC. */
function warsawOffset(ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  const summer = ms >= lastSunday(year, 2) && ms < lastSunday(year, 9);
  return summer ? 7_200_000 : 3_600_000;
}

export interface CalendarDay {
  /** `2026-03-29` */
  readonly date: string;
  /** 0 is Monday. */
  readonly weekday: number;
  /** The date of the Monday of its week. */
  readonly week: string;
}

/** The day on which an instant falls in UTC, or in the zone of Warsaw. */
export function calendarDay(micros: number, zone: "utc" | "local"): CalendarDay {
  const ms = Math.floor(micros / 1000);
  const day = new Date(zone === "utc" ? ms : ms + warsawOffset(ms));
  const weekday = (day.getUTCDay() + 6) % 7;
  const monday = new Date(day.getTime() - weekday * 86_400_000);
  return { date: day.toISOString().slice(0, 10), weekday, week: monday.toISOString().slice(0, 10) };
}
