import { hash } from "../wire/hash.ts";
import { isObject } from "../wire/json.ts";
import { type Issue, serializeBody } from "./clients.ts";

/** Returns JSON with sorted property names, which is equal for values with the same JSON. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, sortProperties) ?? "null";
}

function sortProperties(_: string, part: unknown): unknown {
  if (!isObject(part)) return part;
  return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function isSameJson(first: unknown, second: unknown): boolean {
  return sortedJson(first) === sortedJson(second);
}

/** Returns the value that the JSON of another one has. Adds an issue for each part that JSON would change. */
export function copyJson(value: unknown, issues: Issue[] = []): unknown {
  return JSON.parse(serializeBody(value, issues) ?? "null");
}

/**
 * Whether a value has all that another one has. A null property counts as absent, unless the value is a summary, which need
 * not show all of its properties.
 */
export function containsJson(actual: unknown, expected: unknown, isSummary = false): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value, index) => containsJson(actual[index], value, isSummary))
    );
  if (!isObject(expected)) return (isSummary ? actual : (actual ?? null)) === (expected ?? null);
  return (
    isObject(actual) &&
    Object.entries(expected).every(([name, value]) => containsJson(actual[name], value, isSummary))
  );
}

/** Returns 11 characters for a value: 53 bits of its JSON, so that two of a million differ almost certainly. */
export function hashJson(value: unknown): string {
  return hash(sortedJson(value)).toString(36).padStart(11, "0");
}
