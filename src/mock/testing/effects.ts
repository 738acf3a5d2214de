import * as z from "zod/mini";
import { isHeaderValue } from "../../wire/header.ts";
import { namesOf } from "../../wire/names.ts";
import { BODILESS, type Reply } from "../server/exchange.ts";
import { isList, operationSchema, type ReferenceRequest } from "../server/operations.ts";
import { jsonSchema, parse, positiveInteger } from "../server/schemas.ts";
import { headersOf } from "./matcher.ts";

const faultKinds = ["reset", "close", "truncate", "malformed", "html", "stall", "slow"] as const;

/** A fault that a response can have. */
export type FaultKind = (typeof faultKinds)[number];

const faultPlaces = ["before", "after", "head", "body"] as const;

/**
 * The place at which a fault applies: `before` or `after` a write is executed, which `slow` always is; at the `head` or the
 * `body` of a response.
 */
export type FaultPlace = (typeof faultPlaces)[number];

/** The options of a fault. */
export interface FaultOptions {
  at?: FaultPlace | undefined;
  /** The rate of `slow`, which sends the body a few bytes at a time. Default: 100. */
  bytesPerSecond?: number | undefined;
}

const pagingFaults = ["repeat-cursor", "cycle", "empty-page", "clamp", "shift"] as const;

/** A way in which the pages of a list are faulty. */
export type PagingFaultKind = (typeof pagingFaults)[number];

/** A paging fault, and the number of requests that it has applied to, including this one. */
export interface PagingFault {
  readonly kind: PagingFaultKind;
  readonly applications: number;
}

/** The delay of a response in milliseconds: fixed, or uniformly distributed between two bounds. */
export type Delay = number | { readonly min: number; readonly max: number };

/** A response that a test forces. Without a body it has the documented body of its status. */
export interface ForcedResponse {
  /** Default: 200. With 2xx and no body, the body of the API's own response is kept; 204 has no body. */
  status?: number | undefined;
  /** The body. It is sent as JSON; a string is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

/** When a forced response replaces the operation: `before` it is executed (the default) or `after`. */
export interface ForcedOptions {
  at?: "before" | "after" | undefined;
}

/** A response that was sent, or that a function of a test may change. */
export interface SentResponse {
  readonly status: number;
  /** The parsed JSON; a string if the body is not JSON, `undefined` if there is no body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the response to send instead, or nothing to send the given one. */
export type ResponseChange = (
  response: SentResponse,
  request: ReferenceRequest,
) => ForcedResponse | undefined;

const headerValue = z
  .string()
  .check(
    z.refine(
      isHeaderValue,
      "must be a text that a header can contain: no line break, no character above 255",
    ),
  );

const responseSchema = z
  .strictObject({
    status: z.optional(z.int().check(z.gte(200), z.lte(599))),
    body: z.optional(jsonSchema),
    headers: z.optional(headersOf(headerValue)),
  })
  .check(
    z.refine(
      ({ status = 200, body }) => body === undefined || !BODILESS.has(status),
      "must have no body: a response with the status 204, 205 or 304 has none",
    ),
  );

/** Validates a response that a function of a test returns; its status is by default that of the response before. */
export function parseResponse(given: unknown, before: number): Reply {
  if (given instanceof Promise) throw new Error("the changed response must not be a promise");
  const { status = before, body, headers } = parse(responseSchema, given, "the changed response");
  return { status, body, headers };
}

/** The longest wait of a timer, in milliseconds. */
export const MAX_DELAY = 2_147_483_647;

const milliseconds = z.number().check(z.gte(0), z.lte(MAX_DELAY));

const delayExpected = `must be milliseconds from 0 to ${MAX_DELAY}, or { min, max } of them`;

const range = z
  .strictObject({ min: milliseconds, max: milliseconds })
  .check(z.refine(({ min, max }) => min <= max, delayExpected));

const counts = {
  /** Default: no limit. */
  times: z.optional(positiveInteger),
  skip: z.optional(z.int().check(z.gte(0))),
  rate: z.optional(z.number().check(z.gte(0), z.lte(1))),
};

/** Which requests with the effect an override applies to. */
export const countsSchema = z.strictObject(counts);

const effects = {
  response: z.optional(responseSchema),
  change: z.optional(z.custom<ResponseChange>((value) => typeof value === "function", "must be a function")),
  fault: z.optional(z.enum(faultKinds)),
  delay: z.optional(z.union([milliseconds, range], delayExpected)),
  paging: z.optional(z.enum(pagingFaults)),
};

const needsNoPlace: ReadonlySet<unknown> = new Set([undefined, "before", "after"]);

/** An override: an operation, one effect, and the requests that it applies to. */
export const overrideSchema = z
  .strictObject({
    operation: operationSchema,
    matcher: z.optional(z.unknown()), // depends on the operation
    ...effects,
    at: z.optional(z.enum(faultPlaces)),
    bytesPerSecond: z.optional(positiveInteger),
    ...counts,
  })
  .check(
    z.refine(
      (given) => namesOf(effects).filter((name) => given[name] !== undefined).length === 1,
      `must have one of ${namesOf(effects).join(", ")}`,
    ),
    z.refine(
      ({ fault, at }) => fault === "stall" || fault === "truncate" || needsNoPlace.has(at),
      "must apply before or after: only stall and truncate apply at the head or the body",
    ),
    z.refine(
      ({ operation, paging }) => paging === undefined || operation === "*" || isList(operation),
      "must not have paging: the operation is not a list",
    ),
  );
