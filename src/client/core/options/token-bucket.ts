import { ConfigurationError } from "../errors/errors.ts";
import type { Limiter, Runtime } from "./options.ts";

/** Options of `tokenBucket`. */
export interface TokenBucketOptions {
  /** The average number of requests per second. */
  perSecond: number;
  /** The number of requests that may be sent at once after a pause (default: `perSecond`, rounded up). */
  burst?: number | undefined;
  /** Replaces the clock and timers of `globalThis`, for tests and simulations. */
  runtime?: Pick<Runtime, "setTimeout" | "clearTimeout" | "performance"> | undefined;
}

/** The pause in ms after a 429 without `Retry-After`. */
const defaultPause = 1000;

/**
 * Limits the request rate within this process, for the option `limiter`. Several clients can share one. After a
 * response 429, or 503 with `Retry-After`, no request is sent until that wait is over.
 * @throws {ConfigurationError} for a wrong option
 * @example
 * const limiter = tokenBucket({ perSecond: 5, burst: 10 });
 * const store = new StoreClient({ baseUrl, token, limiter });
 */
export function tokenBucket(options: TokenBucketOptions): Limiter {
  const { perSecond, burst, runtime } = checkOptions(options);
  let tokens = burst;
  let filledAt = runtime.performance.now();
  let last: Promise<void> = Promise.resolve();

  /** Adds the tokens of the time since the last refill. After a throttled response that time is in the future. */
  const fill = (): void => {
    const now = runtime.performance.now();
    if (now <= filledAt) return;
    tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000);
    filledAt = now;
  };

  const take = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      fill();
      const pause = Math.max(0, filledAt - runtime.performance.now());
      if (pause === 0 && tokens >= 1) break;
      const missing = Math.max(0, 1 - tokens);
      await sleep(runtime, pause + (missing * 1000) / perSecond, signal);
    }
    tokens -= 1;
  };

  return {
    acquire(_, signal) {
      // a queue: requests are sent in the order of their calls
      const acquired = last.then(() => take(signal));
      last = acquired.catch(() => {});
      return acquired;
    },
    onThrottled(retryAfter = defaultPause) {
      fill();
      tokens = Math.min(tokens, 1);
      filledAt = Math.max(filledAt, runtime.performance.now() + retryAfter);
    },
  };
}

type Bucket = Required<Pick<TokenBucketOptions, "perSecond">> & {
  burst: number;
  runtime: NonNullable<TokenBucketOptions["runtime"]>;
};

function checkOptions(options: TokenBucketOptions): Bucket {
  const known = ["perSecond", "burst", "runtime"];
  const unknown = Object.keys(options ?? {}).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ConfigurationError(
      `tokenBucket: unknown option "${unknown}". Expected one of ${known.join(", ")}`,
    );
  }
  const { perSecond, burst = Math.ceil(perSecond), runtime = globalThis } = options ?? {};
  if (!(typeof perSecond === "number" && perSecond > 0 && perSecond < Infinity)) {
    throw new ConfigurationError("tokenBucket: perSecond must be a number above 0");
  }
  if (!(Number.isSafeInteger(burst) && burst > 0)) {
    throw new ConfigurationError("tokenBucket: burst must be a positive integer");
  }
  return { perSecond, burst, runtime };
}

function sleep(runtime: Bucket["runtime"], delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    // rounded up, because a timer that fires early would have to wait again
    const timer = runtime.setTimeout(wake, Math.min(Math.ceil(delay), 2_147_483_647));
    const stop = (): void => {
      runtime.clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop);
  });
}
