import type { Received } from "./attempt.ts";
import { type ConnectionError, TimeoutError } from "./errors.ts";

/** How an attempt ended: with an HTTP answer, or with none. */
export type Outcome = Received | ConnectionError | TimeoutError;

/** Which outcomes may be sent again. */
export type RetryClass =
  /** Sending twice is sending once: GET, PUT, DELETE. */
  | "idempotent"
  /** Only where the server said that it did not process the request. */
  | "refused-only";

export interface RetryPolicy {
  retryClass: RetryClass;
  maxDelay: number;
  /** An answer that will stay the same however often it is asked for. */
  isPermanent: (received: Received) => boolean;
  now: () => number;
  random: () => number;
}

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);
const firstBackoff = 300;

/**
 * The wait in ms before the next attempt, or undefined where this outcome is the last.
 * @param attempts how many were made
 */
export function retryDelay(outcome: Outcome, attempts: number, policy: RetryPolicy): number | undefined {
  const backoff = Math.min(policy.maxDelay, firstBackoff * 2 ** (attempts - 1)) * (0.5 + policy.random() / 2);
  if (outcome instanceof Error) return mayRepeatUnanswered(outcome, policy) ? backoff : undefined;
  const { status, response } = outcome;
  if (!retriedStatuses.has(status) || policy.isPermanent(outcome)) return undefined;
  const asked = parseRetryAfter(response.headers.get("retry-after"), policy.now());
  if (policy.retryClass === "refused-only" && !isRefusal(outcome, policy.now())) return undefined;
  if (asked === undefined) return backoff;
  return asked <= policy.maxDelay ? asked : undefined;
}

/** Whether the server said that it did not process the request. */
export function isRefusal(outcome: Outcome, now: number): boolean {
  if (outcome instanceof Error) return false;
  const { status, response } = outcome;
  return (
    status === 429 ||
    (status === 503 && parseRetryAfter(response.headers.get("retry-after"), now) !== undefined)
  );
}

function mayRepeatUnanswered(failure: ConnectionError | TimeoutError, policy: RetryPolicy): boolean {
  const overall = failure instanceof TimeoutError && failure.kind === "total";
  return policy.retryClass === "idempotent" && !overall;
}

/** `Retry-After` in ms: seconds, or an HTTP date as seen from `now`. Anything else counts as absent. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  // the oldest of the three forms of an HTTP date names no zone, and engines take it for their own
  const date = Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
