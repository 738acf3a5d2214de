import { isObject } from "../../wire/json.ts";

/** Whether two values have the same JSON, in any order of properties. An undefined property counts as absent. */
export function isSameJson(first: unknown, second: unknown): boolean {
  const [a, b] = [jsonOf(first), jsonOf(second)];
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => isSameJson(value, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSameJson(a[name], b[name]));
}

/** Returns what `JSON.stringify` writes instead of a value, such as the text of a `Date`. */
function jsonOf(value: unknown): unknown {
  if (!isObject(value) || typeof value.toJSON !== "function") return value;
  return (value as { toJSON(): unknown }).toJSON(); // as was checked
}

/**
 * Whether a value has all that another one has. An undefined property of the other one is ignored. An absent property equals
 * null, except in a summary, which does not show all properties.
 */
export function containsJson(first: unknown, second: unknown, isSummary = false): boolean {
  const [actual, expected] = [jsonOf(first), jsonOf(second)];
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value, index) => containsJson(actual[index], value, isSummary))
    );
  if (!isObject(expected)) return (isSummary ? actual : (actual ?? null)) === (expected ?? null);
  return (
    isObject(actual) &&
    Object.entries(expected).every(
      ([name, value]) => value === undefined || containsJson(actual[name], value, isSummary),
    )
  );
}
