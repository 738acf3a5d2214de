import type { Issue } from "./api-response.ts";
import type { RequestSchemas } from "./api.ts";
import { MAX_ISSUES, type Schema } from "./schema-check.ts";
import type { UncheckedQuery } from "./query.ts";

/** The parts of a zod definition that contain properties. */
interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
}

/**
 * Returns the parameters of a query and the properties of a body that their schemas do not name. gap
 * requests.unknown-members
 */
export function unknownParameterIssues(
  { query, body }: RequestSchemas,
  parameters: UncheckedQuery,
  value: unknown,
): Issue[] {
  // For an operation without query and body the contract documents no status that could reject a parameter.
  if (query === undefined && body === undefined) return [];
  const issues: Issue[] = [];
  if (query === undefined) issues.push(...Object.keys(parameters).slice(0, MAX_ISSUES).map(unknownNameIssue));
  else walk(query, parameters, [], issues);
  if (body !== undefined) walk(body, value, [], issues);
  return issues;
}

function walk(schema: Schema, value: unknown, path: readonly string[], issues: Issue[]): void {
  if (issues.length >= MAX_ISSUES) return;
  const { type, shape, element, innerType } = schema.def as Definition;
  if (innerType !== undefined) {
    walk(innerType, value, path, issues);
  } else if (type === "array" && element !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(element, item, [...path, String(index)], issues);
  } else if (shape !== undefined && typeof value === "object" && value !== null) {
    for (const [name, property] of Object.entries(value)) {
      const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (inner === undefined) issues.push(unknownNameIssue([...path, name].join(".")));
      else walk(inner, property, [...path, name], issues);
    }
  }
}

/** Returns the issue of an unknown parameter or property. */
export function unknownNameIssue(path: string): Issue {
  return { path, message: "is not known", code: "unrecognized_keys" };
}
