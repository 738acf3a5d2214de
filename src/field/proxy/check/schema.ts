import type * as z from "zod/mini";
import { unitOf, valueAt } from "../../../wire/issue-message.ts";
import { findIssues } from "../../../wire/schema-issues.ts";
import { type Fault, formOf, kindOf } from "./finding.ts";

/** The number of enum values that a message lists. */
const MAX_VALUES = 8;

/** Returns the violations of a JSON value, each with its JSON pointer: one of those that differ only in the row. */
export function schemaFaults(schema: z.ZodMiniType, value: unknown): Fault[] {
  try {
    const { issues } = findIssues(schema, value);
    const faults = new Map<string, Fault>();
    for (const issue of issues) {
      const fault = faultOf(issue, value);
      const form = JSON.stringify([formOf(fault.place), fault.expected, fault.unlisted]);
      if (!faults.has(form)) faults.set(form, fault);
    }
    return [...faults.values()];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [
      { place: "/", expected: "the documented properties", actual: "more violations than can be listed" },
    ];
  }
}

function faultOf(issue: z.core.$ZodIssue, value: unknown): Fault {
  const actual = valueAt(value, issue.path);
  const isUnlisted = issue.code === "invalid_value" && typeof actual === "string";
  return {
    place: pointerOf(issue.path),
    expected: expectationOf(issue),
    actual: kindOf(actual),
    ...(isUnlisted && { unlisted: actual }),
  };
}

/** Returns a JSON pointer; the whole body is `/`. */
function pointerOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "/";
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
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
