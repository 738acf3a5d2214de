/** An ISO 8601 date-time with an offset: another one would be an instant of somebody's own time zone. */
const dateTime =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T\d\d:\d\d(?<second>:\d\d)?(?:[.,](?<fraction>\d+))?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i;

/** What an instant must be, for messages. */
export const instantRule = "must be a Date, or an ISO 8601 date-time with an offset or Z";

/** Returns the ms of a `Date` of any realm, or of a date-time that exists; undefined for anything else. */
export function parseInstant(value: unknown): number | undefined {
  const date = value as Date | null | undefined;
  if (typeof date?.toISOString === "function" && typeof date.getTime === "function")
    return Number.isNaN(date.getTime()) ? undefined : date.getTime();
  const { year, month, day, second, fraction } =
    (typeof value === "string" ? dateTime.exec(value) : null)?.groups ?? {};
  // `Date.parse` takes February 30 for March 2
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return undefined;
  // a fraction of a minute
  if (day === undefined || (fraction !== undefined && second === undefined)) return undefined;
  const time = Date.parse(String(value).replace(",", "."));
  return Number.isNaN(time) ? undefined : time;
}

/** Returns an instant in UTC, with all digits of its fraction; undefined for anything else. */
export function serializeInstant(value: unknown): string | undefined {
  const time = parseInstant(value);
  if (time === undefined) return undefined;
  const utc = new Date(time).toISOString();
  const { fraction = "" } = (typeof value === "string" ? dateTime.exec(value) : null)?.groups ?? {};
  // a `Date` has milliseconds
  return fraction.length > 3 ? utc.replace(/\d{3}Z$/, `${fraction}Z`) : utc;
}
