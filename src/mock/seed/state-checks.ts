import { isInteger, isObject } from "../../wire/json.ts";
import { isPathId } from "../../wire/path-segment.ts";
import { type Schema, checkSchema } from "../server/schemas.ts";

/** Checks of a state from outside; every error names the place, such as `state.store.stores[3]`. */

/** An object whose properties are not validated yet. */
export type UncheckedObject = Readonly<Record<string, unknown>>;

/** Returns the object; throws for unknown properties. */
export function objectAt(value: unknown, place: string, known?: readonly string[]): UncheckedObject {
  if (!isObject(value)) throw new Error(`${place} must be an object`);
  const unknown = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return value;
  throw new Error(`${place}: unknown property "${unknown}". Expected one of ${known?.join(", ")}`);
}

/** Returns the elements of an array; an empty array if it is not given. */
export function elementsAt(value: unknown, place: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${place} must be an array`);
  return value;
}

export function textAt(value: unknown, place: string): string {
  if (typeof value !== "string" || value === "") throw new Error(`${place} must be a non-empty string`);
  return value;
}

/** Returns an ID that can be a segment of a path. */
export function idAt(value: unknown, place: string): string {
  const id = textAt(value, place);
  if (!isPathId(id)) throw new Error(`${place} must not be a dot segment`);
  return id;
}

/** Returns a non-negative integer; 0 if it is not given. */
export function countAt(value: unknown, place: string): number {
  if (value === undefined) return 0;
  if (!isInteger(value) || value < 0) throw new Error(`${place} must be an integer of at least 0`);
  return value;
}

/** Throws an error that names the first part of an object that one of the schemas rejects. */
export function assertSchemaAt(value: unknown, place: string, ...schemas: readonly Schema[]): void {
  const row = objectAt(value, place);
  const [issue] = schemas.flatMap((schema) => checkSchema(schema, row).issues);
  if (issue === undefined) return;
  throw new Error(`${place}${issue.path === "" ? "" : `.${issue.path}`} ${issue.message}`);
}
