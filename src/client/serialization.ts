import { isUuid } from "./id.ts";
import { instantRule, serializeInstant } from "../wire/instant.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { Operation, QueryRule, QueryRules } from "../wire/operation.ts";
import { describeKnownNames } from "../wire/names.ts";
import type { Issue } from "./errors.ts";

/** Properties of queries whose parameters have other names: in the document, and for the service. */
export type ParameterNames = Readonly<Record<string, { readonly documented: string; readonly used: string }>>;

/** Writes the IDs of a call into the path. Adds an issue for each one that a URL cannot hold. */
export function serializePath({ path, formats }: Operation, ids: JsonObject, issues: Issue[]): string {
  let written = "";
  let end = 0;
  for (let start = path.indexOf("{"); start >= 0; start = path.indexOf("{", end)) {
    written += path.slice(end, start);
    end = path.indexOf("}", start) + 1;
    const name = path.slice(start + 1, end - 1);
    const id = ids[name];
    let message: string | undefined;
    if (typeof id !== "string" || !id.isWellFormed()) message = "must be a well-formed string";
    // URL parsers remove dot segments, so the path would be another one
    else if (id === "" || id === "." || id === "..") message = "must not be empty, `.` or `..`";
    else if (formats?.[name] === "uuid" && !isUuid(id)) message = "must be a UUID";
    else written += encodeURIComponent(id);
    if (message !== undefined) issues.push({ path: name, message });
  }
  return written + path.slice(end);
}

/**
 * Serializes the query of a call, and checks it: zod would take longer to load than a request. Adds each issue.
 * @param query its parameters, and in `extra` those that the contract does not name
 * @param rules the parameters of the operation
 */
export function serializeQuery(
  { extra = {}, ...query }: JsonObject,
  rules: QueryRules,
  names: ParameterNames,
  issues: Issue[],
): string {
  const pairs: [name: string, text: string][] = [];
  const given = new Set<string>();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const { documented, used } = names[name] ?? { documented: name, used: name };
    const refuse = (message: string): undefined => void issues.push({ path: name, message });
    const rule = Object.hasOwn(rules, documented) ? rules[documented] : undefined;
    given.add(documented);
    if (rule === undefined) refuse(`is not a parameter${describeKnownNames(name, Object.keys(rules))}`);
    const text = serializeParameter(name, value, refuse);
    const mistake = rule && text !== undefined ? findMistake(rule, text) : undefined;
    if (mistake !== undefined) refuse(mistake);
    if (text !== undefined) pairs.push([used, text]);
  }
  for (const [name, { required }] of Object.entries(rules))
    if (required === true && !given.has(name)) issues.push({ path: name, message: "is required" });
  if (!isObject(extra)) issues.push({ path: "extra", message: "must be an object" });
  for (const [name, value] of Object.entries(extra as object)) {
    const refuse = (message: string): undefined => void issues.push({ path: name, message });
    const text = value === undefined ? undefined : serializeParameter(name, value, refuse);
    if (text !== undefined) pairs.push([name, text]);
  }
  return new URLSearchParams(pairs).toString();
}

/** Returns what is wrong with the text of a parameter. */
export function findMistake(rule: QueryRule, text: string): string | undefined {
  if (rule.values?.includes(text) === false) return `must be one of ${rule.values.join(", ")}`;
  switch (rule.type) {
    case "boolean":
      return text === "true" || text === "false" ? undefined : "must be true or false";
    case "uuid":
      return isUuid(text) ? undefined : "must be a UUID";
    case "date-time":
      return Number.isNaN(Date.parse(text)) ? "must be an ISO 8601 date-time" : undefined;
    case "integer":
      return /^-?\d{1,15}$/.test(text) ? findBound(rule, Number(text)) : "must be an integer";
    case "number":
      return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? findBound(rule, Number(text)) : "must be a number";
    default:
      return undefined;
  }
}

function findBound({ minimum, maximum }: QueryRule, value: number): string | undefined {
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
}

/** Serializes a body as JSON; undefined if it cannot be sent. Adds an issue for each part that JSON would change. */
export function serializeBody(value: unknown, issues: Issue[]): string | undefined {
  const paths = new WeakMap<object, string>();
  try {
    return JSON.stringify(value, function (this: JsonObject, name: string, replaced: unknown) {
      const parent = paths.get(this) ?? "";
      const path = parent === "" ? name : `${parent}.${name}`;
      if (isObject(replaced) || Array.isArray(replaced)) paths.set(replaced, path);
      const problem = describeLoss(this[name], replaced, Array.isArray(this));
      if (problem === undefined) return replaced;
      issues.push({ path, message: `is ${problem}` });
      return null;
    });
  } catch (error) {
    // a cycle, or an error of `toJSON`
    issues.push({ path: "", message: `cannot be written as JSON: ${(error as Error).message}` });
    return undefined;
  }
}

/** Returns the text of a parameter; undefined if it has none, after the reason was given to `refuse`. */
function serializeParameter(
  name: string,
  value: unknown,
  refuse: (message: string) => undefined,
): string | undefined {
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
  const isInstant = name === "from" || name === "to";
  // a number of milliseconds would be one of seconds for another service
  if (typeof value === "number" || typeof value === "boolean")
    return isInstant ? refuse(instantRule) : String(value);
  if (typeof value !== "string")
    return refuse(`must not be ${value === null ? "null" : `of the type ${typeof value}`}`);
  if (!value.isWellFormed())
    return refuse("must not contain a lone surrogate, which has no percent-encoded form");
  if (!isInstant) return value;
  // in a URL, services read the `+` of an offset as a blank
  return serializeInstant(value) ?? refuse(instantRule);
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
