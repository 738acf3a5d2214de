import * as z from "zod/mini";
import { issueMessage, valueAt } from "../../wire/schema.ts";
import { isPathId } from "./operations.ts";
import { describeKnownNames, findSimilar } from "../../wire/names.ts";
import type { Issue } from "./exchange.ts";
import { nameValue } from "./quotes.ts";

export type Schema<Value = unknown> = z.ZodMiniType<Value>;

export const positiveInteger = z.int().check(z.refine((count) => count > 0, "must be a positive integer"));

/** An ID that can be a segment of a path. */
export const idSchema = z.string().check(
  z.refine((id) => id !== "", "must be a non-empty string"),
  z.refine((id) => id === "" || isPathId(id), "must not be a dot segment"),
);

/** A copy of JSON: what a test does to the value later changes nothing. */
export const jsonSchema = z.pipe(
  z.unknown().check(z.refine((value) => toJson(value) !== undefined, "must be JSON, or a string")),
  z.transform((value): unknown => JSON.parse(toJson(value) ?? "null")),
);

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // a BigInt, or a value that contains itself
  }
}

/** The largest number of issues in an error: those of a large body would be as large as the body. */
export const MAX_ISSUES = 100;

/** Checks a part of a request; `value` is the parsed value, or the original if the check failed. */
export function checkSchema(schema: Schema | undefined, given: unknown): { issues: Issue[]; value: unknown } {
  if (schema === undefined) return { issues: [], value: given };
  const { data, error } = z.safeParse(schema, given);
  if (error === undefined) return { issues: [], value: data };
  const issues = error.issues
    .slice(0, MAX_ISSUES)
    .flatMap((issue) => describeIssues(schema, deepestIssue(issue), given));
  return { issues: issues.slice(0, MAX_ISSUES), value: given };
}

/** Returns an issue of the alternative that a value was meant to be: the one that fails below the value itself. */
function deepestIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.flat().find(({ path }) => path.length > 0);
  return inner === undefined ? issue : deepestIssue({ ...inner, path: [...issue.path, ...inner.path] });
}

function describeIssues(schema: Schema, issue: z.core.$ZodIssue, given: unknown): Issue[] {
  const { code } = issue;
  if (code !== "unrecognized_keys")
    return [
      { path: pathOf(issue.path), message: `${messageOf(issue, given)}${quoteAt(given, issue)}`, code },
    ];
  const known = Object.keys(schemaAt(schema, issue.path).shape ?? {});
  return issue.keys.slice(0, MAX_ISSUES).map((name) => ({
    path: pathOf([...issue.path, name]),
    message: unknownName(name, known),
    code,
  }));
}

function pathOf(keys: readonly PropertyKey[]): string {
  return keys.map(String).join(".");
}

/** Returns the message for a property that an object does not have; `known` are those that it has. */
function unknownName(name: string, known: readonly string[]): string {
  return `is not a property of this object${describeKnownNames(name, known)}`;
}

/** Returns the end of a message: the wrong value, and the nearest right one. */
function quoteAt(given: unknown, issue: z.core.$ZodIssue): string {
  const value = valueAt(given, issue.path);
  if (value === undefined) return "";
  const values = issue.code === "invalid_value" ? issue.values.filter((one) => typeof one === "string") : [];
  const similar = typeof value === "string" ? findSimilar(value, values) : undefined;
  const isTooLong = issue.code === "too_big" && Array.isArray(value);
  return `, not ${nameValue(isTooLong ? value.length : value)}${similar === undefined ? "" : `. Did you mean "${similar}"?`}`;
}

function messageOf(issue: z.core.$ZodIssue, given: unknown): string {
  if (issue.code === "invalid_key" && issue.issues[0] !== undefined) return messageOf(issue.issues[0], given);
  // the message of our schemas, or that of a generated one
  return issue.message.startsWith("must ") ? issue.message : issueMessage(issue, given);
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
  return `${path} ${messageOf(issue, given)}`;
}

function schemaAt(schema: Schema, path: readonly PropertyKey[]): SchemaParts {
  return path.reduce<SchemaParts>(
    (parts, key) =>
      objectIn((typeof key === "number" ? parts.element : parts.shape?.[String(key)]) ?? schema),
    objectIn(schema),
  );
}

/** Returns the parts of a schema; of alternatives, those of the object among them. */
function objectIn(schema: Schema): SchemaParts {
  const { options = [] } = schema.def as Definition; // zod's types differ by `type`
  return options.map(partsOf).find(({ shape }) => shape !== undefined) ?? partsOf(schema);
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
  /** The alternatives of a union. */
  options?: Schema[];
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

/**
 * Returns a schema with only the properties of the given one, at every depth. An object without properties stays open.
 * With `isPartial` each property may be missing.
 */
export function closeSchema(schema: Schema, isPartial = false): Schema {
  const { shape, element, innerType, options } = schema.def as Definition; // zod's types differ by `type`
  const close = (inner: Schema): Schema => closeSchema(inner, isPartial);
  if (shape !== undefined) {
    const properties = Object.entries(shape).map(([name, property]): [string, Schema] => [
      name,
      isPartial ? z.optional(close(property)) : close(property),
    ]);
    return properties.length === 0
      ? schema
      : changed(schema, { shape: Object.fromEntries(properties), catchall: z.never() });
  }
  if (element !== undefined) return changed(schema, { element: close(element) });
  if (innerType !== undefined) return changed(schema, { innerType: close(innerType) });
  return options === undefined ? schema : changed(schema, { options: options.map(close) });
}

/** Returns a copy of a schema with another definition; its checks stay. */
function changed(schema: Schema, definition: object): Schema {
  return z.core.clone(schema, { ...schema.def, ...definition });
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
  const text = JSON.stringify(value) ?? `a ${typeof value}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
