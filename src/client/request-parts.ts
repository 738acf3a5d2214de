import { isObject, type JsonObject } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import { describeKnownNames } from "../wire/similar-name.ts";
import type { Core, SchemaCheck } from "./core.ts";
import type { Issue } from "./errors.ts";
import { parseWith, type Shape } from "./shape.ts";

/**
 * Serializes the query of a request, and checks it with the generated schema of the operation. `extra` has parameters
 * that the contract does not name.
 */
export async function serializeQuery(
  core: Core,
  operation: Operation | undefined,
  { extra, ...query }: JsonObject,
  issues: Issue[],
): Promise<string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const extras = isObject(extra) ? Object.entries(extra).filter(([, value]) => value !== undefined) : [];
  if (extra !== undefined && !isObject(extra)) issues.push({ path: "extra", message: "must be an object" });
  if (given.length + extras.length === 0) return "";
  const sent: [name: string, text: string][] = [];
  /** The parameters with the names of the schema. */
  const checked: Record<string, string> = {};
  const known = operation?.query ?? [];
  for (const [name, value] of given) {
    const text = serializeParameter(name, value, issues);
    const { documented, used } = core.parameterNames[name] ?? { documented: name, used: name };
    if (operation !== undefined && !known.includes(documented))
      issues.push({ path: name, message: `is not a parameter${describeKnownNames(name, known)}` });
    if (text === undefined) continue;
    checked[documented] = text;
    sent.push([used, text]);
  }
  for (const [name, value] of extras) {
    const text = serializeParameter(name, value, issues);
    if (text !== undefined) sent.push([name, text]);
  }
  if (operation?.query !== undefined && given.length > 0 && issues.length === 0) {
    const check = await core.loadSchemas();
    issues.push(...check(`z${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}Query`, checked));
  }
  return new URLSearchParams(sent).toString();
}

/** An instant with an offset. Another one would be an instant of the service's own time zone. */
const instant = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i;

function serializeParameter(name: string, value: unknown, issues: Issue[]): string | undefined {
  const refuse = (message: string): undefined => void issues.push({ path: name, message });
  const date = value as Date | null | undefined; // of any realm
  if (typeof date?.toISOString === "function" && typeof date.getTime === "function") {
    return Number.isNaN(date.getTime()) ? refuse("is an invalid date") : date.toISOString();
  }
  if (Array.isArray(value)) {
    const isList = value.every(
      (element) => typeof element === "string" && element !== "" && !element.includes(","),
    );
    return isList
      ? value.join(",")
      : refuse("must be an array of strings that are not empty and have no comma");
  }
  if (typeof value === "number" && !Number.isFinite(value)) return refuse(`must not be ${value}`);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string")
    return refuse(`must not be ${value === null ? "null" : `of the type ${typeof value}`}`);
  if (!value.isWellFormed())
    return refuse("must not contain a lone surrogate, which has no percent-encoded form");
  if (name !== "from" && name !== "to") return value;
  const time = instant.test(value) ? Date.parse(value) : Number.NaN;
  // in a URL, services read the `+` of an offset as a blank
  return Number.isNaN(time)
    ? refuse("must be a Date, or an ISO 8601 date-time with an offset or Z")
    : new Date(time).toISOString();
}

/** Serializes a body as JSON, and checks it with the generated schema of the operation. */
export async function serializeBody(
  core: Core,
  operation: Operation | undefined,
  given: unknown,
  shape: Shape | undefined,
  issues: Issue[],
): Promise<string | undefined> {
  const shaped = shape === undefined ? { value: given } : await parseWith(shape, given);
  if (shaped.issues !== undefined) return void issues.push(...shaped.issues);
  const paths = new WeakMap<object, string>();
  let text: string | undefined;
  try {
    // adds an issue for each part that JSON would silently replace by null or `{}`, or leave out
    text = JSON.stringify(shaped.value, function (this: JsonObject, name: string, replaced: unknown) {
      const parent = paths.get(this) ?? "";
      const path = parent === "" ? name : `${parent}.${name}`;
      if (isObject(replaced) || Array.isArray(replaced)) paths.set(replaced, path);
      const problem = describeLoss(this[name], replaced, Array.isArray(this));
      if (problem !== undefined) issues.push({ path, message: `is ${problem}` });
      return problem === undefined ? replaced : null;
    });
  } catch (error) {
    // a cycle, or an error of `toJSON`
    return void issues.push({ path: "", message: `cannot be written as JSON: ${(error as Error).message}` });
  }
  if (operation?.body === undefined || issues.length > 0) return text;
  const check = await core.loadSchemas();
  // the JSON is checked, not the value: in JSON an undefined property is absent and a `Date` is a string
  issues.push(...check(operation.body, text === undefined ? undefined : JSON.parse(text)));
  return text;
}

/** Says what JSON would lose of a value; undefined if it holds all of it. */
function describeLoss(original: unknown, replaced: unknown, isElement: boolean): string | undefined {
  if (typeof replaced === "string" || typeof replaced === "boolean" || Array.isArray(replaced))
    return undefined;
  const cannot = "which JSON cannot hold";
  if (replaced === null) return original === null ? undefined : `an invalid date, ${cannot}`; // its `toJSON` returns null
  if (replaced === undefined) return isElement ? `an element without a value, ${cannot}` : undefined;
  if (typeof replaced === "number") {
    if (!Number.isFinite(replaced)) return `${replaced}, ${cannot}`;
    const isExact = !Number.isInteger(replaced) || Number.isSafeInteger(replaced);
    return isExact ? undefined : "an integer that JavaScript cannot hold exactly";
  }
  if (typeof replaced !== "object") return `a ${typeof replaced}, ${cannot}`;
  // a `Map`, an `Error`, a promise or an object with getters has its content elsewhere, and bytes become an object
  const parent: unknown = Object.getPrototypeOf(replaced);
  const isPlain = parent === null || Object.getPrototypeOf(parent) === null; // of any realm
  const isHidden = (!isPlain && Object.keys(replaced).length === 0) || ArrayBuffer.isView(replaced);
  return isHidden ? `a ${Object.prototype.toString.call(replaced).slice(8, -1)}, ${cannot}` : undefined;
}

/** Loads the schemas of an API with the first write or query: programs that only read do not load zod. */
export function loadOnce(load: () => Promise<Readonly<Record<string, unknown>>>): () => Promise<SchemaCheck> {
  let loaded: Promise<SchemaCheck> | undefined;
  return () => {
    loaded ??= Promise.all([import("./schema-check.ts"), load()]).then(([{ checkWith }, schemas]) =>
      checkWith(schemas),
    );
    // a failed download is tried again
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };
}
