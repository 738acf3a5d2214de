import type { Limits } from "./options.ts";

/** How an attempt ended, unless it ended with a successful response. */
export type Failure =
  | {
      readonly kind: "status";
      readonly status: number;
      /** The wait in ms that the response names. */
      readonly retryAfter?: number | undefined;
      /** Whether every retry would end with the same response. */
      readonly isPermanent: boolean;
      /** Whether the response is not what the contract describes: it may come from a proxy. */
      readonly isForeign: boolean;
    }
  | {
      /** The response is not what the contract describes. */
      readonly kind: "defect";
      readonly status: number;
      readonly isPermanent: boolean;
    }
  | {
      /** No complete response arrived. */
      readonly kind: "lost";
      /** Whether no part of the request can have reached the service. */
      readonly isUnsent: boolean;
      readonly isPermanent: boolean;
    };

/** What stays the same during a call. */
export interface CallFacts extends Pick<Limits, "retries" | "maxDelay" | "totalTimeout"> {
  readonly isWrite: boolean;
  /** Whether the request has the same effect if it is sent twice. */
  readonly mayRepeat: boolean;
}

/** What happened to the call before, and where it stands now. */
export interface CallHistory {
  /** The number of earlier failures, and of earlier 429. */
  readonly failures: number;
  readonly throttled: number;
  readonly mayHaveBeenProcessed: boolean;
  /** The time in ms until `totalTimeout`. */
  readonly remaining: number;
  /** The time in ms since the service last accepted a request of the client, or refused the first one of this call. */
  readonly refusedFor: number;
  readonly isDrained: boolean;
  /** From 0 up to 1: calls that failed together are not repeated together. */
  readonly random: number;
}

/** What a failed attempt means. */
export interface Verdict {
  /** The wait in ms before the next attempt; undefined if the call ends. */
  readonly delay: number | undefined;
  /** Whether the same call can be made again. */
  readonly retryable: boolean;
  readonly mayHaveBeenProcessed: boolean;
  /** Why a call that could be repeated ends. */
  readonly hint: string | undefined;
}

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** The wait before the first retry, in ms; each further one is twice as long. */
const firstDelay = 300;

/** The time in ms that a call without `totalTimeout` waits while the service accepts no request of the client. */
const patience = 300_000;

/** Decides what a failed attempt means: another one after a wait, or the end of the call. */
export function judge(failure: Failure, facts: CallFacts, history: CallHistory): Verdict {
  const isThrottled = failure.kind === "status" && failure.status === 429;
  const isUnprocessed = isThrottled || (failure.kind === "lost" && failure.isUnsent);
  const retryable = isTransient(failure) && (facts.mayRepeat || isUnprocessed);
  const mayHaveBeenProcessed =
    history.mayHaveBeenProcessed || (facts.isWrite && !isUnprocessed && isServerFailure(failure, facts));
  const ends = { delay: undefined, retryable, mayHaveBeenProcessed, hint: undefined };
  // a 429 uses up no retry: the call waits until the service accepts it or its time is over
  const hasRetry = facts.retries > 0 && (isThrottled || history.failures < facts.retries);
  if (!retryable || !hasRetry) return ends;
  const count = isThrottled ? history.throttled : history.failures;
  const delay =
    (failure.kind === "status" ? failure.retryAfter : undefined) ?? backOff(count, facts, history);
  const hint = findObstacle(delay, isThrottled, facts, history);
  return hint === undefined ? { ...ends, delay } : { ...ends, hint };
}

/** Whether the same request may succeed later. A response of another form may come from a proxy. */
function isTransient(failure: Failure): boolean {
  if (failure.isPermanent) return false;
  if (failure.kind !== "status") return true;
  return failure.isForeign || retriedStatuses.has(failure.status);
}

/**
 * Whether a failure leaves open if a write was processed. A 303 leads to the result of a POST, and many services send 301 or 302
 * in its place.
 */
function isServerFailure(failure: Failure, { mayRepeat }: CallFacts): boolean {
  if (failure.kind === "lost") return true;
  if (failure.kind === "defect")
    return failure.status < 300 || failure.status === 303 || (failure.status <= 302 && !mayRepeat);
  return failure.status === 408 || (failure.status >= 500 && failure.status !== 501);
}

/** Returns the wait before a retry in ms, after `count` earlier failures of the same kind. */
function backOff(count: number, { maxDelay }: CallFacts, { random }: CallHistory): number {
  return Math.min(maxDelay, firstDelay * 2 ** count) * (0.5 + random / 2);
}

/** Returns why a retry is not waited for; undefined if it is. */
function findObstacle(
  delay: number,
  isThrottled: boolean,
  { maxDelay, totalTimeout }: CallFacts,
  { isDrained, remaining, refusedFor }: CallHistory,
): string | undefined {
  if (isDrained) return "the client is drained";
  if (delay > maxDelay)
    return `Retry-After is ${Math.ceil(delay / 1000)} s, longer than retry.maxDelay (${maxDelay} ms)`;
  if (delay >= remaining) return `the next attempt would be after totalTimeout (${totalTimeout} ms)`;
  if (!isThrottled || totalTimeout !== Infinity || refusedFor + delay < patience) return undefined;
  return `the service accepted no request for ${patience / 60_000} minutes; set totalTimeout to wait longer`;
}
