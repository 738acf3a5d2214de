import type { MockReadings } from "../../server/readings.ts";

/** The zone of the service under `time-zones.meaning: local`; the contract names no zone. */
const LOCAL_ZONE = "Europe/Warsaw";

const HOUR = 3_600_000;

/** A point in time as date and clock time of a zone. */
export interface LocalTime {
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

/** Returns the date of the Monday of a week. */
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
