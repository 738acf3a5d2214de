import { unknownParameter } from "../../wire/unknown-parameter.ts";
import type { Issue } from "../http/api-response.ts";
import { MAX_ISSUES, partsOf, type RequestSchemas, type Schema } from "./schemas.ts";
import type { UncheckedQuery } from "../http/query.ts";

/**
 * Returns the parameters of a query and the properties of a body that their schemas do not name. gap
 * requests.unknown-properties
 */
export function unknownParameterIssues(
  { query, body }: RequestSchemas,
  parameters: UncheckedQuery,
  value: unknown,
): Issue[] {
  // For an operation without query and body the contract documents no status that could reject a parameter.
  if (query === undefined && body === undefined) return [];
  const issues: Issue[] = [];
  const names = Object.keys(parameters);
  if (names.length > 0) {
    const known = query === undefined ? [] : Object.keys(partsOf(query).shape ?? {});
    const unknown = names.filter((name) => !known.includes(name)).slice(0, MAX_ISSUES);
    issues.push(...unknown.map((name) => unknownParameterIssue(name, known)));
  }
  if (body !== undefined) walk(body, value, [], issues);
  return issues;
}

/** Adds an issue for each property of a body that the schema does not name. */
function walk(schema: Schema, value: unknown, path: readonly string[], issues: Issue[]): void {
  if (issues.length >= MAX_ISSUES) return;
  const { shape, element } = partsOf(schema);
  if (element !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(element, item, [...path, String(index)], issues);
  } else if (shape !== undefined && typeof value === "object" && value !== null) {
    for (const [name, property] of Object.entries(value)) {
      const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (inner === undefined)
        issues.push(unknownPropertyIssue([...path, name].join("."), Object.keys(shape)));
      else walk(inner, property, [...path, name], issues);
    }
  }
}

/** Returns the issue of an unknown query parameter; `known` are the parameters of the operation. */
export function unknownParameterIssue(name: string, known: readonly string[]): Issue {
  return { path: name, message: unknownParameter(known), code: "unrecognized_keys" };
}

/** Returns the issue of an unknown property of a body; `known` are the properties of its object. */
export function unknownPropertyIssue(path: string, known: readonly string[]): Issue {
  const message = `is not a property of this object. Expected one of ${known.join(", ")}`;
  return { path, message, code: "unrecognized_keys" };
}
