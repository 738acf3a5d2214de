/** The place of a value that JSON cannot hold, and the reason. */
export interface JsonLoss {
  path: string;
  message: string;
}

/** Returns an issue for each value that JSON would silently replace by null or `{}`, or leave out. */
export function findJsonLoss(given: unknown, path = "", isElement = false): JsonLoss[] {
  const { toJSON } = Object(given ?? {}) as { toJSON?: unknown };
  const value: unknown = typeof toJSON === "function" ? toJSON.call(given, "") : given;
  // an invalid date of any library becomes null
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
  if (typeof value !== "object" || value === null || Array.isArray(value) || !hidesProperties(value))
    return undefined;
  return `a ${(value.constructor as { name?: string } | undefined)?.name} with hidden properties`;
}

/**
 * Whether an object has properties of its class or another prototype, or may only have private ones: a copy of it and
 * `Object.entries` leave them out.
 */
function hidesProperties(value: object, from = value): boolean {
  const prototype = Object.getPrototypeOf(from) as object | null; // the engine returns no other
  // the prototype of plain objects, perhaps that of another realm
  if (prototype === null || Object.getPrototypeOf(prototype) === null)
    return from !== value && Object.keys(value).length === 0;
  const inherited = Object.values(Object.getOwnPropertyDescriptors(prototype));
  return (
    inherited.some((property) => typeof property.value !== "function") || hidesProperties(value, prototype)
  );
}
