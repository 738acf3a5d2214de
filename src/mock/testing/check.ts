import type { RequestView } from "../http/request-view.ts";

/** One condition of a matcher. */
export interface Check {
  /** The place in the request: `path.externalId`, `body.contacts.0.name`. */
  readonly place: string;
  readonly expected: string;
  holds(request: RequestView): boolean;
  /** The value that the request has at this place. */
  received(request: RequestView): string;
}

/** Reads the value that a check compares. */
export type Read = (request: RequestView) => unknown;

/** Checks for a string, another JSON value without properties, or an array of strings. */
export function valueCheck(place: string, expected: unknown, read: Read): Check {
  return check(place, describeValue(expected), read, (value) => isEqual(value, expected));
}

/** Checks that there is no value. */
export function isAbsent(place: string, read: Read): Check {
  return check(place, describeValue(undefined), read, (value) => value === undefined);
}

/** Creates a check of one value. */
export function check(
  place: string,
  expected: string,
  read: Read,
  accepts: (value: unknown) => boolean,
): Check {
  return {
    place,
    expected,
    holds: (request) => accepts(read(request)),
    received: (request) => describeValue(read(request)),
  };
}

function isEqual(value: unknown, expected: unknown): boolean {
  if (!Array.isArray(expected)) return value === expected;
  return (
    Array.isArray(value) &&
    value.length === expected.length &&
    expected.every((element, index) => element === value[index])
  );
}

/** The largest number of characters of a value in a message. */
const MAX_LENGTH = 120;

/** Returns a value for a message: JSON, truncated. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "number") return String(value); // NaN has no JSON
  if (typeof value === "function") return "a function";
  if (value instanceof Promise) return "a promise";
  const text = jsonText(value) ?? "a value that is not JSON";
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Returns the JSON of a value; `undefined` for a value without JSON, such as a function. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
