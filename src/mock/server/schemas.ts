import * as z from "zod/mini";
import { issueMessage } from "../../wire/issue-message.ts";
import { isPathId } from "./operations.ts";
import { objectOf } from "../../wire/json.ts";
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

/** The largest number of elements of an array in a body: zod lists every issue, and fails where there are very many. */
const MAX_ELEMENTS = 10_000;

/** Checks a part of a request; `value` is the parsed value, or the original if the check failed. */
export function checkSchema(schema: Schema | undefined, given: unknown): { issues: Issue[]; value: unknown } {
  if (schema === undefined) return { issues: [], value: given };
  for (const [path, value] of Object.entries(objectOf(given)))
    if (Array.isArray(value) && value.length > MAX_ELEMENTS) {
      const message = `must be at most ${MAX_ELEMENTS} elements`;
      return { issues: [{ path, message, code: "too_big" }], value: given };
    }
  const { data, error } = z.safeParse(schema, given);
  if (error === undefined) return { issues: [], value: data };
  const issues = error.issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issueMessage(issue, given),
    code: issue.code,
  }));
  return { issues, value: given };
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
  // the message of our schemas, or that of a generated one
  return `${path} ${issue.message.startsWith("must ") ? issue.message : issueMessage(issue, given)}`;
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
  const text = JSON.stringify(value) ?? `a ${typeof value}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
