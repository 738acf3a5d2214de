/** A JSON object whose properties the contract shows only in part, or not at all. */
export interface JsonObject {
  [property: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined if the text is not JSON. `revive` receives each value after the values inside it. */
export function parseJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined; // not JSON, or nested too deeply for a reviver
  }
}

/** Returns the object with renamed properties. */
export function renameProperties(object: JsonObject, rename: (name: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));
}

/** Whether two values have the same JSON, in any order of properties. An undefined property counts as absent. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, at) => isSameJson(value, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSameJson(one[name], other[name]));
}
