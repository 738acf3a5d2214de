const ISO_FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)?$/;

const BASIC_FORM = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(?!\d|:)/i;

const RFC_3339_FORM = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Whether a date-time has the form of RFC 3339. */
export function isRfc3339(text: string): boolean {
  return RFC_3339_FORM.test(text);
}

/**
 * Returns the instant of an ISO 8601 date or date-time in milliseconds since 1970, or `NaN`. Without an offset it
 * is UTC, in any time zone of the machine.
 */
export function parseInstant(text: string): number {
  if (text.length === 24 && text.endsWith("Z")) return Date.parse(text); // the form of `toISOString`
  const extended = text.replace(
    BASIC_FORM,
    (_, year: string, month: string, day: string, hour: string, minute: string, second: string = "00") =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}`,
  );
  const match = ISO_FORM.exec(extended);
  if (match === null) return Number.NaN;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  const isDate = date.getUTCMonth() === (month ?? 0) - 1 && date.getUTCDate() === day;
  if (!isDate || !isTime(hour ?? 0, minute ?? 0, second ?? 0)) return Number.NaN;
  const [, , , , , , , fraction = "", , sign, offsetHour = "0", offsetMinute = "0"] = match;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return Number.NaN;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const minutes = (hour ?? 0) * 60 + (minute ?? 0) - offset;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"));
  return date.getTime() + minutes * 60_000 + (second ?? 0) * 1000 + milliseconds;
}

/** 24:00 is the end of a day, and a minute may have a leap second. */
function isTime(hour: number, minute: number, second: number): boolean {
  if (hour === 24) return minute === 0 && second === 0;
  return hour < 24 && minute < 60 && second <= 60;
}
