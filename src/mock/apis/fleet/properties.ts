import { isObject } from "../../../wire/json.ts";
import type { JsonObject } from "../../../../generated/fleet.ts";
import type { MockReadings } from "../../server/readings.ts";

/** The types of properties, and their value if a row has no such property. */
const PROPERTY_TYPES = {
  text: { blank: "", fits: (value: unknown) => typeof value === "string" },
  number: { blank: 0, fits: (value: unknown) => Number.isFinite(value) },
  integer: { blank: 0, fits: (value: unknown) => Number.isSafeInteger(value) },
  flag: { blank: false, fits: (value: unknown) => typeof value === "boolean" },
  nullableText: { blank: null, fits: (value: unknown) => typeof value === "string" },
  nullableObject: { blank: null, fits: isObject },
} as const;

/** The properties that the contract describes, in its order. */
export type PropertyTypes = Readonly<Record<string, keyof typeof PROPERTY_TYPES>>;

export const PERSON: PropertyTypes = { id: "text", firstName: "text", lastName: "text", email: "text" };

/**
 * Picks the described properties of a row. Bodies are open objects and a test may write any value to the state, so
 * a property is picked if it has the type of the contract, and is blank otherwise.
 */
export function pickProperties(given: unknown, types: PropertyTypes): JsonObject {
  return pick(given, types, false);
}

/**
 * Like `pickProperties`, for properties that the contract only names in a list: without a value a property is left
 * out, or is an empty string, 0 or false under one reading; a nullable property is null. gap fleet.absent-properties
 */
export function pickInlineProperties(
  given: unknown,
  types: PropertyTypes,
  readings: MockReadings,
): JsonObject {
  return pick(given, types, readings["fleet.absent-properties"] !== "present");
}

/** Like `pickInlineProperties`, and keeps the other properties that a request has written. */
export function pickSentProperties(given: unknown, types: PropertyTypes, readings: MockReadings): JsonObject {
  const written = Object.entries(isObject(given) ? given : {}).filter(
    ([name]) => !Object.hasOwn(types, name),
  );
  return { ...Object.fromEntries(written), ...pickInlineProperties(given, types, readings) };
}

/**
 * Returns an embedded object that may have no value: then it is null, is left out (`undefined`), or consists of
 * empty properties. gap fleet.absent-properties
 */
export function embedded(
  value: JsonObject | undefined,
  readings: MockReadings,
  view: (value: JsonObject) => JsonObject,
): JsonObject | null | undefined {
  if (value !== undefined) return view(value);
  switch (readings["fleet.absent-properties"]) {
    case "null-objects":
      return null;
    case "absent":
      return undefined;
    case "present":
      return view({});
  }
}

function pick(given: unknown, types: PropertyTypes, omitting: boolean): JsonObject {
  const row = isObject(given) ? given : {};
  const result: JsonObject = {};
  for (const [name, kind] of Object.entries(types)) {
    const { fits, blank } = PROPERTY_TYPES[kind];
    if (fits(row[name])) result[name] = row[name];
    else if (blank === null || !omitting) result[name] = blank;
  }
  return result;
}

/** Returns a value if it is an object, otherwise `undefined`. */
export function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns the objects in a value if it is an array. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the strings in a value if it is an array. */
export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
