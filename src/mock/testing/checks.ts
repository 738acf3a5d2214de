import type { RequestView } from "../http/request-view.ts";
import { isObject } from "../../wire/json.ts";
import { describeKnownNames } from "../../wire/similar-name.ts";

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
type Read = (request: RequestView) => unknown;

/** Checks for a string, another JSON value without properties, or an array of strings. */
export function valueCheck(place: string, expected: unknown, read: Read): Check {
  return check(place, describeValue(expected), read, (value) => isEqual(value, expected));
}

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

/** @throws {Error} that names the first unknown option */
export function checkNames(part: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`${part}: unknown option "${unknown}"${describeKnownNames(unknown, known)}`);
}

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

/** The limits of a matcher's body: the number of its values, and their depth. */
const MAX_VALUES = 1_000;
const MAX_DEPTH = 100;

type Segments = readonly (string | number)[];

export function bodyChecks(expected: unknown): Check[] {
  const checks: Check[] = [];
  addChecks(expected, [], checks);
  return checks;
}

function addChecks(expected: unknown, segments: Segments, checks: Check[]): void {
  const place = ["body", ...segments].join(".");
  if (checks.length >= MAX_VALUES) throw new Error(`body: a matcher takes at most ${MAX_VALUES} values`);
  if (segments.length > MAX_DEPTH)
    throw new Error(`body: a matcher is nested at most ${MAX_DEPTH} levels deep`);
  const read = (request: RequestView) => valueAt(request.body, segments);
  if (Array.isArray(expected)) {
    const { length } = expected;
    checks.push(
      check(place, `an array of length ${length}`, read, (it) => Array.isArray(it) && it.length === length),
    );
    for (const [index, element] of expected.entries()) addChecks(element, [...segments, index], checks);
  } else if (typeof expected === "object" && expected !== null) {
    assertPlain(place, expected);
    checks.push(check(place, "an object", read, isObject));
    for (const [name, property] of Object.entries(expected)) addChecks(property, [...segments, name], checks);
  } else {
    assertJson(place, expected);
    checks.push(valueCheck(place, expected, read));
  }
}

function assertPlain(place: string, value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  // objects of another realm have another `Object.prototype`
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  throw new Error(`${place} must be JSON, not an instance of ${value.constructor.name}`);
}

function assertJson(place: string, value: unknown): void {
  if (value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value)) return;
  throw new Error(`${place} must be JSON, not ${describeValue(value)}`);
}

function valueAt(body: unknown, segments: Segments): unknown {
  let value = body;
  for (const segment of segments) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = Reflect.get(value, segment);
  }
  return value;
}
