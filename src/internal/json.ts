/** A JSON object whose members the contract does not show, or does not show all of. */
export interface JsonObject {
  [member: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text's JSON, or undefined. `revive` sees each value from the inside out. */
export function parseJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined; // no JSON, or nested too deep for a reviver
  }
}

/** The same object with its members renamed. */
export function renameMembers(object: JsonObject, rename: (name: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));
}

/** Whether two values have the same JSON, in any order of members. A member that is undefined counts as absent. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, at) => isSameJson(value, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSameJson(one[name], other[name]));
}
