import { isObject, type JsonObject } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import { isPathId } from "../wire/path-segment.ts";
import { describeKnownNames } from "../wire/similar-name.ts";
import { isUuid } from "../wire/uuid.ts";
import { hasMethods } from "./checks.ts";
import type { Core } from "./core.ts";
import type { Issue } from "./errors.ts";
import { parseWith, type Shape } from "./shape.ts";

/** Returns what is wrong with the IDs of a path. URL parsers remove dot segments, so the path would be another one. */
export function findPathIssues(route: string, path: JsonObject, operation: Operation | undefined): Issue[] {
  const issues: Issue[] = [];
  for (let start = route.indexOf("{"); start >= 0; start = route.indexOf("{", start + 1)) {
    const name = route.slice(start + 1, route.indexOf("}", start));
    const message = describeIdIssue(path[name], operation?.formats?.[name] === "uuid");
    if (message !== undefined) issues.push({ path: name, message });
  }
  return issues;
}

function describeIdIssue(id: unknown, isUuidExpected: boolean): string | undefined {
  if (typeof id !== "string") return "must be a string";
  if (!isPathId(id))
    return `must not be ${id === "" ? "empty" : "a dot segment"}, because the path would be a different one`;
  if (!id.isWellFormed()) return "must not contain a lone surrogate, which has no percent-encoded form";
  return isUuidExpected && !isUuid(id) ? "must be a UUID" : undefined;
}

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
  const known = Object.keys(operation?.query ?? {});
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
  if (hasMethods(value, "toISOString", "getTime")) {
    const date = value as Date; // of any realm
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
  const text = toJson(shaped.value, issues);
  if (operation?.body === undefined || issues.length > 0) return text;
  const check = await core.loadSchemas();
  // the JSON is checked, not the value: in JSON an undefined property is absent and a `Date` is a string
  issues.push(...check(operation.body, text === undefined ? undefined : JSON.parse(text)));
  return text;
}

/** Serializes a value, and adds an issue for each part that JSON would silently replace by null or `{}`, or leave out. */
function toJson(value: unknown, issues: Issue[]): string | undefined {
  const paths = new WeakMap<object, string>();
  const replace = function (this: object, name: string, replaced: unknown): unknown {
    const original = (this as JsonObject)[name];
    const parent = paths.get(this) ?? "";
    const path = parent === "" ? name : `${parent}.${name}`;
    const problem = describeLoss(original, replaced, Array.isArray(this));
    if (problem !== undefined) issues.push({ path, message: `is ${problem}, which JSON cannot hold` });
    if (typeof replaced === "object" && replaced !== null) paths.set(replaced, path);
    return problem === undefined ? replaced : null;
  };
  try {
    return JSON.stringify(value, replace);
  } catch (error) {
    issues.push({ path: "", message: `cannot be written as JSON: ${(error as Error).message}` }); // a cycle, or of `toJSON`
    return undefined;
  }
}

function describeLoss(original: unknown, replaced: unknown, isElement: boolean): string | undefined {
  if (replaced === null) return original === null ? undefined : "an invalid date"; // its `toJSON` returns null
  if (replaced === undefined) return isElement ? "an element without a value" : undefined;
  if (typeof replaced === "number") return Number.isFinite(replaced) ? undefined : String(replaced);
  if (typeof replaced === "function" || typeof replaced === "symbol" || typeof replaced === "bigint")
    return `a ${typeof replaced}`;
  if (typeof replaced !== "object" || Array.isArray(replaced)) return undefined;
  // a `Map`, a `Set` and a promise have their content elsewhere
  const isHidden =
    hasMethods(replaced, "then") || (hasMethods(replaced, "has", "delete") && "size" in replaced);
  return isHidden ? `a ${Object.prototype.toString.call(replaced).slice(8, -1)}` : undefined;
}
