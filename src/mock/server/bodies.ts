import * as z from "zod/mini";
import { instantSchema } from "./clock.ts";
import { type Schema, partsOf } from "./schemas.ts";

/** The part of a zod definition that depends on its type. */
interface Definition extends z.core.$ZodTypeDef {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
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

/**
 * Returns the schema of a body, of which the contract shows only the response: each property may be missing, and times,
 * whose names end in `At`, are ISO 8601.
 */
export function inputSchema(response: Schema, added: Readonly<Record<string, Schema>> = {}): Schema {
  const { shape = {} } = partsOf(closeSchema(response, true));
  const properties = Object.entries(shape).map(([name, property]): [string, Schema] => [
    name,
    isTime(name, property) ? timeSchema(partsOf(property).isNullable) : property,
  ]);
  return z.strictObject({ ...Object.fromEntries(properties), ...added });
}

function isTime(name: string, property: Schema): boolean {
  return name.endsWith("At") && partsOf(property).type === "string";
}

function timeSchema(isNullable: boolean): Schema {
  return z.optional(isNullable ? z.nullable(instantSchema) : instantSchema);
}
