import { isPlain } from "../wire/json.ts";

/**
 * Returns a copy of an argument, so that later changes of the caller change nothing: of arrays, plain objects and dates, of
 * any realm. Other objects are returned as they are.
 */
export function copyArgument<T>(value: T): T {
  try {
    return copy(value) as T; // of the same form
  } catch {
    return value; // one that refers to itself, or whose getters throw: what reads it says what is wrong
  }
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== "object" || value === null) return value;
  if (Object.prototype.toString.call(value) === "[object Date]") return new Date((value as Date).getTime());
  if (!isPlain(value) || "toJSON" in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]));
}
