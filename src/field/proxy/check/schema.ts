import * as z from "zod/mini";
import { type JsonObject, isObject } from "../../../wire/json.ts";
import { type Fault, kindOf } from "./finding.ts";

/** The number of issues of one body that are reported; further issues are usually the same in other rows. */
const MAX_ISSUES = 200;

/** The number of enum values that a message lists. */
const MAX_VALUES = 8;

/**
 * Larger arrays are checked in parts, and the check ends with the first part that has faults: zod lists every issue, and
 * fails where there are very many.
 */
const PART_LENGTH = 2_000;

/** Returns the violations of a JSON value, each with its JSON pointer. */
export function schemaFaults(schema: z.ZodMiniType, value: unknown): Fault[] {
  try {
    const large = isObject(value) ? largeArray(value) : undefined;
    return isObject(value) && large !== undefined
      ? faultsInParts(schema, value, large)
      : faultsOf(schema, value, undefined);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [
      { place: "/", expected: "the documented properties", actual: "more violations than can be listed" },
    ];
  }
}

function largeArray(value: JsonObject): string | undefined {
  const properties = Object.entries(value);
  return properties.find(([, property]) => Array.isArray(property) && property.length > PART_LENGTH)?.[0];
}

function faultsInParts(schema: z.ZodMiniType, value: JsonObject, name: string): Fault[] {
  const rows = value[name] as unknown[]; // `largeArray` found it
  for (let start = 0; start < rows.length; start += PART_LENGTH) {
    const part = { ...value, [name]: rows.slice(start, start + PART_LENGTH) };
    const faults = faultsOf(schema, part, { name, start });
    if (faults.length > 0) return faults;
  }
  return [];
}

/** `part`: the property of which the value has a part, and the index at which the part begins. */
function faultsOf(
  schema: z.ZodMiniType,
  value: unknown,
  part: { name: string; start: number } | undefined,
): Fault[] {
  const result = z.safeParse(schema, value);
  if (result.success) return [];
  return result.error.issues.slice(0, MAX_ISSUES).map((issue) => {
    const actual = valueAt(value, issue.path);
    const isUnlisted = issue.code === "invalid_value" && typeof actual === "string";
    const [first, second, ...rest] = issue.path;
    const isInPart = part !== undefined && first === part.name && typeof second === "number";
    return {
      place: pointerOf(isInPart ? [first, second + part.start, ...rest] : issue.path),
      expected: expectationOf(issue),
      actual: kindOf(actual),
      ...(isUnlisted && { unlisted: actual }),
    };
  });
}

/** Returns a JSON pointer; the whole body is `/`. */
function pointerOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "/";
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key]; // an object or an array
  }
  return at;
}

function expectationOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeName(issue.expected);
    case "too_small":
      return `at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      return `at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_value":
      return valuesText(issue.values.map(String));
    case "invalid_format":
      return formatText(issue);
    case "invalid_union":
      return unionText(issue);
    default:
      return "another value";
  }
}

const TYPES: Readonly<Record<string, string>> = { int: "an integer", array: "an array", object: "an object" };

function typeName(type: string): string {
  return TYPES[type] ?? `a ${type}`;
}

function unitOf(origin: string): string {
  if (origin === "array") return " elements";
  return origin === "string" ? " characters" : "";
}

function valuesText(values: readonly string[]): string {
  const [first, ...others] = values;
  if (others.length === 0) return `"${first}"`;
  if (values.length <= MAX_VALUES) return `one of ${values.join(", ")}`;
  return `one of ${values.slice(0, MAX_VALUES).join(", ")} and ${values.length - MAX_VALUES} more`;
}

function formatText(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (issue.message.startsWith("must be ")) return issue.message.slice("must be ".length);
  if (issue.format === "guid") return "a UUID";
  return issue.format === "regex" ? `a string that matches ${issue.pattern}` : issue.format;
}

function unionText(issue: z.core.$ZodIssueInvalidUnion): string {
  const parts = issue.errors.map(([first]) => (first === undefined ? "another value" : expectationOf(first)));
  return [...new Set(parts)].join(" or ");
}
