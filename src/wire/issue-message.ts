import type * as z from "zod/mini";

/**
 * Returns the message for an issue of a generated schema. Client and reference server use it, so that both describe the
 * same violation in the same words.
 */
export function issueMessage(issue: z.core.$ZodIssue, value: unknown): string {
  if (valueAt(value, issue.path) === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${withArticle(issue.expected)}`;
    case "too_small":
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_format":
      if (issue.message.startsWith("must be ")) return issue.message;
      return `must be ${issue.format === "regex" ? patternName(issue.pattern) : formatName(issue.format)}`;
    case "invalid_union":
      return unionMessage(issue);
    default:
      return "is invalid";
  }
}

/** Returns the value at a path of property names and indexes; `undefined` if it does not exist. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  const values = issue.errors.flat().flatMap((inner) => (inner.code === "invalid_value" ? inner.values : []));
  return values.length === 0 ? "is invalid" : oneOf([...new Set(values)]);
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map(String);
  return names.join() === "true,false" ? "must be true or false" : `must be one of ${names.join(", ")}`;
}

function withArticle(type: string): string {
  if (type === "int") return "an integer";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** Returns the unit of a bound: elements or characters, or none for a number. */
export function unitOf(origin: string): string {
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
  return PATTERN_NAMES[pattern] ?? `a string that matches ${pattern}`;
}
