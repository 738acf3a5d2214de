/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(text);
}

/** Whether a text can be the value of a header. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** The beginning of an HTTP date (RFC 9110, section 5.6.7). `Date.parse` also takes texts that are no dates of HTTP. */
const weekday = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** A longer wait counts as one day, in milliseconds. */
const maximum = 86_400_000;

/**
 * Parses `Retry-After` to ms, at most one day: seconds, or the time from `now` to an HTTP date. Other values count as
 * absent.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d*)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), maximum);
  if (!weekday.test(text)) return undefined;
  // a form without a zone, such as the third one, is GMT, not the zone of this machine
  const hasZone = /(?:[a-z]+|[+-]\d{4})$/i.test(text);
  const date = Date.parse(hasZone ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maximum);
}
