import { readOptions, integer, type OptionRule, requireValue, uncheckedRule } from "./option-rules.ts";
import type { Runtime } from "./time.ts";

/** A request that waits for a limiter. `acquire` and `onThrottled` receive the same object for the same request. */
export interface LimitedRequest {
  /** The operation's ID in the OpenAPI document, e.g. `getStore`. */
  readonly operation: string;
  /** The number of the call within the client. */
  readonly call: number;
  /** The number of the request within the call. Above 1 it is a retry, which has priority over new calls. */
  readonly attempt: number;
}

/** A rate limit. Several clients, also in several processes, can share one. */
export interface Limiter {
  /**
   * Awaited before each request, including retries. `timeout` starts after this wait; `totalTimeout` and the call's
   * signal end it. If this throws, the call rejects with the same error.
   */
  acquire: (request: LimitedRequest, signal: AbortSignal) => void | Promise<void>;
  /** Returns true if the request may be sent at once, without `acquire`. Optional, because it only saves time. */
  tryAcquire?: ((request: LimitedRequest) => boolean) | undefined;
  /**
   * Called after each 429. `retryAfter` is the wait that it names, in ms, or undefined if it names none. Not awaited.
   */
  onThrottled?: ((retryAfter: number | undefined, request: LimitedRequest) => void) | undefined;
}

/** Those who wait for a turn: retries first, otherwise in the order of their calls. */
class Queue {
  readonly #retries = new Set<() => void>();
  readonly #calls = new Set<() => void>();

  /** The number of those who wait. */
  get size(): number {
    return this.#retries.size + this.#calls.size;
  }

  /** Waits for a turn, and then calls `take` before anything else happens. */
  wait(isRetry: boolean, signal: AbortSignal, take: () => void): Promise<void> {
    const lane = isRetry ? this.#retries : this.#calls;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        lane.delete(enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        lane.delete(enter);
        signal.removeEventListener("abort", leave);
        take();
        resolve();
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      lane.add(enter);
    });
  }

  /** Gives the turn to the first in the queue. */
  next(): void {
    const [enter] = this.#retries.size > 0 ? this.#retries : this.#calls;
    enter?.();
  }
}

/** Limits the number of requests in flight (`maxConcurrency`). */
export class Slots {
  readonly count: number;
  #free: number;
  readonly #queue = new Queue();

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** Takes a slot if one is free. */
  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Takes a slot when one is free. */
  acquire(isRetry: boolean, signal: AbortSignal): Promise<void> {
    return this.#queue.wait(isRetry, signal, () => void (this.#free -= 1));
  }

  /** Passes a slot to the next in the queue. */
  release(): void {
    this.#free += 1;
    this.#queue.next();
  }
}

/** Options of `tokenBucket`. */
export interface TokenBucketOptions {
  /** The largest average number of requests per second. */
  perSecond: number;
  /** The number of requests that may be sent at once after a pause (default: `perSecond`, rounded up). */
  burst?: number | undefined;
  /** Replaces the clock and timers of `globalThis`, for tests and simulations. */
  runtime?: Pick<Runtime, "setTimeout" | "clearTimeout" | "performance"> | undefined;
}

/** The settings of a bucket. */
interface BucketSettings {
  readonly perSecond: number;
  readonly burst: number;
  /** The longest pause in ms that a `Retry-After` can cause. */
  readonly maxPause: number;
  readonly runtime: NonNullable<TokenBucketOptions["runtime"]>;
}

/** The pause in ms after a 429 without `Retry-After`. */
const defaultPause = 1000;
/** The least rate in requests per second; that after the first 429 of a bucket that did not limit before; the largest. */
const [lowest, first, highest] = [0.1, 10, 1000];
/** The rate grows by 5 % in each second. */
const growth = 1.05;

const rules: Record<keyof TokenBucketOptions, OptionRule> = {
  perSecond: ["a number above 0", (value) => typeof value === "number" && value > 0 && value < Infinity],
  burst: /* @__PURE__ */ integer(1),
  runtime: uncheckedRule,
};

/**
 * Limits the request rate within this process, for the option `limiter`. Several clients can share one. After a 429 no
 * request is sent until its wait is over. Then requests follow one after the other, at a lower rate, which grows with time.
 * @throws {ConfigurationError} for a wrong option
 * @example
 * const limiter = tokenBucket({ perSecond: 5, burst: 10 });
 * const store = new StoreClient({ baseUrl, token, limiter });
 */
export function tokenBucket(options: TokenBucketOptions): Limiter {
  readOptions("tokenBucket: ", options, rules);
  const { perSecond, burst = Math.ceil(perSecond), runtime = globalThis } = options;
  requireValue("tokenBucket: perSecond must be a number above 0", perSecond !== undefined);
  return new TokenBucket({ perSecond, burst, maxPause: 30_000, runtime });
}

/**
 * A bucket of tokens, whose rate is infinite until the first 429. A 429 is a pause, after which requests follow in a trickle:
 * one after the other, at 0.8 times the rate that the service accepted before. The rate grows until the next 429.
 */
export class TokenBucket implements Limiter {
  readonly #settings: BucketSettings;
  readonly #queue = new Queue();
  #rate: number;
  #tokens: number;
  #pausedUntil = 0;
  /** The time until which tokens were added; and what was added to the clock: a timer that fires is right. */
  #now = 0;
  #lead = 0;
  #timer: unknown;
  /** About the number of requests of the last second that were accepted: each counts less as time passes. */
  #accepted = 0;
  /** When the rate fell, and how far the requests that were in flight then may lower it. */
  #fellAt = -Infinity;
  #floor = 0;

  constructor(settings: BucketSettings) {
    this.#settings = settings;
    this.#rate = settings.perSecond;
    this.#tokens = settings.burst;
  }

  // closures, so that a limiter works through a Proxy as well
  readonly tryAcquire = (_request: LimitedRequest): boolean => {
    if (this.#queue.size > 0 || this.#delay() > 0) return false;
    this.#take();
    return true;
  };

  readonly acquire = async (request: LimitedRequest, signal: AbortSignal): Promise<void> => {
    if (this.tryAcquire(request)) return;
    const turn = this.#queue.wait(request.attempt > 1, signal, () => this.#take());
    this.#advance();
    try {
      await turn;
    } finally {
      this.#advance(); // without a queue, the timer would keep the process alive
    }
  };

  readonly onThrottled = (retryAfter: number | undefined, _request: LimitedRequest): void => {
    this.#delay();
    this.#accepted = Math.max(0, this.#accepted - 1);
    // those that were sent together are refused together: one fall
    if (this.#now - this.#fellAt >= 1000) {
      this.#floor = this.#rate === Infinity ? first : Math.max(lowest, this.#rate / 2);
      this.#fellAt = this.#now;
    }
    this.#rate = Math.min(highest, this.#rate, Math.max(this.#floor, 0.8 * this.#accepted));
    this.#tokens = Math.min(this.#tokens, 1);
    const pause = Math.min(retryAfter ?? defaultPause, this.#settings.maxPause);
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now + pause);
  };

  #take(): void {
    this.#tokens -= 1;
    this.#accepted += 1;
  }

  /** Adds the tokens of the time since the last call. Returns the ms until the next request may be sent. */
  #delay(): number {
    const { perSecond, burst, runtime } = this.#settings;
    const before = this.#now;
    const now = Math.max(before, runtime.performance.now() + this.#lead);
    this.#now = now;
    this.#accepted *= Math.exp((before - now) / 1000);
    if (this.#rate === Infinity) return 0;
    if (this.#rate < perSecond) this.#rate *= growth ** ((now - before) / 1000);
    if (this.#rate >= Math.min(perSecond, highest)) this.#rate = perSecond;
    if (this.#rate === Infinity) return 0;
    const from = Math.max(before, this.#pausedUntil); // a pause adds no tokens
    const most = this.#rate < perSecond ? 1 : burst;
    this.#tokens = Math.min(most, this.#tokens + (Math.max(0, now - from) * this.#rate) / 1000);
    const pause = Math.max(0, this.#pausedUntil - now);
    return pause + (Math.max(0, 1 - this.#tokens) * 1000) / this.#rate;
  }

  /** Sends what may be sent, and wakes up for the next request. */
  #advance(): void {
    const { runtime } = this.#settings;
    while (this.#queue.size > 0 && this.#delay() === 0) this.#queue.next();
    runtime.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#queue.size === 0) return;
    const delay = Math.ceil(this.#delay());
    const due = this.#now + delay;
    this.#timer = runtime.setTimeout(() => {
      this.#lead += Math.max(0, due - Math.max(this.#now, runtime.performance.now() + this.#lead));
      this.#advance();
    }, delay);
  }
}
