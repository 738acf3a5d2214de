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
