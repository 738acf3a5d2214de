import { instantRule, serializeInstant } from "../wire/instant.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { Issue } from "./errors.ts";

/** Properties of queries whose parameters have other names: in the document, and for the service. */
export type ParameterNames = Readonly<Record<string, { readonly documented: string; readonly used: string }>>;

/** A parameter of a query that the contract may name: its names in the call and in the document, and its text. */
export interface Parameter {
  readonly name: string;
  readonly documented: string;
  readonly text: string;
}

/**
 * Serializes the query of a request; `extra` has parameters that the contract does not name. Adds the parameters to
 * `parameters`, and an issue for each value that has no text.
 */
export function serializeQuery(
  { extra = {}, ...query }: JsonObject,
  names: ParameterNames,
  parameters: Parameter[],
  issues: Issue[],
): string {
  const pairs: [name: string, text: string][] = [];
  const add = (name: string, used: string, value: unknown): string | undefined => {
    const text = value === undefined ? undefined : serializeParameter(name, value, issues);
    if (text !== undefined) pairs.push([used, text]);
    return text;
  };
  for (const [name, value] of Object.entries(query)) {
    const { documented, used } = names[name] ?? { documented: name, used: name };
    const text = add(name, used, value);
    if (value !== undefined) parameters.push({ name, documented, text: text ?? "" });
  }
  if (!isObject(extra)) issues.push({ path: "extra", message: "must be an object" });
  for (const [name, value] of Object.entries(extra as object)) add(name, name, value);
  return new URLSearchParams(pairs).toString();
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
