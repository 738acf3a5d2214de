import { ConfigurationError } from "../errors/errors.ts";
import { checkNames } from "../errors/unknown-name.ts";
import { AdaptiveRate } from "./adaptive-rate.ts";
import type { LimitedRequest, Limiter } from "./limiter.ts";
import type { Runtime } from "./options.ts";
import { RequestCount } from "./request-count.ts";
import { WaitQueue } from "./wait-queue.ts";

/** Options of `tokenBucket`. */
export interface TokenBucketOptions {
  /** The largest average number of requests per second. */
  perSecond: number;
  /** The number of requests that may be sent at once after a pause (default: `perSecond`, rounded up). */
  burst?: number | undefined;
  /** The longest pause in ms that a `Retry-After` can cause (default: 30 000). */
  maxPause?: number | undefined;
  /** Replaces the clock and timers of `globalThis`, for tests and simulations. */
  runtime?: Pick<Runtime, "setTimeout" | "clearTimeout" | "performance"> | undefined;
}

/** The pause in ms after a 429 without `Retry-After`. */
const defaultPause = 1000;

/**
 * Limits the request rate within this process, for the option `limiter`. Several clients can share one. After a response
 * 429, or 503 with `Retry-After`, no request is sent until that wait is over, and the rate falls to what the service
 * accepts. It recovers with time.
 * @throws {ConfigurationError} for a wrong option
 * @example
 * const limiter = tokenBucket({ perSecond: 5, burst: 10 });
 * const store = new StoreClient({ baseUrl, token, limiter });
 */
export function tokenBucket(options: TokenBucketOptions): Limiter {
  return new TokenBucket(checkOptions(options), new RequestCount());
}

type BucketOptions = { [Name in keyof TokenBucketOptions]-?: Exclude<TokenBucketOptions[Name], undefined> };

/** A rate limit that adapts to the service. With an infinite rate it limits nothing until the first 429. */
export class TokenBucket implements Limiter {
  readonly #options: BucketOptions;
  readonly #rate: AdaptiveRate;
  readonly #queue = new WaitQueue(() => this.#advance());
  /** The number of falls of the rate before a request, for the requests after the first fall. */
  readonly #falls = new WeakMap<LimitedRequest, number>();
  #tokens: number;
  /** The time until which `tokens` are counted. */
  #filledAt = 0;
  #pausedUntil = -Infinity;
  #timer: unknown;

  constructor(options: BucketOptions, count: RequestCount) {
    this.#options = options;
    this.#rate = new AdaptiveRate(options.perSecond, count);
    this.#tokens = options.burst;
  }

  tryAcquire(request: LimitedRequest): boolean {
    const now = this.#options.runtime.performance.now();
    const rate = this.#rate;
    if (!rate.isUnlimited && (!this.#queue.isEmpty || this.#missing(now) > 0)) return false;
    this.#take(request, now);
    return true;
  }

  #take(request: LimitedRequest, now: number): void {
    this.#tokens -= 1;
    const fall = this.#rate.countRequest(now);
    if (fall > 0) this.#falls.set(request, fall);
  }

  async acquire(request: LimitedRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryAcquire(request)) return;
    const turn = this.#queue.wait(request.attempt > 1, signal, () =>
      this.#take(request, this.#options.runtime.performance.now()),
    );
    this.#advance();
    await turn;
  }

  onThrottled(retryAfter: number | undefined, request: LimitedRequest): void {
    const now = this.#options.runtime.performance.now();
    this.#missing(now);
    this.#rate.reportThrottled(now, this.#falls.get(request) ?? 0);
    this.#tokens = Math.min(this.#tokens, 1);
    const pause = Math.min(retryAfter ?? defaultPause, this.#options.maxPause);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
  }

  /** Adds the tokens of the time since the last call. Returns the ms until the next request may be sent. */
  #missing(now: number): number {
    const { burst, perSecond } = this.#options;
    const rate = this.#rate.current(now);
    const from = Math.max(this.#filledAt, this.#pausedUntil); // a pause adds no tokens
    if (now > from) {
      const share = burst === Infinity ? rate : (burst * rate) / perSecond;
      this.#tokens = Math.min(
        rate === perSecond ? burst : Math.max(1, share),
        this.#tokens + ((now - from) * rate) / 1000,
      );
    }
    this.#filledAt = now; // also if the clock was replaced
    const pause = Math.max(0, this.#pausedUntil - now);
    return this.#tokens >= 1 ? pause : pause + ((1 - this.#tokens) * 1000) / rate;
  }

  /** Sends what may be sent, and wakes up for the next request. */
  #advance(): void {
    const { runtime } = this.#options;
    for (;;) {
      const delay = this.#queue.isEmpty ? Infinity : this.#missing(runtime.performance.now());
      if (delay > 0) {
        if (this.#timer !== undefined) runtime.clearTimeout(this.#timer);
        const wake = (): void => {
          this.#timer = undefined;
          this.#advance();
        };
        // rounded up, because a timer that fires early would have to wait again
        this.#timer = delay === Infinity ? undefined : runtime.setTimeout(wake, Math.ceil(delay));
        return;
      }
      this.#queue.next();
    }
  }
}

function checkOptions(options: TokenBucketOptions): BucketOptions {
  const known = ["perSecond", "burst", "maxPause", "runtime"];
  checkNames("tokenBucket: unknown option", options ?? {}, known);
  const { perSecond, burst = Math.ceil(perSecond), maxPause = 30_000, runtime = globalThis } = options ?? {};
  if (!(typeof perSecond === "number" && perSecond > 0 && perSecond < Infinity)) {
    throw new ConfigurationError("tokenBucket: perSecond must be a number above 0");
  }
  if (!(Number.isSafeInteger(burst) && burst > 0)) {
    throw new ConfigurationError("tokenBucket: burst must be a positive integer");
  }
  if (!(typeof maxPause === "number" && maxPause >= 0 && maxPause <= 2_147_483_647)) {
    throw new ConfigurationError("tokenBucket: maxPause must be a number of ms from 0 to 2147483647");
  }
  return { perSecond, burst, maxPause, runtime };
}
