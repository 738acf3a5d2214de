const form =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/i;

/**
 * Returns an instant as RFC 3339 with `Z`, from a `Date` or an ISO 8601 string with an offset. Undefined for other
 * values: without an offset the instant would be a guess. Digits beyond milliseconds are kept. Gap `date-times.forms`.
 */
export function toWireDateTime(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  const parts = typeof value === "string" ? form.exec(value) : null;
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second = "0", fraction, sign, hours = "0", minutes = "0"] = parts;
  const [y, mo, d, h, m, s] = [year, month, day, hour, minute, second].map(Number) as DateFields;
  const isMidnight = h === 24 && m === 0 && s === 0 && Number(fraction ?? 0) === 0;
  if (!isDay(y, mo, d) || (h > 23 && !isMidnight) || m > 59 || s > 59) return undefined;
  const [offsetHours, offsetMinutes] = [Number(hours), Number(minutes)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (sign === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  const date = new Date(0);
  date.setUTCFullYear(y, mo - 1, d);
  date.setUTCHours(h, m, s);
  const iso = new Date(date.getTime() - offset).toISOString();
  // years before 0 and after 9999 have another form
  if (iso.length !== 24) return undefined;
  return `${iso.slice(0, 19)}${fraction === undefined ? "" : `.${fraction}`}Z`;
}

type DateFields = [number, number, number, number, number, number];

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return day <= last.getUTCDate();
}
