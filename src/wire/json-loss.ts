import { isObject, isTooDeep, maxDepth } from "./json.ts";

/** The place of a value that JSON cannot hold, and the reason. */
export interface JsonLoss {
  path: string;
  message: string;
}

/** Returns the reasons why a value of the caller is not an object that can be compared with JSON and sent. */
export function findUnsendable(value: unknown, path = ""): JsonLoss[] {
  if (!isObject(value)) return [{ path, message: "must be an object" }];
  const tooDeep = { path, message: `is nested more than ${maxDepth} levels deep` };
  return isTooDeep(value) ? [tooDeep] : findJsonLoss(value, path);
}

/** Returns an issue for each value that JSON would silently replace by null or `{}`, or leave out. */
export function findJsonLoss(given: unknown, path = "", isElement = false): JsonLoss[] {
  const value = isObject(given) && typeof given.toJSON === "function" ? callToJson(given) : given;
  const isMissing = value === undefined && (isElement || value !== given);
  const what = isMissing ? "undefined" : describeLoss(value);
  if (what !== undefined) return [{ path, message: `is ${what}, which JSON cannot hold` }];
  if (typeof value !== "object" || value === null) return [];
  const prefix = path === "" ? "" : `${path}.`;
  if (Array.isArray(value))
    return Array.from(value).flatMap((inner, index) => findJsonLoss(inner, `${prefix}${index}`, true));
  return Object.entries(value).flatMap(([name, inner]) => findJsonLoss(inner, prefix + name));
}

function callToJson(value: object): unknown {
  const json = (value as { toJSON(key: string): unknown }).toJSON(""); // as was checked
  return value instanceof Date ? (json ?? Number.NaN) : json; // an invalid date has no JSON
}

function describeLoss(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (["function", "symbol", "bigint"].includes(typeof value)) return `a ${typeof value}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if ("then" in value && typeof value.then === "function") return "a promise";
  const inherited = inheritedNames(value);
  if (inherited === undefined) return undefined;
  const name = typeof value.constructor === "function" ? value.constructor.name : "class";
  if (Object.keys(value).length === 0) return `a ${name} without properties of its own`;
  return inherited.length === 0 ? undefined : `a ${name} with inherited properties (${inherited.join(", ")})`;
}

/** Returns the properties that an object has from its class or another prototype; undefined for a plain object. */
function inheritedNames(value: object): string[] | undefined {
  // independent of the realm, as objects of test runners and of `structuredClone` can be those of another one
  const isPlain = (prototype: object | null): boolean =>
    prototype === null || Object.getPrototypeOf(prototype) === null;
  let prototype = Object.getPrototypeOf(value) as object | null; // the engine returns no other
  if (isPlain(prototype)) return undefined;
  const names: string[] = [];
  while (prototype !== null && !isPlain(prototype)) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof property.value !== "function" && !Object.hasOwn(value, name)) names.push(name);
    prototype = Object.getPrototypeOf(prototype) as object | null; // as above
  }
  return names;
}
