import { parseRetryAfter } from "../../../wire/retry-after.ts";
import { TimeoutError } from "../errors/errors.ts";
import type { RetryClass } from "../../../wire/operation.ts";
import type { Failure, Outcome, BufferedResponse, RejectionReading } from "./run.ts";

export interface RetryPolicy {
  retryClass: RetryClass;
  rejection: RejectionReading;
  maxDelay: number;
  /** Whether a response is the same for every retry. */
  isPermanent: (response: BufferedResponse) => boolean;
  /** The time, in ms since 1970. */
  now: number;
  /** A random number from 0 up to but not including 1. */
  random: number;
}

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);
const initialBackoff = 300;

/** The advice after a write without a response that says whether it was processed. */
export const lostWrite =
  "the service may have processed the request: read the resource, or find a created one, for example with `ensure`, " +
  "before you send it again";

/**
 * Returns the wait in ms before the next attempt; undefined if the outcome is final. A `Retry-After` may be longer than
 * `maxDelay`.
 * @param failures the number of failed attempts so far
 */
export function retryDelay(outcome: Outcome, failures: number, policy: RetryPolicy): number | undefined {
  const backoff = Math.min(policy.maxDelay, initialBackoff * 2 ** (failures - 1)) * (0.5 + policy.random / 2);
  if (outcome instanceof Error) return mayResend(outcome, policy) ? backoff : undefined;
  const { status, head } = outcome;
  if (!retriedStatuses.has(status) || policy.isPermanent(outcome)) return undefined;
  if (policy.retryClass === "only-if-rejected" && !isRejected(outcome, policy)) return undefined;
  return parseRetryAfter(head.headers.get("retry-after"), policy.now) ?? backoff;
}

/** Whether the service refused the request because of its rate limit. */
export function isRateLimited(outcome: Outcome): boolean {
  return !(outcome instanceof Error) && outcome.status === 429;
}

/** Whether the service said that it did not process the request. */
export function isRejected(
  outcome: Outcome,
  { rejection, now }: Pick<RetryPolicy, "rejection" | "now">,
): boolean {
  if (rejection === "with-retry-after") return isThrottled(outcome, now);
  return rejection === "only-429" && isRateLimited(outcome);
}

/** Whether the server asked for fewer requests: 429, or 503 with `Retry-After`. */
export function isThrottled(outcome: Outcome, now: number): outcome is BufferedResponse {
  if (outcome instanceof Error) return false;
  const { status, head } = outcome;
  return (
    status === 429 || (status === 503 && parseRetryAfter(head.headers.get("retry-after"), now) !== undefined)
  );
}

function mayResend(failure: Failure, policy: RetryPolicy): boolean {
  const isOverall = failure instanceof TimeoutError && failure.kind === "total";
  return policy.retryClass === "idempotent" && !isOverall;
}
