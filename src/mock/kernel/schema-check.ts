import * as z from "zod/mini";
import type { Issue } from "./api-response.ts";

/** A generated schema. */
export type Schema = z.ZodMiniType;

/** The result of a schema check. */
export interface SchemaCheck {
  issues: Issue[];
  value: unknown;
}

const NO_ISSUES: Issue[] = [];

/** How many issues an error lists; a response with every issue of a large body would be as large as the body. */
export const MOST_ISSUES = 100;

/**
 * Larger arrays are checked in parts, so that the check of an invalid body ends with the first part that has issues. No
 * array of the contracts may have more elements than a part.
 */
const PART_LENGTH = 10_000;

/** Checks a value; `value` is the parsed value, or the original if the check failed. */
export function checkSchema(schema: Schema | undefined, value: unknown): SchemaCheck {
  if (schema === undefined) return { issues: NO_ISSUES, value };
  const large = largeArray(value);
  return large === undefined ? checkWhole(schema, value, 0) : checkInParts(schema, value, large);
}

function checkWhole(schema: Schema, value: unknown, offset: number, large?: string): SchemaCheck {
  const result = z.safeParse(schema, value);
  if (result.success) return { issues: NO_ISSUES, value: result.data };
  const listed = result.error.issues.slice(0, MOST_ISSUES);
  return { issues: listed.map((issue) => issueOf(issue, value, offset, large)), value };
}

/** Returns the name of a member that is a large array. */
function largeArray(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const name of Object.keys(value)) {
    const member: unknown = (value as Record<string, unknown>)[name];
    if (Array.isArray(member) && member.length > PART_LENGTH) return name;
  }
  return undefined;
}

function checkInParts(schema: Schema, value: unknown, name: string): SchemaCheck {
  const body = value as Record<string, unknown>;
  const elements = body[name] as unknown[];
  for (let start = 0; start < elements.length; start += PART_LENGTH) {
    const part = { ...body, [name]: elements.slice(start, start + PART_LENGTH) };
    const { issues } = checkWhole(schema, part, start, name);
    if (issues.length > 0) return { issues, value };
  }
  return { issues: NO_ISSUES, value };
}

/** `offset` is added to the indices of the array `large`, of which `value` has a part. */
function issueOf(issue: z.core.$ZodIssue, value: unknown, offset: number, large: string | undefined): Issue {
  const path = issue.path.map(String);
  const message = valueAt(value, path) === undefined ? "is required" : messageOf(issue);
  if (path.length > 1 && path[0] === large) path[1] = String(Number(path[1]) + offset);
  return { path: path.join("."), message, code: issue.code };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** Messages of our own, because those of zod/mini are empty without a locale. */
function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${withArticle(issue.expected)}`;
    case "too_small":
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      if (issue.message.startsWith("must be ")) return issue.message;
      return `must be ${issue.format === "regex" ? patternName(issue.pattern) : formatName(issue.format)}`;
    case "invalid_union":
      return unionMessage(issue);
    default:
      return "is invalid";
  }
}

function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  const values = issue.errors.flat().flatMap((inner) => (inner.code === "invalid_value" ? inner.values : []));
  return values.length === 0 ? "is invalid" : `must be one of ${[...new Set(values)].map(String).join(", ")}`;
}

function withArticle(type: string): string {
  if (type === "int") return "an integer";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function unitOf(origin: string): string {
  if (origin === "array") return " elements";
  return origin === "string" ? " characters" : "";
}

function formatName(format: string): string {
  if (format === "guid" || format === "uuid") return "a UUID";
  return `of the format ${format}`;
}

/** The meaning of the patterns in the generated schemas. */
const PATTERN_NAMES: Readonly<Record<string, string>> = {
  "/^([01]\\d|2[0-3]):[0-5]\\d$/": "a time HH:MM",
};

function patternName(pattern = ""): string {
  return PATTERN_NAMES[pattern] ?? `a text that matches ${pattern}`;
}
