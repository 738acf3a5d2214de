import { checkOptions, integer, type OptionRule, requireValue, uncheckedRule } from "./option-rules.ts";
import type { Runtime } from "./runtime.ts";

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
  size = 0;

  /** Waits for a turn, and then calls `take` before anything else happens. */
  wait(isRetry: boolean, signal: AbortSignal, take: () => void): Promise<void> {
    const lane = isRetry ? this.#retries : this.#calls;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(lane, enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        this.#remove(lane, enter);
        signal.removeEventListener("abort", leave);
        take();
        resolve();
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      lane.add(enter);
      this.size += 1;
    });
  }

  #remove(lane: Set<() => void>, enter: () => void): void {
    if (lane.delete(enter)) this.size -= 1;
  }

  /** Gives the turn to the first in the queue. */
  next(): void {
    const [enter] = this.#retries.size > 0 ? this.#retries : this.#calls;
    enter?.();
  }
}

/** Limits the number of requests in flight (`maxConcurrency`). */
export class Places {
  readonly count: number;
  #free: number;
  readonly #queue = new Queue();

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** Takes a place if one is free. */
  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Takes a place when one is free. */
  acquire(isRetry: boolean, signal: AbortSignal): Promise<void> {
    return this.#queue.wait(isRetry, signal, () => void (this.#free -= 1));
  }

  /** Passes a place to the next in the queue. */
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
  /** The longest pause in ms that a `Retry-After` can cause (default: 30 000). */
  maxPause?: number | undefined;
  /** Replaces the clock and timers of `globalThis`, for tests and simulations. */
  runtime?: Pick<Runtime, "setTimeout" | "clearTimeout" | "performance"> | undefined;
}

/** The pause in ms after a 429 without `Retry-After`. */
const defaultPause = 1000;
/** The rate after the first 429 of a bucket without a maximum is at least this, in requests per second. */
const firstEstimate = 10;
/** The lowest rate, and the rate above which a bucket without a maximum does not limit. */
const [lowest, unlimited] = [0.1, 1000];
/** After a fall the rate stays for this time in ms and then grows by `growth` in each second. */
const plateau = 10_000;
const growth = 1.05;

const rules: Record<keyof TokenBucketOptions, OptionRule> = {
  perSecond: uncheckedRule, // checked below, because it is required
  burst: /* @__PURE__ */ integer(1),
  maxPause: ["a number of ms", (value) => Number(value) >= 0],
  runtime: uncheckedRule,
};

/**
 * Limits the request rate within this process, for the option `limiter`. Several clients can share one. After a 429 no
 * request is sent until its wait is over, and the rate falls to what the service accepts. It recovers with time.
 * @throws {ConfigurationError} for a wrong option
 * @example
 * const limiter = tokenBucket({ perSecond: 5, burst: 10 });
 * const store = new StoreClient({ baseUrl, token, limiter });
 */
export function tokenBucket(options: TokenBucketOptions): Limiter {
  checkOptions("tokenBucket: ", options, rules);
  const { perSecond, burst = Math.ceil(perSecond), maxPause = 30_000, runtime = globalThis } = options;
  requireValue("tokenBucket: perSecond must be a number above 0", perSecond > 0 && perSecond < Infinity);
  return new TokenBucket(perSecond, burst, maxPause, runtime);
}

/** A rate limit that adapts to the service. With an infinite rate it limits nothing until the first 429. */
export class TokenBucket implements Limiter {
  readonly #runtime: Pick<Runtime, "setTimeout" | "clearTimeout" | "performance">;
  readonly #maximum: number;
  readonly #burst: number;
  readonly #maxPause: number;
  readonly #queue = new Queue();
  #tokens: number;
  #rate: number;
  /** Added to the clock: a timer that fires is right, whatever the clock says. */
  #lead = 0;
  #now = 0;
  #pausedUntil = 0;
  #timer: unknown;
  /** The time of the last fall of the rate, and how low that fall may go. */
  #fellAt = 0;
  #least = 0;
  /** The number of falls, and those before each request: a request that was sent before a fall causes no other one. */
  #falls = 0;
  readonly #fallsBefore = new WeakMap<LimitedRequest, number>();
  /** The requests of the second that began at `#second`, and of the second before it. */
  #second = 0;
  #sent: [now: number, before: number] = [0, 0];

  constructor(
    perSecond: number,
    burst: number,
    maxPause: number,
    runtime: TokenBucketOptions["runtime"] & {},
  ) {
    this.#runtime = runtime;
    this.#maximum = perSecond;
    this.#rate = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#maxPause = maxPause;
  }

  // closures, so that a limiter works through a Proxy as well
  readonly tryAcquire = (request: LimitedRequest): boolean => {
    if (this.#queue.size > 0 || this.#delay() > 0) return false;
    this.#take(request);
    return true;
  };

  readonly acquire = async (request: LimitedRequest, signal: AbortSignal): Promise<void> => {
    if (this.tryAcquire(request)) return;
    const turn = this.#queue.wait(request.attempt > 1, signal, () => this.#take(request));
    this.#advance();
    try {
      await turn;
    } finally {
      this.#advance(); // without a queue, the timer would keep the process alive
    }
  };

  readonly onThrottled = (retryAfter: number | undefined, request: LimitedRequest): void => {
    this.#delay();
    const isNew = (this.#fallsBefore.get(request) ?? 0) === this.#falls;
    if (isNew) {
      const share = Math.max(0, 1 - (this.#now - this.#second) / 1000);
      const accepted = this.#sent[0] + this.#sent[1] * share - 1;
      const before = this.#rate;
      // a rate that the service has accepted for some time is only a little too high
      const isStable = this.#falls > 0 && this.#now - this.#fellAt > plateau;
      this.#least = before === Infinity ? firstEstimate : Math.max(lowest, before * (isStable ? 0.85 : 0.5));
      this.#rate = Math.min(unlimited, before * 0.9, Math.max(this.#least, accepted));
      this.#falls += 1;
      this.#fellAt = this.#now;
    } else {
      this.#rate = Math.max(Math.min(this.#least, this.#rate), this.#rate - 1); // one more that was not accepted
    }
    this.#tokens = Math.min(this.#tokens, 1);
    const pause = Math.min(retryAfter ?? defaultPause, this.#maxPause);
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now + pause);
  };

  #take(request: LimitedRequest): void {
    this.#tokens -= 1;
    if (this.#falls > 0) this.#fallsBefore.set(request, this.#falls);
    const elapsed = this.#now - this.#second;
    if (elapsed >= 1000) {
      this.#sent = [0, elapsed < 2000 ? this.#sent[0] : 0];
      this.#second = this.#now - (elapsed % 1000);
    }
    this.#sent[0] += 1;
  }

  /** Adds the tokens of the time since the last call. Returns the ms until the next request may be sent. */
  #delay(): number {
    const from = Math.max(this.#now, this.#pausedUntil); // a pause adds no tokens
    const now = Math.max(this.#now, this.#runtime.performance.now() + this.#lead);
    const grown = (now - Math.max(this.#now, this.#fellAt + plateau)) / 1000;
    this.#now = now;
    if (this.#rate < this.#maximum && grown > 0) {
      this.#rate *= growth ** grown;
      if (this.#rate >= Math.min(this.#maximum, unlimited)) this.#rate = this.#maximum;
    }
    if (this.#rate === Infinity) return 0;
    const share = this.#burst === Infinity ? this.#rate : (this.#burst * this.#rate) / this.#maximum;
    const most = this.#rate === this.#maximum ? this.#burst : Math.max(1, share);
    if (now > from) this.#tokens = Math.min(most, this.#tokens + ((now - from) * this.#rate) / 1000);
    const pause = Math.max(0, this.#pausedUntil - now);
    return this.#tokens >= 1 ? pause : pause + ((1 - this.#tokens) * 1000) / this.#rate;
  }

  /** Sends what may be sent, and wakes up for the next request. */
  #advance(): void {
    while (this.#queue.size > 0 && this.#delay() === 0) this.#queue.next();
    this.#runtime.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#queue.size === 0) return;
    const delay = Math.ceil(this.#delay());
    const due = this.#now + delay;
    this.#timer = this.#runtime.setTimeout(() => {
      this.#lead += Math.max(0, due - Math.max(this.#now, this.#runtime.performance.now() + this.#lead));
      this.#advance();
    }, delay);
  }
}
