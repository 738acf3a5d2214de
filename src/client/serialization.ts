import { isUuid, uuidForm } from "./id.ts";
import { instantRule, serializeInstant } from "../wire/instant.ts";
import { isObject, isPlain, type JsonObject } from "../wire/json.ts";
import type { Operation, QueryRule, QueryRules } from "../wire/operation.ts";
import type { Issue } from "./errors.ts";

/** Properties of queries whose parameters have other names: in the document, and for the service. */
export type ParameterNames = Readonly<Record<string, { readonly documented: string; readonly used: string }>>;

/** Writes the IDs of a call into the path. Adds an issue for each one that a URL cannot hold. */
export function serializePath({ path, formats }: Operation, ids: JsonObject, issues: Issue[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    const message = findIdMistake(id, formats?.[name] === "uuid");
    if (message === undefined) return encodeURIComponent(id as string);
    issues.push({ path: name, message });
    return "";
  });
}

function findIdMistake(id: unknown, isUuidExpected: boolean): string | undefined {
  if (typeof id !== "string" || !id.isWellFormed()) return "must be a well-formed string";
  // URL parsers remove dot segments, so the path would be another one
  if (id === "" || id === "." || id === "..") return "must not be empty, `.` or `..`";
  return isUuidExpected && !isUuid(id) ? "must be a UUID" : undefined;
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
  const add = (path: string, value: unknown, sentAs: string, rule?: QueryRule): void => {
    if (value === undefined) return;
    const isInstant = rule?.type === "date-time";
    const text = isInstant ? serializeInstant(value) : serializeValue(value);
    if (text === undefined) return void issues.push({ path, message: isInstant ? instantRule : valueRule });
    pairs.push([sentAs, text]);
    const message = rule && findMistake(rule, text);
    if (message !== undefined) issues.push({ path, message });
  };
  for (const [name, value] of Object.entries(query)) {
    const { documented, used } = names[name] ?? { documented: name, used: name };
    const rule = Object.hasOwn(rules, documented) ? rules[documented] : undefined;
    if (rule !== undefined || value === undefined) add(name, value, used, rule);
    else
      issues.push({
        path: name,
        message: `is not a parameter. Expected one of ${Object.keys(rules).join(", ")}`,
      });
  }
  for (const [path, { required }] of Object.entries(rules))
    if (required === true && query[path] === undefined) issues.push({ path, message: "is required" });
  if (!isObject(extra)) issues.push({ path: "extra", message: "must be an object" });
  for (const [name, value] of Object.entries(extra as object)) add(name, value, name);
  return new URLSearchParams(pairs).toString();
}

const valueRule =
  "must be a well-formed string, a finite number, a boolean, a Date, or a non-empty array of non-empty strings without commas";

/** Returns the text of a parameter that is not an instant; undefined if it has none. */
function serializeValue(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? value : undefined;
  if (typeof value === "boolean" || Number.isFinite(value)) return String(value);
  if (!Array.isArray(value)) return serializeInstant(value);
  // an empty list would be sent as an empty text, which services take for no filter
  const isList = value.every((element) => typeof element === "string" && /^[^,]+$/.test(element));
  return isList && value.length > 0 ? value.join(",") : undefined;
}

/** What the texts of a type must be. */
const forms: Partial<Record<QueryRule["type"], readonly [form: RegExp, what: string]>> = {
  boolean: [/^(?:true|false)$/, "true or false"],
  uuid: [uuidForm, "a UUID"],
  integer: [/^-?\d{1,15}$/, "an integer"],
  number: [/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, "a number"],
};

/** Returns what is wrong with the text of a parameter. */
export function findMistake({ type, values, minimum, maximum }: QueryRule, text: string): string | undefined {
  if (values?.includes(text) === false) return `must be one of ${values.join(", ")}`;
  const [form, what] = forms[type] ?? [];
  if (form?.test(text) === false) return `must be ${what}`;
  if (minimum !== undefined && Number(text) < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && Number(text) > maximum ? `must be at most ${maximum}` : undefined;
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
  const isHidden = (!isPlain(replaced) && Object.keys(replaced).length === 0) || ArrayBuffer.isView(replaced);
  return isHidden ? `a ${Object.prototype.toString.call(replaced).slice(8, -1)}, ${cannot}` : undefined;
}
