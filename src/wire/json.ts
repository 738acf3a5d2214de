/** A JSON object whose properties the contract shows only in part, or not at all. */
export interface JsonObject {
  [property: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object has no class, in any realm. */
export function isPlain(value: object): boolean {
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/** The depth to which JSON of others is nested at most: deeper values exceed the stack of code that walks them. */
const maxDepth = 500;

/**
 * Whether the JSON in a text is nested deeper than `levels`. `JSON.parse` takes 2 µs for each level: minutes for a body of
 * brackets. For other JSON this takes as long as `JSON.parse`.
 */
export function nestsTooDeep(text: string, levels = maxDepth): boolean {
  let open = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length && open <= levels; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 34) isQuoted = !isQuoted;
    else if (isQuoted) index += Number(unit === 92);
    else if ((unit | 32) === 123) open += 1;
    else if ((unit | 32) === 125) open -= 1;
  }
  return open > levels;
}

/** Parses JSON, with or without a byte order mark; undefined if the text is not JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  if (nestsTooDeep(text)) return undefined;
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** Returns a value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the strings of an array; an empty array if the value is not an array. */
export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Returns the objects of an array; an empty array if the value is not an array. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
