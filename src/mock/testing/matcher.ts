import { isHeaderName } from "../../wire/header-text.ts";
import { isObject } from "../../wire/json.ts";
import { bodyChecks, type Check, describeValue, isAbsent, valueCheck } from "./checks.ts";
import type { OperationFacts } from "./operation-model.ts";
import type { RequestView } from "../http/request-view.ts";

/** The value of a query parameter; an array for a parameter that is repeated; `null` if it must be absent. */
export type ParameterValue = string | number | boolean | readonly string[] | null;

/** Selects requests. Every given part must match. */
export interface RequestMatcher<View extends RequestView = RequestView, Parameter extends string = string> {
  /** Decoded path parameters: `{ externalId: "S-2" }`. */
  path?: { readonly [Name in Parameter]?: string };
  query?: Readonly<Record<string, ParameterValue>>;
  /** Headers, with names in any case; `null` for a header that must be absent. */
  headers?: Readonly<Record<string, string | null>>;
  /** JSON that the body contains: objects may have more properties, arrays must have the same length. */
  body?: unknown;
  /** A function that is called last, if everything else matches. */
  when?(this: void, request: View): boolean;
}

/** A matcher in a list, without secrets. */
export interface MatcherSummary {
  path?: Record<string, string>;
  query?: Record<string, string | string[] | null>;
  headers?: Record<string, string | null>;
  body?: unknown;
  /** The size of a body that is too large for a list, in characters of JSON. */
  omittedBody?: number;
  /** The matcher has a function. */
  when?: true;
}

export interface CompiledMatcher {
  readonly checks: readonly Check[];
  readonly summary: MatcherSummary;
  /** The estimated size in bytes. */
  readonly bytes: number;
}

const PARTS = ["path", "query", "headers", "body", "when"];

/** Validates a matcher. Throws an error that names the invalid part. */
export function compileMatcher(
  matcher: RequestMatcher,
  facts: OperationFacts,
  operation: string,
): CompiledMatcher {
  assertObject("A matcher", matcher);
  const unknown = Object.keys(matcher).find((name) => !PARTS.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown property "${unknown}" of a matcher. Expected one of ${PARTS.join(", ")}`);
  const { body, when } = matcher;
  if (body !== undefined && !facts.takesBody) throw new Error(`body: ${operation} has no request body`);
  if (when !== undefined && typeof when !== "function")
    throw new Error(`when must be a function, not ${describeValue(when)}`);
  const summary = summarize(matcher, facts, operation);
  const checks = [
    ...Object.entries(summary.path ?? {}).map(([name, value]) => parameterCheck("path", name, value)),
    ...Object.entries(summary.query ?? {}).map(([name, value]) => parameterCheck("query", name, value)),
    ...Object.entries(summary.headers ?? {}).map(([name, value]) => parameterCheck("headers", name, value)),
    ...(body === undefined ? [] : bodyChecks(body)),
    ...(when === undefined ? [] : [whenCheck(when)]),
  ];
  return { checks, summary, bytes: JSON.stringify(summary).length };
}

export function matches({ checks }: CompiledMatcher, request: RequestView): boolean {
  return checks.every((check) => check.holds(request));
}

function summarize(matcher: RequestMatcher, facts: OperationFacts, operation: string): MatcherSummary {
  const { path, query, headers, body, when } = matcher;
  return {
    ...(path !== undefined && { path: pathOf(path, facts, operation) }),
    ...(query !== undefined && { query: queryOf(query, facts, operation) }),
    ...(headers !== undefined && { headers: headersOf(headers) }),
    ...(body !== undefined && { body }),
    ...(when !== undefined && { when: true }),
  };
}

function pathOf(path: object, { pathParameters }: OperationFacts, operation: string): Record<string, string> {
  const entries = entriesOf("path", path).map(([name, value]): [string, string] => {
    assertParameter("path parameter", name, pathParameters, operation);
    if (typeof value === "string") return [name, value];
    throw new Error(`path.${name} must be a string, not ${describeValue(value)}`);
  });
  return Object.fromEntries(entries);
}

function queryOf(
  query: object,
  { queryParameters }: OperationFacts,
  operation: string,
): Record<string, string | string[] | null> {
  const entries = entriesOf("query", query).map(([name, value]): [string, string | string[] | null] => {
    assertParameter("query parameter", name, queryParameters, operation);
    if (value === null || typeof value === "string") return [name, value];
    if (typeof value === "number" || typeof value === "boolean") return [name, String(value)];
    if (Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === "string"))
      return [name, value.length === 1 ? value.join() : [...value]];
    throw new Error(
      `query.${name} must be a string, a number, a boolean, an array of strings, or null if it must be absent, not ${describeValue(value)}`,
    );
  });
  return Object.fromEntries(entries);
}

function headersOf(headers: object): Record<string, string | null> {
  const entries = entriesOf("headers", headers).map(([name, value]): [string, string | null] => {
    if (!isHeaderName(name)) throw new Error(`headers: ${describeValue(name)} is not the name of a header`);
    if (value === null || typeof value === "string") return [name.toLowerCase(), value];
    throw new Error(
      `headers.${name} must be a string, or null if it must be absent, not ${describeValue(value)}`,
    );
  });
  return Object.fromEntries(entries);
}

function entriesOf(part: string, given: object): [string, unknown][] {
  assertObject(part, given);
  return Object.entries(given);
}

function assertObject(name: string, value: unknown): void {
  if (!isObject(value)) throw new Error(`${name} must be an object, not ${describeValue(value)}`);
}

function assertParameter(kind: string, name: string, known: readonly string[], operation: string): void {
  if (known.includes(name)) return;
  const owner = operation === "*" ? "any operation" : operation;
  const expected = known.length === 0 ? "It has no such parameters" : `Expected one of ${known.join(", ")}`;
  throw new Error(`Unknown ${kind} "${name}" of ${owner}. ${expected}`);
}

function parameterCheck(
  part: "path" | "query" | "headers",
  name: string,
  expected: string | readonly string[] | null,
): Check {
  const read = (request: RequestView): unknown =>
    Object.hasOwn(request[part], name) ? request[part][name] : undefined;
  const place = `${part}.${name}`;
  return expected === null ? isAbsent(place, read) : valueCheck(place, expected, read);
}

function whenCheck(when: (request: RequestView) => boolean): Check {
  return {
    place: "when",
    expected: "true",
    holds: (request) => resultOf(when, request),
    received: (request) => String(resultOf(when, request)),
  };
}

/** Calls a function with a copy of the request, which the function may keep or print. */
function resultOf(when: (request: RequestView) => boolean, request: RequestView): boolean {
  const result: unknown = when(plainCopy(request));
  if (typeof result === "boolean") return result;
  throw new Error(`when must return true or false, not ${describeValue(result)}`);
}

function plainCopy({ operation, base, method, path, query, headers, body }: RequestView): RequestView {
  return { operation, base, method, path, query: { ...query }, headers, body };
}
