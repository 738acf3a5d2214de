import * as z from "zod/mini";
import type { Clock, Timers } from "./clock.ts";
import { Refusal } from "./exchange.ts";
import { parse, positiveInteger } from "./schemas.ts";

/** The rate limit of each token and each key. */
export interface RateLimits {
  /** The average number of requests per second; may be a fraction. Default: 10. */
  perSecond?: number | undefined;
  /** The number of requests that may be sent at once after a pause. Default: `perSecond`, rounded up. */
  burst?: number | undefined;
  /** The form of the header `Retry-After`, or none. A date is in whole seconds of the machine's clock. Default: seconds. */
  retryAfter?: RetryAfterForm | undefined;
}

/** The form of the header `Retry-After`. */
export type RetryAfterForm = "seconds" | "date" | "none";

/** The rate limits in force. */
export type ResolvedLimits = { readonly [Name in keyof RateLimits]-?: Exclude<RateLimits[Name], undefined> };

const limitsSchema = z.strictObject({
  perSecond: z.optional(z.number().check(z.refine((rate) => rate > 0, "must be a positive number"))),
  burst: z.optional(positiveInteger),
  retryAfter: z.optional(z.enum(["seconds", "date", "none"])),
});

/** The longest `Retry-After` in seconds, 31 years: the header cannot express every longer time. */
const MAX_WAIT = 1e9;

/** The tolerance for rounding errors: a request at the time of `Retry-After` must not be rejected. */
const TOLERANCE = 1e-6;

/** A bucket for each token and key. They are refilled as time passes, and when the server's clock is advanced. */
export class RateLimiter {
  readonly #initial: ResolvedLimits;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();
  limits: ResolvedLimits;

  constructor(limits: RateLimits, clock: Clock, timers: Timers) {
    this.#initial = resolve(limits);
    this.limits = this.#initial;
    this.#clock = clock;
    this.#timers = timers;
  }

  /** Switches to other limits, or to the first ones, with full buckets. */
  switch(limits?: RateLimits): void {
    this.limits = limits === undefined ? this.#initial : resolve(limits);
    this.#buckets.clear();
  }

  /** Takes one request from the bucket of a secret; throws a 429 if it is empty. */
  acquire(secret: string): void {
    const { perSecond, burst } = this.limits;
    const at = this.#clock.offset + this.#timers.now();
    const bucket = this.#buckets.get(secret) ?? { tokens: burst, at };
    this.#buckets.set(secret, bucket);
    const seconds = Math.max(0, at - bucket.at) / 1_000;
    bucket.tokens = Math.min(burst, bucket.tokens + seconds * perSecond);
    bucket.at = at;
    if (bucket.tokens < 1 - TOLERANCE) {
      const wait = Math.min((1 - bucket.tokens) / perSecond, MAX_WAIT) - TOLERANCE;
      throw new Refusal(429, { message: "Too many requests" }, this.#headers(wait));
    }
    bucket.tokens -= 1;
  }

  #headers(seconds: number): Record<string, string> {
    const { retryAfter } = this.limits;
    if (retryAfter === "none") return {};
    if (retryAfter === "seconds") return { "retry-after": String(Math.ceil(seconds)) };
    const date = Math.ceil(this.#timers.now() / 1_000 + seconds) * 1_000;
    return { "retry-after": new Date(date).toUTCString() };
  }
}

function resolve(given: RateLimits): ResolvedLimits {
  const {
    perSecond = 10,
    burst = Math.ceil(perSecond),
    retryAfter = "seconds",
  } = parse(limitsSchema, given, "limits");
  return { perSecond, burst, retryAfter };
}
