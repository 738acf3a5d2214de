import * as z from "zod/mini";
import { parseJson } from "../../wire/json.ts";
import { omitUndefined } from "../../wire/names.ts";
import { describeValue, findJsonLoss, jsonText, parse, positiveInteger } from "../server/schemas.ts";
import { messageOf } from "../../wire/thrown.ts";
import type { Reply } from "../server/exchange.ts";
import type { ReferenceRequest } from "../server/operations.ts";
import { type Redact, redactHeaders } from "../server/secrets.ts";

const faultKinds = ["reset", "close", "truncate", "malformed", "html", "stall", "slow"] as const;

/** A fault that a response can have. */
export type FaultKind = (typeof faultKinds)[number];

const faultPlaces = ["before", "after", "head", "body"] as const;

/**
 * The place at which a fault applies: `before` or `after` a write is executed; at the `head` or the `body` of a
 * response.
 */
export type FaultPlace = (typeof faultPlaces)[number];

/** The fault of a response. */
export interface Fault {
  readonly kind: FaultKind;
  readonly at?: FaultPlace | undefined;
  readonly bytesPerSecond?: number | undefined;
}

/** The options of a fault. */
export interface FaultOptions {
  at?: FaultPlace | undefined;
  /** The rate of `slow`, which sends the body a few bytes at a time. */
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

/** A response that a function of a test may change. */
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

/** What a rule does with the requests that it applies to. */
export type Effect =
  | { type: "response"; response: ForcedResponse; at?: "after" }
  | { type: "change"; change: ResponseChange }
  | { type: "fault"; fault: Fault }
  | { type: "delay"; delay: Delay }
  | { type: "paging"; paging: PagingFaultKind };

/** The effect of an override. */
export type OverrideEffect =
  | {
      type: "response";
      status: number;
      body?: unknown;
      /** The size of a body that is too large for a list, in characters of JSON. */
      omittedBody?: number;
      headers?: Record<string, string>;
      /** `after`: the operation is executed before its response is replaced. */
      at?: "after";
    }
  | { type: "change" }
  | { type: "fault"; fault: FaultKind; at?: FaultPlace; bytesPerSecond?: number }
  | { type: "delay"; delay: Delay }
  | { type: "paging"; paging: PagingFaultKind };

const responseSchema = z.strictObject({
  status: z.optional(z.int().check(z.gte(200), z.lte(599))),
  body: z.optional(z.unknown()),
  headers: z.optional(
    z.custom<Record<string, string>>((value) => Object(value) === value, "must be an object"),
  ),
});

/** Validates a response that a test forces, or that a function of a test returns. */
export function parseResponse(given: unknown, place: string): Partial<Reply> {
  if (given instanceof Promise) throw new Error(`${place} must be an object, not a promise`);
  const { status, body, headers } = parse(responseSchema, given, place);
  const [loss] = findJsonLoss(body, `${place}.body`);
  if (loss !== undefined) throw new Error(`${loss.path} ${loss.message}`);
  return {
    ...(status !== undefined && { status }),
    ...(body !== undefined && { body }),
    ...(headers && { headers: withLowerCaseNames(headers, place) }),
  };
}

/** Returns the headers with lower-case names, so that they replace those of the API. */
function withLowerCaseNames(headers: Record<string, string>, place: string): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch (cause) {
    throw new Error(`${place}.headers: ${messageOf(cause)}`, { cause });
  }
}

export const forcedOptionsSchema = z.strictObject({ at: z.optional(z.enum(["before", "after"])) });

const needsNoPlace: ReadonlySet<unknown> = new Set([undefined, "before", "after"]);

export const faultSchema = z
  .strictObject({
    kind: z.enum(faultKinds),
    at: z.optional(z.enum(faultPlaces)),
    bytesPerSecond: z.optional(positiveInteger),
  })
  .check(
    z.refine(
      ({ kind, bytesPerSecond }) => (kind === "slow") === (bytesPerSecond !== undefined),
      'must have "bytesPerSecond" with slow, and only with it',
    ),
    z.refine(
      ({ kind, at }) => kind === "stall" || kind === "truncate" || needsNoPlace.has(at),
      "must apply before or after: only stall and truncate apply at the head or the body",
    ),
  );

export const pagingSchema = z.enum(pagingFaults);

/** The longest wait of a timer, in milliseconds. */
export const MAX_DELAY = 2_147_483_647;

const milliseconds = z.number().check(z.gte(0), z.lte(MAX_DELAY));

export const delaySchema = z.union(
  [
    milliseconds,
    z
      .strictObject({ min: milliseconds, max: milliseconds })
      .check(z.refine(({ min, max }) => min <= max, "must have min at most max")),
  ],
  `must be milliseconds from 0 to ${MAX_DELAY}, or { min, max } of them`,
);

/** Describes an effect without secrets. */
export function describeEffect(effect: Effect, redact: Redact): OverrideEffect {
  switch (effect.type) {
    case "response": {
      const { response, ...others } = effect;
      const { status = 200, ...described } = omitUndefined(describeJson(response, redact));
      return { status, ...described, ...others };
    }
    case "change":
      return { type: "change" };
    case "fault": {
      const { kind: fault, ...others } = effect.fault;
      return { type: "fault", fault, ...omitUndefined(others) };
    }
    default:
      return effect;
  }
}

/** Longer bodies are not listed: the removal of their secrets would take seconds. */
const MAX_BODY_LENGTH = 100_000;

/** What a matcher, a forced response and a request of another writer share. */
interface Described {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
}

/** Returns a copy without secrets. */
export function describeJson<Value extends Described>(value: Value, redact: Redact): Value {
  const { body, headers, ...others } = value;
  const text = body === undefined ? undefined : (jsonText(body) ?? describeValue(body));
  const isOmitted = text !== undefined && text.length > MAX_BODY_LENGTH;
  return {
    ...(JSON.parse(redact(JSON.stringify(others))) as object), // a mask changes no quote
    ...(headers && { headers: redactHeaders(headers, redact) }),
    ...(isOmitted && { omittedBody: text.length }),
    ...(text !== undefined && !isOmitted && { body: parseJson(redact(text)) ?? null }),
  } as Value; // it has the same properties
}
