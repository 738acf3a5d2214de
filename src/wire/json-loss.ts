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
  if (Object.keys(value).length === 0) return `a ${name} without own properties`;
  return inherited.length === 0 ? undefined : `a ${name} with inherited properties (${inherited.join(", ")})`;
}

/** Returns the properties that an object has from its class or another prototype; undefined for a plain object. */
function inheritedNames(value: object): string[] | undefined {
  const names: string[] = [];
  const prototypes = inheritedPrototypes(value);
  for (const prototype of prototypes)
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof property.value !== "function" && !Object.hasOwn(value, name)) names.push(name);
  return prototypes.length === 0 ? undefined : names;
}

/** Returns the prototypes of an object without the last one, which is `Object.prototype`, perhaps that of another realm. */
function inheritedPrototypes(value: object): object[] {
  const prototype = Object.getPrototypeOf(value) as object | null; // the engine returns no other
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return [];
  return [prototype, ...inheritedPrototypes(prototype)];
}
