import * as z from "zod/mini";
import { isObject, type JsonObject } from "../../wire/json.ts";
import { tableOf } from "../../wire/names.ts";
import { issueMessage } from "../../wire/issue-message.ts";
import type { Issue } from "../http/api-response.ts";
import type { OperationContract } from "../../wire/operation.ts";

export type Schema = z.ZodMiniType;

export interface SchemaCheck {
  issues: Issue[];
  value: unknown;
}

const NO_ISSUES: Issue[] = [];

/**
 * The largest number of issues in an error; a response with every issue of a large body would be as large as the
 * body.
 */
export const MAX_ISSUES = 100;

/**
 * Larger arrays are checked in parts, so that the check of an invalid body ends with the first part that has issues. No
 * array of the contracts may have more elements than a part.
 */
const PART_LENGTH = 10_000;

/** Checks a value; `value` is the parsed value, or the original if the check failed. */
export function checkSchema(schema: Schema | undefined, value: unknown): SchemaCheck {
  if (schema === undefined) return { issues: NO_ISSUES, value };
  const large = isObject(value) ? largeArray(value) : undefined;
  return large === undefined ? checkWhole(schema, value, 0) : checkInParts(schema, large);
}

function checkWhole(schema: Schema, value: unknown, offset: number, large?: string): SchemaCheck {
  const result = z.safeParse(schema, value);
  if (result.success) return { issues: NO_ISSUES, value: result.data };
  const listed = result.error.issues.slice(0, MAX_ISSUES);
  return { issues: listed.map((issue) => issueOf(issue, value, offset, large)), value };
}

/** An object with a large array. */
interface LargeObject {
  readonly value: JsonObject;
  /** The property that is the array. */
  readonly name: string;
  readonly elements: readonly unknown[];
}

function largeArray(value: JsonObject): LargeObject | undefined {
  for (const [name, elements] of Object.entries(value))
    if (Array.isArray(elements) && elements.length > PART_LENGTH) return { value, name, elements };
  return undefined;
}

function checkInParts(schema: Schema, { value, name, elements }: LargeObject): SchemaCheck {
  for (let start = 0; start < elements.length; start += PART_LENGTH) {
    const part = { ...value, [name]: elements.slice(start, start + PART_LENGTH) };
    const { issues } = checkWhole(schema, part, start, name);
    if (issues.length > 0) return { issues, value };
  }
  return { issues: NO_ISSUES, value };
}

/** `offset` is added to the indices of the array `large`, of which `value` has a part. */
function issueOf(issue: z.core.$ZodIssue, value: unknown, offset: number, large: string | undefined): Issue {
  const path = issue.path.map(String);
  const message = issueMessage(issue, value);
  if (path.length > 1 && path[0] === large) path[1] = String(Number(path[1]) + offset);
  return { path: path.join("."), message, code: issue.code };
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
const known = new WeakMap<Schema, SchemaParts>();

export function partsOf(schema: Schema): SchemaParts {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const parts = readParts(schema);
  known.set(schema, parts);
  return parts;
}

function readParts(schema: Schema): SchemaParts {
  const { type, shape, element, innerType, format } = schema.def as Definition; // zod's types differ by `type`
  if (innerType !== undefined) {
    const { isOptional, isNullable, ...inner } = partsOf(innerType);
    return {
      ...inner,
      isOptional: isOptional || type === "optional",
      isNullable: isNullable || type === "nullable",
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
  readonly query?: Schema;
  readonly body?: Schema;
}

/**
 * Finds the schemas of each operation by their generated names: `zPutStoreBody`. With a contract, its bodies with closed
 * enums are used.
 */
export function requestSchemas<Id extends string>(
  ids: readonly Id[],
  schemas: Readonly<Record<string, Schema>>,
  contract?: Readonly<Record<Id, OperationContract<Schema>>>,
): Record<Id, RequestSchemas> {
  return tableOf(ids, (id) => {
    const name = `z${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    const query = schemas[`${name}Query`];
    const body = contract?.[id].body ?? schemas[`${name}Body`];
    return { ...(query && { query }), ...(body && { body }) };
  });
}
