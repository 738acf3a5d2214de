import { describeValue, jsonText } from "./checks.ts";
import type { Random } from "../../wire/random.ts";
import type { Fault } from "../http/faults.ts";
import { type CompiledMatcher, matches } from "./matcher.ts";
import type { RequestView } from "../http/request-view.ts";

/** The ways in which the pages of a list can be faulty. */
export const pagingFaults = ["repeat-cursor", "cycle", "empty-page", "clamp", "shift"] as const;

/** A way in which the pages of a list are faulty. */
export type PagingFaultKind = (typeof pagingFaults)[number];

export interface PagingFault {
  readonly kind: PagingFaultKind;
  /** The number of requests of the operation that it has applied to, including this one. */
  readonly applications: number;
}

/**
 * The delay of a response in milliseconds: fixed, uniformly distributed between two bounds, or log-normally
 * distributed (half of the delays are shorter than `median`; a larger `sigma` makes long delays longer; `max`
 * limits them).
 */
export type Delay =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number; readonly max?: number };

/** The longest wait of a timer, in milliseconds. */
export const MAX_DELAY = 2_147_483_647;

/** Throws for a delay that timers do not support. */
export function validateDelay(delay: Delay): Delay {
  if (typeof delay === "number") return assertMilliseconds("delay", delay);
  if (typeof delay !== "object" || delay === null) {
    throw new Error(
      `delay must be milliseconds, { min, max } or { median, sigma }, not ${describeValue(delay)}`,
    );
  }
  return "min" in delay ? validateRange(delay) : validateLogNormal(delay);
}

function validateRange({ min, max, ...others }: { min: number; max: number }): Delay {
  assertNoMore(others, "{ min, max }");
  assertMilliseconds("delay.min", min);
  assertMilliseconds("delay.max", max);
  if (min > max) throw new Error(`delay.min must be at most delay.max, not ${min} and ${max}`);
  return { min, max };
}

function validateLogNormal({
  median,
  sigma,
  max = MAX_DELAY,
  ...others
}: {
  median: number;
  sigma: number;
  max?: number;
}): Delay {
  assertNoMore(others, "{ median, sigma, max? }");
  assertMilliseconds("delay.median", median);
  assertMilliseconds("delay.max", max);
  if (!(Number.isFinite(sigma) && sigma >= 0))
    throw new Error(`delay.sigma must be a non-negative number, not ${describeValue(sigma)}`);
  return { median, sigma, max };
}

function assertMilliseconds(place: string, ms: number): number {
  if (Number.isFinite(ms) && ms >= 0 && ms <= MAX_DELAY) return ms;
  throw new Error(
    `${place} must be a non-negative number of milliseconds up to ${MAX_DELAY}, not ${describeValue(ms)}`,
  );
}

function assertNoMore(others: object, expected: string): void {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new Error(`Unknown property "${unknown}" of a delay. Expected a number or ${expected}`);
}

/** Returns the wait of one response. */
export function drawDelay(delay: Delay, random: Random): number {
  if (typeof delay === "number") return delay;
  if ("min" in delay) return Math.round(delay.min + (delay.max - delay.min) * random.fraction());
  const { median, sigma, max = MAX_DELAY } = delay;
  return Math.min(Math.round(median * Math.exp(sigma * normal(random))), max);
}

/** A number of the standard normal distribution, by the method of Box and Muller. */
function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.fraction()));
  return radius * Math.cos(2 * Math.PI * random.fraction());
}

/** A response that a test forces. Without a body it has the documented body of its status. */
export interface ForcedResponse {
  /** Default: 200. With 2xx and no body, the body of the API's own response is kept; 204 has no body. */
  status?: number;
  /** The body. It is sent as JSON; a string is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A response that a function of a test may change. */
export interface SentResponse {
  readonly status: number;
  /** The parsed JSON; a string if the body is not JSON, `undefined` if there is no body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the response to send instead, or nothing to send the given one. `isChanged`: whether a write or an override may have
 * changed the given one.
 */
export type ResponseChange = (
  response: SentResponse,
  request: RequestView,
  isChanged: boolean,
) => ForcedResponse | undefined;

/** A request of another writer to the same API. */
export interface OtherWrite {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base URL. */
  path: string;
  body?: unknown;
}

/** The effect of a rule on the requests that it applies to. */
export type Effect =
  | { do: "respond"; response: ForcedResponse; isExecuted: boolean }
  | { do: "change"; change: ResponseChange }
  | { do: "write"; write: OtherWrite }
  | { do: "fault"; fault: Fault }
  | { do: "delay"; delay: Delay }
  | { do: "paging"; kind: PagingFaultKind };

/** An effect, and the requests that it applies to. */
export interface Rule {
  readonly id: number;
  /** An operation, or `*`. */
  readonly operation: string;
  readonly matcher: CompiledMatcher | undefined;
  readonly effect: Effect;
  remaining: number;
  skip: number;
  /** The probability that it applies to a request. */
  rate: number;
  /** The number of requests that it has applied to. */
  applications: number;
  readonly random: Random;
  /** The rules that were declared together. */
  readonly group: Set<Rule>;
  /** The estimated size of its strings. */
  readonly bytes: number;
}

/** Whether a rule applies to a request; counts the requests that it skips. */
export function appliesTo(rule: Rule, request: RequestView): boolean {
  if (rule.matcher !== undefined && !matches(rule.matcher, request)) return false;
  if (rule.skip > 0) {
    rule.skip -= 1;
    return false;
  }
  return rule.rate === 1 || rule.random.chance(rule.rate);
}

/** Estimates the bytes of a body and headers; values that are not JSON count as 0. */
export function sizeOf(effect: Effect, matcher: CompiledMatcher | undefined): number {
  const bytes = matcher?.bytes ?? 0;
  if (effect.do !== "respond") return bytes;
  const { body, headers } = effect.response;
  const bodySize = typeof body === "string" ? body.length : (jsonText(body)?.length ?? 0);
  return bytes + bodySize + (jsonText(headers)?.length ?? 0);
}
