/** An ISO 8601 date-time with an offset: another one would be an instant of somebody's own time zone. */
const dateTime = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** What an instant must be, for messages. */
export const instantRule = "must be a Date, or an ISO 8601 date-time with an offset or Z";

/** Returns the ms of a `Date` of any realm, or of a date-time that exists; undefined for anything else. */
export function parseInstant(value: unknown): number | undefined {
  const date = value as Date | null | undefined;
  if (typeof date?.toISOString === "function" && typeof date.getTime === "function")
    return Number.isNaN(date.getTime()) ? undefined : date.getTime();
  const [, year, month, day] = (typeof value === "string" ? dateTime.exec(value) : null) ?? [];
  // `Date.parse` takes February 30 for March 2
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return undefined;
  const time = day === undefined ? Number.NaN : Date.parse(String(value).replace(",", "."));
  return Number.isNaN(time) ? undefined : time;
}
