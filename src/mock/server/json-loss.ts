/** The place of a value that JSON cannot hold, and the reason. */
export interface JsonLoss {
  path: string;
  message: string;
}

/** Returns an issue for each value that JSON would silently replace by null or `{}`, or leave out. */
export function findJsonLoss(given: unknown, path = "", isElement = false): JsonLoss[] {
  const { toJSON } = Object(given ?? {}) as { toJSON?: unknown };
  const value: unknown = typeof toJSON === "function" ? toJSON.call(given, "") : given;
  // an invalid date becomes null
  const isLost = value === undefined ? isElement || given !== undefined : value === null && given !== null;
  const what = isLost ? "without a value" : describeLoss(value);
  if (what !== undefined) return [{ path, message: `is ${what}, which JSON cannot hold` }];
  if (typeof value !== "object" || value === null) return [];
  const isArray = Array.isArray(value);
  // `entries` of an array also returns the holes
  const parts = isArray ? [...value.entries()] : Object.entries(value);
  return parts.flatMap(([name, inner]) => findJsonLoss(inner, `${path}${path && "."}${name}`, isArray));
}

function describeLoss(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (/^(?:function|symbol|bigint)$/.test(typeof value)) return `a ${typeof value}`;
  return value instanceof Map || value instanceof Set ? `a ${value.constructor.name}` : undefined;
}
