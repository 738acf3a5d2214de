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

/** Returns JSON with sorted property names, which is equal for values with the same JSON. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** The depth up to which values are compared, copied and written without a risk for the stack. */
const maxDepth = 500;

/** Whether arrays and objects are nested more than 500 levels deep. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const next: unknown[] = [];
    for (const part of level)
      if (typeof part === "object" && part !== null)
        for (const inner of Object.values(part)) next.push(inner);
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}

/** Whether a value has all that another one has. Null and an absent property are equal. */
export function containsJson(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value, at) => containsJson(actual[at], value))
    );
  if (!isObject(expected)) return Object.is(actual ?? null, expected ?? null);
  return (
    isObject(actual) && Object.entries(expected).every(([name, value]) => containsJson(actual[name], value))
  );
}
