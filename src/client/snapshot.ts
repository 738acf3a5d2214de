import { isObject } from "../wire/json.ts";

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
  const parent: unknown = Object.getPrototypeOf(value);
  const isPlain = parent === null || Object.getPrototypeOf(parent) === null;
  return isPlain && !("toJSON" in value) ? copyProperties(value) : value;
}

function copyProperties(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]));
}

/** Returns the options with these names, and other own ones: also those that a class has as getters. */
export function readOptions<T extends object>(options: T, names: readonly string[]): T {
  if (!isObject(options)) return options;
  const read: Record<string, unknown> = { ...options };
  for (const name of names) if (options[name] !== undefined) read[name] = options[name];
  return read as T; // with the values of its properties
}

/** Copies the options that are data and no objects with methods. */
export function copyOptions<T extends object>(options: T, names: readonly string[]): T {
  if (!isObject(options)) return options;
  const copied: Record<string, unknown> = { ...options };
  for (const name of names) if (name in copied) copied[name] = copy(copied[name]);
  return copied as T; // with the same properties
}
