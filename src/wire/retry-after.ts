const month = "[A-Z][a-z]{2}"; // `Date.parse` rejects other words
const time = String.raw`\d{2}:\d{2}:\d{2}`;
const zone = String.raw`(?:GMT|UTC|[+-]\d{4})`;

/** The three forms of an HTTP date (RFC 9110, section 5.6.7). Offsets other than GMT also occur. */
const httpDates = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, \d{2} ${month} \d{4} ${time} ${zone}$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, \d{2}-${month}-\d{2} ${time} ${zone}$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} ${month} [ \d]\d ${time} \d{4}$`),
];

/** A longer wait counts as one day, in milliseconds. */
const maximum = 86_400_000;

/**
 * Parses `Retry-After` to ms, at most one day: seconds, or the time from `now` to an HTTP date. Other values count as
 * absent.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maximum);
  if (!httpDates.some((form) => form.test(text))) return undefined;
  // the third form has no zone: it is GMT, not the zone of this machine
  const date = Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maximum);
}
