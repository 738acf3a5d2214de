import * as z from "zod/mini";
import { isHeaderName } from "../../wire/header.ts";
import { isObject } from "../../wire/json.ts";
import { tableOf } from "../../wire/names.ts";
import type { RequestView } from "../server/exchange.ts";
import {
  type OperationId,
  parameterNames,
  type PathParameter,
  type ReferenceRequest,
} from "../server/operations.ts";
import { describeValue, jsonSchema, parse } from "../server/schemas.ts";

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

/** A valid matcher: query parameters are strings, names of headers are in lower case. */
export interface Matcher extends RequestMatcher {
  /** Only of the journal. */
  operation?: string | undefined;
  /** Only of the journal. */
  status?: number | undefined;
}

const parameterSchema = z.pipe(
  z.union(
    [z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).check(z.minLength(1))],
    "must be a string, a number, a boolean, an array of strings, or null if it must be absent",
  ),
  z.transform((value) => {
    if (value === null) return value;
    return Array.isArray(value) && value.length > 1 ? value : String(value);
  }),
);

/** Returns the schema of headers, whose names get lower-case letters. */
export function headersOf<Value>(value: z.ZodMiniType<Value>) {
  const name = z.string().check(z.refine(isHeaderName, "must be the name of a header"));
  return z.pipe(
    z.record(name, value),
    z.transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([key, text]) => [key.toLowerCase(), text])),
    ),
  );
}

/** Validates and copies a matcher. Throws an error that names the invalid part. */
export function parseMatcher(given: unknown, operation: OperationId | "*"): Matcher {
  const names = parameterNames(operation);
  const schema = z.strictObject({
    path: z.optional(z.strictObject(tableOf(names.path, () => z.optional(z.string())))),
    query: z.optional(z.strictObject(tableOf(names.query, () => z.optional(parameterSchema)))),
    headers: z.optional(headersOf(z.optional(z.nullable(z.string())))),
    body: z.optional(jsonSchema),
    when: z.optional(z.custom((value) => typeof value === "function", "must be a function")),
  });
  return parse(schema, given, "matcher") as Matcher; // its functions have no type
}

/** A request with the properties that matchers compare. */
export interface Compared extends RequestView<string | null> {
  readonly status?: number | null;
}

/** A part of a request that is not as a matcher expects it. */
export interface Difference {
  /** Such as `body.name`. */
  readonly place: string;
  readonly expected: unknown;
  readonly received: unknown;
}

/** Yields the differences of a request from a matcher. */
export function* differences(matcher: Matcher, request: Compared): Generator<Difference> {
  let isEqual = true;
  for (const part of ["operation", "status", "path", "query", "headers", "body"] as const)
    for (const difference of compare(matcher[part], request[part], part, part !== "body")) {
      isEqual = false;
      yield difference;
    }
  if (!isEqual || matcher.when === undefined) return;
  const { status: _status, ...view } = request;
  // a copy, which the function may keep or print
  const result: unknown = matcher.when({ ...view, query: { ...view.query } } as ReferenceRequest); // it has an operation
  if (typeof result !== "boolean")
    throw new Error(`when must return true or false, not ${describeValue(result)}`);
  if (!result) yield { place: "when", expected: true, received: false };
}

/** Whether a request matches. */
export function matches(matcher: Matcher, request: Compared): boolean {
  return differences(matcher, request).next().done === true;
}

/** Whether JSON has all that another one has. */
export function containsJson(received: unknown, expected: unknown): boolean {
  return compare(expected, received, "", false).next().done === true;
}

/** Compares JSON. An expected undefined matches any value; an expected null of a parameter matches an absent one. */
function* compare(
  expected: unknown,
  received: unknown,
  place: string,
  isParameter: boolean,
): Generator<Difference> {
  if (expected === undefined) return;
  const areArrays = Array.isArray(expected) && Array.isArray(received) && expected.length === received.length;
  if (areArrays || (isObject(expected) && isObject(received))) {
    const parts = new Map(Object.entries(received));
    for (const [name, value] of Object.entries(expected))
      yield* compare(value, parts.get(name), `${place}.${name}`, isParameter);
  } else if (expected !== received && !(isParameter && expected === null && received === undefined))
    yield { place, expected, received };
}
