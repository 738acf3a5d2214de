import { isObject, type JsonObject, objectsIn } from "../../wire/json.ts";
import type { MockReadings } from "../server/readings.ts";
import { partsOf, type Schema, type SchemaParts } from "../server/schemas.ts";

/**
 * What a response shows of a property that a row lacks and that the contract only names in a list; `present` if the contract
 * describes it.
 */
export type Absent = MockReadings["fleet.absent-properties"] | "present";

const BLANKS: Readonly<Record<string, unknown>> = { string: "", number: 0, boolean: false };

/**
 * Returns the properties of a row that the contract describes, in its order. Bodies are open objects and a test may
 * write any value to the state, so a value of another type counts as missing. `computed` replaces properties of the
 * row; an undefined one is left out. gap fleet.absent-properties
 */
export function view(row: unknown, schema: Schema, absent: Absent, computed: JsonObject = {}): JsonObject {
  const given = isObject(row) ? row : {};
  const result: JsonObject = {};
  for (const [name, property] of partsOf(schema).properties ?? []) {
    const isComputed = Object.hasOwn(computed, name);
    const value = isComputed ? computed[name] : viewValue(given[name], partsOf(property), absent);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function viewValue(value: unknown, parts: SchemaParts, absent: Absent): unknown {
  const { schema, type, properties, element, isOptional, isNullable } = parts;
  if (element !== undefined) return objectsIn(value).map((item) => view(item, element, absent));
  const isOpen = properties?.length === 0;
  if (hasType(value, parts)) return type === "object" && !isOpen ? view(value, schema, absent) : value;
  if (isNullable && (type !== "object" || isOpen)) return null;
  if (isOptional && absent !== "present")
    return type === "object" && absent === "null-objects" ? null : undefined;
  return type === "object" ? view({}, schema, absent) : BLANKS[type];
}

function hasType(value: unknown, { type, isInteger }: SchemaParts): boolean {
  if (type === "object") return isObject(value);
  if (type === "number") return isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);
  return typeof value === type;
}

/** Returns embedded objects of a row with the further properties that a request has written. */
export function sentObjects(
  row: JsonObject,
  names: readonly string[],
  schema: Schema,
  absent: Absent,
): JsonObject {
  const sent = names.flatMap((name) => {
    const [object, inner] = [row[name], partsOf(schema).shape?.[name]];
    if (!isObject(object) || inner === undefined) return [];
    const known = partsOf(inner).shape ?? {};
    const others = Object.entries(object).filter(([property]) => !Object.hasOwn(known, property));
    return [[name, { ...Object.fromEntries(others), ...view(object, inner, absent) }] as const];
  });
  return Object.fromEntries(sent);
}
