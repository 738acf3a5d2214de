import { checkNames, describeValue } from "../testing/checks.ts";
import type { Clock } from "./clock.ts";
import type { Timers } from "./timers.ts";

/** The rate limit of each token and each key. */
export interface RateLimits {
  /** The average number of requests per second; may be a fraction. Default: 10. */
  perSecond?: number;
  /** The number of requests that may be sent at once after a pause. Default: `perSecond`, rounded up. */
  burst?: number;
  /** The form of the header `Retry-After`, or none. A date is in whole seconds of the machine's clock. Default: seconds. */
  retryAfter?: RetryAfterForm;
}

/** The form of the header `Retry-After`. */
export type RetryAfterForm = "seconds" | "date" | "none";

const RETRY_AFTER_FORMS = ["seconds", "date", "none"] as const;

const DEFAULT_PER_SECOND = 10;

/** The longest `Retry-After` in seconds, 31 years: the header cannot express every longer time. */
const MAX_WAIT = 1e9;

/** The tolerance for rounding errors: a request at the time of `Retry-After` must not be rejected. */
const TOLERANCE = 1e-6;

/** The remaining requests of a token or key. */
interface Bucket {
  tokens: number;
  at: number;
}

/** A bucket for each token and key. They are refilled as time passes, and when the server's clock is advanced. */
export class RateLimiter {
  readonly #initial: Required<RateLimits>;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #buckets = new Map<string, Bucket>();
  #limits: Required<RateLimits>;

  constructor(limits: RateLimits, clock: Clock, timers: Timers) {
    this.#initial = resolveLimits(limits);
    this.#limits = this.#initial;
    this.#clock = clock;
    this.#timers = timers;
  }

  /** Switches to other limits, with full buckets. */
  switch(limits: RateLimits): void {
    this.#limits = resolveLimits(limits);
    this.#buckets.clear();
  }

  reset(): void {
    this.#limits = this.#initial;
    this.#buckets.clear();
  }

  get limits(): Required<RateLimits> {
    return { ...this.#limits };
  }

  /** Takes one request from the bucket of a secret; returns the headers of the 429 if it is empty. */
  acquire(secret: string): Record<string, string> | undefined {
    const { perSecond, burst } = this.#limits;
    const at = this.#clock.offset + this.#timers.now();
    const bucket = this.#buckets.get(secret) ?? { tokens: burst, at };
    this.#buckets.set(secret, bucket);
    const seconds = Math.max(0, at - bucket.at) / 1_000;
    bucket.tokens = Math.min(burst, bucket.tokens + seconds * perSecond);
    bucket.at = at;
    if (bucket.tokens < 1 - TOLERANCE)
      return this.#refusal(Math.min((1 - bucket.tokens) / perSecond, MAX_WAIT));
    bucket.tokens -= 1;
    return undefined;
  }

  #refusal(seconds: number): Record<string, string> {
    const { retryAfter } = this.#limits;
    if (retryAfter === "none") return {};
    if (retryAfter === "seconds") return { "retry-after": String(Math.ceil(seconds - TOLERANCE)) };
    const date = Math.ceil(this.#timers.date() / 1_000 + seconds - TOLERANCE) * 1_000;
    return { "retry-after": new Date(date).toUTCString() };
  }
}

/** Validates limits and adds defaults. Throws an error that names an invalid limit. */
export function resolveLimits(limits: RateLimits): Required<RateLimits> {
  if (typeof limits !== "object" || limits === null)
    throw new Error(`limits must be an object such as { perSecond: 5 }, not ${describeValue(limits)}`);
  const { perSecond = DEFAULT_PER_SECOND, retryAfter = "seconds" } = limits;
  if (!(Number.isFinite(perSecond) && perSecond > 0))
    throw new Error(`limits.perSecond must be a positive number, not ${describeValue(perSecond)}`);
  const { burst = Math.ceil(perSecond) } = limits;
  if (!(Number.isSafeInteger(burst) && burst > 0))
    throw new Error(`limits.burst must be a positive integer, not ${describeValue(burst)}`);
  if (!RETRY_AFTER_FORMS.includes(retryAfter)) {
    const expected = RETRY_AFTER_FORMS.join(", ");
    throw new Error(`limits.retryAfter must be one of ${expected}, not ${describeValue(retryAfter)}`);
  }
  checkNames("limits", limits, ["perSecond", "burst", "retryAfter"]);
  return { perSecond, burst, retryAfter };
}
