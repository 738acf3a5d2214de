// Loaded with the first write or query, or response under `validate: "full"`: other programs do not load zod.
import * as z from "zod/mini";
import { issueMessage } from "../wire/issue-message.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import { describeKnownNames } from "../wire/similar-name.ts";
import type { Issue } from "./errors.ts";
import { isSimilarId } from "../wire/id.ts";

/** A list that a PUT has written. */
export interface WrittenList {
  /** The name of the input in the contract, e.g. `contactInput`. */
  readonly input: string;
  /** Whether the list has no other elements. */
  readonly isReplaced: boolean;
}

/** Properties of queries whose parameters have other names: in the document, and for the service. */
export type ParameterNames = Readonly<Record<string, { readonly documented: string; readonly used: string }>>;

/** The properties of an input that may be sent, and the values of omitted ones. */
interface InputProperties {
  readonly sent: readonly string[];
  readonly defaults: Readonly<JsonObject>;
}

/** Checks requests and responses with the generated schemas of one API. */
export class ContractCheck {
  readonly #schemas: Readonly<Record<string, unknown>>;

  constructor(schemas: Readonly<Record<string, unknown>>) {
    this.#schemas = schemas;
  }

  #schemaOf({ id }: Operation, part: "Query" | "Body" | "Response"): z.ZodMiniType | undefined {
    // the schemas come from the same generator
    return this.#schemas[`z${id.charAt(0).toUpperCase()}${id.slice(1)}${part}`] as z.ZodMiniType | undefined;
  }

  /**
   * Serializes the query of a request. `extra` has parameters that the contract does not name.
   * @param names properties whose parameters have other names
   */
  serializeQuery(
    operation: Operation,
    names: ParameterNames,
    { extra = {}, ...query }: JsonObject,
    issues: Issue[],
  ): string {
    const schema = this.#schemaOf(operation, "Query");
    const known = Object.keys((schema as z.ZodMiniObject | undefined)?.shape ?? {});
    const sent: [name: string, text: string][] = [];
    /** The parameters with the names of the schema. */
    const checked: Record<string, string> = {};
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      const text = serializeParameter(name, value, issues);
      const { documented, used } = names[name] ?? { documented: name, used: name };
      if (!known.includes(documented))
        issues.push({ path: name, message: `is not a parameter${describeKnownNames(name, known)}` });
      if (text === undefined) continue;
      checked[documented] = text;
      sent.push([used, text]);
    }
    if (!isObject(extra)) issues.push({ path: "extra", message: "must be an object" });
    for (const [name, value] of Object.entries(extra as object)) {
      const text = value === undefined ? undefined : serializeParameter(name, value, issues);
      if (text !== undefined) sent.push([name, text]);
    }
    if (schema !== undefined && issues.length === 0) issues.push(...validate(schema, checked));
    return new URLSearchParams(sent).toString();
  }

  /** Serializes a body as JSON; undefined if it cannot be sent. */
  serializeBody(operation: Operation, value: unknown, issues: Issue[]): string | undefined {
    const paths = new WeakMap<object, string>();
    let text: string | undefined;
    try {
      // adds an issue for each part that JSON would silently replace by null or `{}`, or leave out
      text = JSON.stringify(value, function (this: JsonObject, name: string, replaced: unknown) {
        const parent = paths.get(this) ?? "";
        const path = parent === "" ? name : `${parent}.${name}`;
        if (isObject(replaced) || Array.isArray(replaced)) paths.set(replaced, path);
        const problem = describeLoss(this[name], replaced, Array.isArray(this));
        if (problem !== undefined) issues.push({ path, message: `is ${problem}` });
        return problem === undefined ? replaced : null;
      });
    } catch (error) {
      // a cycle, or an error of `toJSON`
      return void issues.push({
        path: "",
        message: `cannot be written as JSON: ${(error as Error).message}`,
      });
    }
    const schema = this.#schemaOf(operation, "Body");
    if (schema === undefined || issues.length > 0) return text;
    // the JSON is checked, not the value: in JSON an undefined property is absent and a `Date` is a string
    issues.push(...validate(schema, text === undefined ? undefined : JSON.parse(text)));
    return text;
  }

  /** Checks the whole body of a response, and that it is about the requested entity. */
  checkResponse(operation: Operation, path: JsonObject, json: JsonObject): Issue[] {
    const schema = this.#schemaOf(operation, "Response") as z.ZodMiniType; // each operation has one
    return [...validate(schema, json), ...findInexact(json), ...findOtherEntity(json, path)];
  }

  /**
   * Returns what the response to the write of a list does not show as it was sent. A service may add properties and elements'
   * IDs, leave out what is null, and write a text in another form: only its letters and digits are compared.
   */
  findUnwritten({ input, isReplaced }: WrittenList, body: unknown, response: unknown): Issue[] {
    const { sent, defaults } = this.#schemas[input] as InputProperties; // from the same generator
    const [elements = []] = Object.values(body as Record<string, JsonObject[]>);
    const { items } = response as { items: JsonObject[] }; // `read` has checked it
    const isShown = (element: JsonObject, item: JsonObject | undefined): boolean =>
      element["status"] === "disabled" || // a response may leave it out
      sent.every((name) => {
        // what an omitted property that may be null becomes is a gap
        const expected = element[name] === undefined ? (defaults[name] ?? undefined) : element[name];
        return (
          expected === undefined || name.endsWith("Id") || lettersOf(item?.[name]) === lettersOf(expected)
        );
      });
    const issues = elements.flatMap((element, index) =>
      // usually it has the same place
      [items[index], ...items].some((item) => isShown(element, item))
        ? []
        : [{ path: String(index), message: "is not in the response as it was sent" }],
    );
    if (isReplaced && items.length !== elements.length)
      issues.push({ path: "items", message: `has ${items.length} elements instead of ${elements.length}` });
    return issues;
  }
}

function validate(schema: z.ZodMiniType, value: unknown): Issue[] {
  const { error } = z.safeParse(schema, value);
  if (error === undefined) return [];
  return error.issues.map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issueMessage(issue, value),
  }));
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

/** Returns an issue for each integer beyond 2^53: `JSON.parse` may have changed it, so it cannot be sent back. */
function findInexact(value: unknown, path = ""): Issue[] {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return [{ path, message: "is an integer that JavaScript cannot hold exactly" }];
  if (typeof value !== "object" || value === null) return [];
  const prefix = path === "" ? "" : `${path}.`;
  return Object.entries(value).flatMap(([name, inner]) => findInexact(inner, prefix + name));
}

/** Returns the issue of a response about another entity than that of the path, as from a cache with a wrong key. */
function findOtherEntity(json: JsonObject, path: JsonObject): Issue[] {
  const data = isObject(json["data"]) ? json["data"] : json;
  return Object.entries(path)
    .filter(([name, id]) => data[name] !== undefined && data[name] !== null && !isSimilarId(data[name], id))
    .map(([name]) => ({ path: name, message: "is not the requested one" }));
}

/** Returns the letters and digits of a value, or of the values of a list in any order. */
function lettersOf(value: unknown): string {
  const parts = [value ?? null].flat().map(String).toSorted();
  return parts
    .join(" ")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
