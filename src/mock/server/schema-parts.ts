import type { Schema } from "./schema-check.ts";

/** The parts of a schema that describe properties, without its wrappers for optional values and defaults. */
export interface SchemaParts {
  readonly schema: Schema;
  readonly type: string;
  /** The properties of an object. */
  readonly shape?: Readonly<Record<string, Schema>>;
  /** The elements of an array. */
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

/** Returns the parts of a generated schema. */
export function partsOf(schema: Schema): SchemaParts {
  const { type, shape, element, innerType, format } = schema.def as Definition; // zod's types differ by `type`
  if (innerType !== undefined) {
    const { isOptional, isNullable, ...inner } = partsOf(innerType);
    return {
      ...inner,
      isOptional: isOptional || type === "optional",
      isNullable: isNullable || type === "nullable",
    };
  }
  const nested = { ...(shape !== undefined && { shape }), ...(element !== undefined && { element }) };
  return { schema, type, ...nested, isInteger: format === "safeint", isOptional: false, isNullable: false };
}
