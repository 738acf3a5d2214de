import * as z from "zod/mini";
import { issueMessage, valueAt } from "../../wire/issue-message.ts";
import { isPathId } from "./routes.ts";
import { isObject, objectOf } from "../../wire/json.ts";
import { describeKnownNames } from "../../wire/similar-name.ts";
import type { Issue } from "./exchange.ts";

export type Schema<Value = unknown> = z.ZodMiniType<Value>;

export const positiveInteger = z.int().check(z.refine((count) => count > 0, "must be a positive integer"));

/** An ID that can be a segment of a path. */
export const idSchema = z.string().check(
  z.refine((id) => id !== "", "must be a non-empty string"),
  z.refine((id) => id === "" || isPathId(id), "must not be a dot segment"),
);

/** The largest number of issues in an error: those of a large body would be as large as the body. */
export const MAX_ISSUES = 100;

/** Checks a part of a request; `value` is the parsed value, or the original if the check failed. */
export function checkSchema(schema: Schema | undefined, given: unknown): { issues: Issue[]; value: unknown } {
  if (schema === undefined) return { issues: [], value: given };
  const { issues, value } = findIssues(schema, given);
  const listed = issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issueMessage(issue, given),
    code: issue.code,
  }));
  return { issues: listed, value };
}

/**
 * Returns the parsed value of a user: an option, an effect, a part of a state. Throws an error that names the first invalid
 * place, such as `store.stores[3].name`, and does not quote its value, which may be a secret.
 */
export function parse<Value>(schema: Schema<Value>, given: unknown, place: string): Value {
  const { data, error } = z.safeParse(schema, given);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return data as Value; // there is no error
  throw new Error(describeIssue(schema, issue, given, place));
}

function describeIssue(schema: Schema, issue: z.core.$ZodIssue, given: unknown, place: string): string {
  const path = issue.path.reduce<string>(
    (before, key) =>
      typeof key === "number" ? `${before}[${key}]` : `${before}${before && "."}${String(key)}`,
    place,
  );
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(schemaAt(schema, issue.path).shape ?? {});
    const [name = ""] = issue.keys;
    return `${path}: unknown property "${name}"${describeKnownNames(name, known)}`;
  }
  if (issue.message.startsWith("must ")) return `${path} ${issue.message}`; // that of our schema
  const value = valueAt(given, issue.path);
  return `${path} ${value === undefined && issue.path.length > 0 ? "is required" : issueMessage(issue, given)}`;
}

function schemaAt(schema: Schema, path: readonly PropertyKey[]): SchemaParts {
  return path.reduce<SchemaParts>(
    (parts, key) => partsOf((typeof key === "number" ? parts.element : parts.shape?.[String(key)]) ?? schema),
    partsOf(schema),
  );
}

/** The parts of a schema that describe properties, without its wrappers for optional values and defaults. */
export interface SchemaParts {
  readonly schema: Schema;
  readonly type: string;
  /** The properties of an object. */
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly properties?: readonly (readonly [name: string, schema: Schema])[];
  readonly element?: Schema;
  readonly isInteger: boolean;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

/** The part of a zod definition that depends on its type. */
interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  format?: string;
}

/** Reading the parts of a schema takes longer than a view of a row, so each is read once. */
const knownParts = new WeakMap<Schema, SchemaParts>();

export function partsOf(schema: Schema): SchemaParts {
  const parts = knownParts.get(schema) ?? readParts(schema);
  knownParts.set(schema, parts);
  return parts;
}

function readParts(schema: Schema): SchemaParts {
  const { type, shape, element, innerType, format } = schema.def as Definition; // zod's types differ by `type`
  if (innerType !== undefined) {
    const inner = partsOf(innerType);
    return {
      ...inner,
      isOptional: inner.isOptional || type === "optional",
      isNullable: inner.isNullable || type === "nullable",
    };
  }
  const nested = {
    ...(shape !== undefined && { shape, properties: Object.entries(shape) }),
    ...(element !== undefined && { element }),
  };
  return { schema, type, ...nested, isInteger: format === "safeint", isOptional: false, isNullable: false };
}

/** The schemas that a request of an operation must match. */
export interface RequestSchemas {
  readonly query?: Schema | undefined;
  readonly body?: Schema | undefined;
}

/** Finds the schemas of an operation by their generated names: `zPutStoreBody`. */
export function requestSchemas(id: string, schemas: Readonly<Record<string, unknown>>): RequestSchemas {
  const name = `z${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  return {
    query: schemas[`${name}Query`] as Schema | undefined, // the generated module has only schemas
    body: schemas[`${name}Body`] as Schema | undefined, // as above
  };
}

/** The largest number of characters of a value in a message. */
const MAX_LENGTH = 120;

/** Returns a value for a message: JSON, truncated. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  if (value instanceof Promise) return "a promise";
  if (typeof value === "number" || typeof value === "bigint") return String(value); // NaN has no JSON
  const text = jsonText(value) ?? "a value that is not JSON";
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Returns the JSON of a value; `undefined` for a value without JSON, such as a function. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The number of elements of an array that are checked together. No array of the contracts may have more. */
const PART_LENGTH = 2_000;

/** The result of a check: the parsed value, or the original one if it is invalid or has a very large array. */
interface Checked {
  readonly issues: readonly z.core.$ZodIssue[];
  readonly value: unknown;
}

/**
 * Checks a value with a schema. A very large array is checked in parts, up to the first part with issues: zod lists every
 * issue, and fails where there are very many.
 */
function findIssues(schema: z.ZodMiniType, value: unknown): Checked {
  const [name, elements] = largeArrayIn(value) ?? [];
  if (name === undefined || elements === undefined) {
    const { data, error } = z.safeParse(schema, value);
    return error === undefined ? { issues: [], value: data } : { issues: error.issues, value };
  }
  for (let start = 0; start < elements.length; start += PART_LENGTH) {
    const part = { ...objectOf(value), [name]: elements.slice(start, start + PART_LENGTH) };
    const { error } = z.safeParse(schema, part);
    if (error !== undefined)
      return { issues: error.issues.map((issue) => moveIssue(issue, name, start)), value };
  }
  return { issues: [], value };
}

function largeArrayIn(value: unknown): [name: string, elements: readonly unknown[]] | undefined {
  if (!isObject(value)) return undefined;
  for (const [name, elements] of Object.entries(value))
    if (Array.isArray(elements) && elements.length > PART_LENGTH) return [name, elements];
  return undefined;
}

/** Returns an issue of a part with its place in the whole value. */
function moveIssue(issue: z.core.$ZodIssue, name: string, start: number): z.core.$ZodIssue {
  const [first, index, ...others] = issue.path;
  return first === name && typeof index === "number"
    ? { ...issue, path: [name, index + start, ...others] }
    : issue;
}

/** The place of a value that JSON cannot hold, and the reason. */
interface JsonLoss {
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
