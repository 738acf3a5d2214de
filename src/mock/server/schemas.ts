import type * as z from "zod/mini";
import { tableOf } from "../../wire/names.ts";
import { issueMessage } from "../../wire/issue-message.ts";
import { findIssues } from "../../wire/schema-issues.ts";
import type { Issue } from "../http/api-response.ts";
import type { OperationContract } from "../../wire/operation.ts";

export type Schema = z.ZodMiniType;

export interface SchemaCheck {
  issues: Issue[];
  value: unknown;
}

/**
 * The largest number of issues in an error; a response with every issue of a large body would be as large as the
 * body.
 */
export const MAX_ISSUES = 100;

/** Checks a value; `value` is the parsed value, or the original if the check failed. */
export function checkSchema(schema: Schema | undefined, given: unknown): SchemaCheck {
  if (schema === undefined) return { issues: [], value: given };
  const { issues, value } = findIssues(schema, given);
  const listed = issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issueMessage(issue, given),
    code: issue.code,
  }));
  return { issues: listed, value };
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
