import { isObject } from "../../wire/json.ts";
import { type Check, check, describeValue, valueCheck } from "./check.ts";
import type { RequestView } from "../http/request-view.ts";

/** The limits of a matcher's body: the number of its values, and their depth. */
const MAX_VALUES = 1_000;
const MAX_DEPTH = 100;

type Segments = readonly (string | number)[];

/** Returns one check for each value of the expected body. */
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
    value = (value as Record<string | number, unknown>)[segment];
  }
  return value;
}
