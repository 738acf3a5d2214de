const RFC_3339_FORM = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** A date, or a date-time with or without seconds and offset. */
const ISO_FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/** Whether a text is a date-time of RFC 3339. */
export function isRfc3339(text: string): boolean {
  return RFC_3339_FORM.test(text) && !Number.isNaN(parseInstant(text));
}

/**
 * Returns the instant of an ISO 8601 date or date-time in milliseconds since 1970, or `NaN`. Without an offset it
 * is UTC, in any time zone of the machine.
 */
export function parseInstant(text: string): number {
  const match = ISO_FORM.exec(text);
  if (match === null) return Number.NaN;
  const time = Date.parse(`${text.toUpperCase()}${text.length > 10 && match[1] === undefined ? "Z" : ""}`);
  // `Date.parse` takes February 30 for a day in March
  const day = Number(text.slice(8, 10));
  const isDay = day <= 28 || new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day;
  return isDay ? time : Number.NaN;
}
