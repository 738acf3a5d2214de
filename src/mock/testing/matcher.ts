import * as z from "zod/mini";
import { isHeaderName } from "../../wire/header-text.ts";
import { isObject } from "../../wire/json.ts";
import { describeValue, findJsonLoss, parse } from "../server/schemas.ts";
import type { RequestView } from "../server/exchange.ts";
import {
  factsOf,
  type OperationId,
  type PathParameter,
  type ReferenceRequest,
} from "../server/operations.ts";

/** The value of a query parameter; an array for a parameter that is repeated; `null` if it must be absent. */
export type ParameterValue = string | number | boolean | readonly string[] | null;

/** Selects requests. Every given part must match. */
export interface RequestMatcher<
  View extends RequestView = ReferenceRequest,
  Parameter extends string = string,
> {
  /** Decoded path parameters: `{ externalId: "S-2" }`. */
  path?: { readonly [Name in Parameter]?: string | undefined } | undefined;
  query?: Readonly<Record<string, ParameterValue | undefined>> | undefined;
  /** Headers, with names in any case; `null` for a header that must be absent. */
  headers?: Readonly<Record<string, string | null | undefined>> | undefined;
  /** JSON that the body contains: objects may have more properties, arrays must have the same length. */
  body?: unknown;
  /** A function that is called last, if everything else matches. */
  when?: ((this: void, request: View) => boolean) | undefined;
}

/** Selects the requests of an operation that an override applies to. */
export type OverrideMatcher<Id extends OperationId | "*" = "*"> = RequestMatcher<
  ReferenceRequest<Id>,
  PathParameter<Id>
>;

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

/** A validated matcher. */
export interface CompiledMatcher {
  readonly summary: MatcherSummary;
  readonly when: ((request: RequestView) => boolean) | undefined;
}

/** A part of a request that does not match. */
export interface Difference {
  /** The place in the request: `path.externalId`, `body.contacts.0.name`. */
  readonly place: string;
  readonly expected: string;
  readonly received: string;
}

const parameterSchema = z.union(
  [z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).check(z.minLength(1))],
  "must be a string, a number, a boolean, an array of strings, or null if it must be absent",
);

const matcherSchema = z.strictObject({
  path: z.optional(z.record(z.string(), z.optional(z.string()))),
  query: z.optional(z.record(z.string(), z.optional(parameterSchema))),
  headers: z.optional(
    z.record(
      z.string().check(z.refine(isHeaderName, "must be the name of a header")),
      z.optional(z.nullable(z.string())),
    ),
  ),
  body: z.optional(z.unknown()),
  when: z.optional(z.custom((value) => typeof value === "function", "must be a function")),
});

/** Validates and copies a matcher. Throws an error that names the invalid part. */
export function compileMatcher(given: RequestMatcher<never>, operation: string): CompiledMatcher {
  const { path, query, headers, body, when } = parse(matcherSchema, given, "matcher");
  const { pathParameters, queryParameters, takesBody } = factsOf(operation);
  const owner = operation === "*" ? "any operation" : operation;
  assertParameters("path", path, pathParameters, owner);
  assertParameters("query", query, queryParameters, owner);
  if (body !== undefined && !takesBody) throw new Error(`matcher.body: ${owner} has no request body`);
  const [loss] = findJsonLoss(body, "body");
  if (loss !== undefined) throw new Error(`matcher.${loss.path} ${loss.message}`);
  const summary = {
    path,
    query: query && mapValues(query, toParameter),
    headers:
      headers &&
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body,
    when: when === undefined ? undefined : true,
  };
  // without undefined properties; a later change of the given matcher has no effect
  return {
    summary: JSON.parse(JSON.stringify(summary)) as MatcherSummary,
    when: when as CompiledMatcher["when"],
  }; // a function
}

function assertParameters(part: string, given: object = {}, known: readonly string[], owner: string): void {
  const name = Object.keys(given).find((parameter) => !known.includes(parameter));
  if (name === undefined) return;
  const expected = known.length === 0 ? "It has no such parameters" : `Expected one of ${known.join(", ")}`;
  throw new Error(`Unknown ${part} parameter "${name}" of ${owner}. ${expected}`);
}

function mapValues<Value, Result>(
  given: Readonly<Record<string, Value>>,
  convert: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, convert(value)]));
}

function toParameter(value: ParameterValue | undefined): string | readonly string[] | null | undefined {
  if (value === null || value === undefined) return value;
  if (typeof value !== "object") return String(value);
  return value.length === 1 ? value[0] : value;
}

/** Returns the parts of a request that do not match, the function last. It is called only if everything else matches. */
export function* differences(
  { summary, when }: CompiledMatcher,
  request: RequestView,
): Generator<Difference> {
  let isEqual = true;
  for (const part of ["path", "query", "headers", "body"] as const) {
    if (summary[part] === undefined) continue;
    for (const difference of compare(summary[part], request[part], part, part !== "body")) {
      isEqual = false;
      yield difference;
    }
  }
  if (!isEqual || when === undefined) return;
  const { operation, base, method, path, query, headers, body } = request;
  // a copy, which the function may keep or print
  const result: unknown = when({ operation, base, method, path, query: { ...query }, headers, body });
  if (typeof result !== "boolean")
    throw new Error(`when must return true or false, not ${describeValue(result)}`);
  if (!result) yield { place: "when", expected: "true", received: "false" };
}

/** Whether JSON has all that another one has. */
export function containsJson(received: unknown, expected: unknown): boolean {
  return compare(expected, received, "", false).next().done === true;
}

/** Whether a request matches. */
export function matches(matcher: CompiledMatcher, request: RequestView): boolean {
  return differences(matcher, request).next().done === true;
}

/** Compares JSON; `isParameter`: null stands for an absent value. */
function* compare(
  expected: unknown,
  received: unknown,
  place: string,
  isParameter: boolean,
): Generator<Difference> {
  if (Array.isArray(expected)) {
    const { length } = expected;
    if (!Array.isArray(received) || received.length !== length)
      yield { place, expected: `an array of length ${length}`, received: describeValue(received) };
    else
      for (const [index, value] of expected.entries())
        yield* compare(value, received[index], `${place}.${index}`, isParameter);
  } else if (isObject(expected)) {
    if (!isObject(received)) yield { place, expected: "an object", received: describeValue(received) };
    else
      for (const [name, value] of Object.entries(expected)) {
        const own = Object.hasOwn(received, name) ? received[name] : undefined;
        yield* compare(value, own, `${place}.${name}`, isParameter);
      }
  } else {
    const value = expected === null && isParameter ? undefined : expected;
    if (value !== received)
      yield { place, expected: describeValue(value), received: describeValue(received) };
  }
}
