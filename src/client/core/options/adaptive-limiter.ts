import { loadOnce } from "./load-once.ts";
import type { LimitedRequest, Limiter } from "./limiter.ts";
import type { Runtime } from "./options.ts";
import { RequestCount } from "./request-count.ts";

/**
 * The limiter of a client without the option `limiter`. It only counts requests until the first 429, and then loads the
 * limiter that adapts to the service.
 */
export class AdaptiveLimiter implements Limiter {
  readonly #runtime: Runtime;
  readonly #count = new RequestCount();
  readonly #load: () => Promise<Limiter>;
  /** Undefined until the first 429. */
  #limiter: Limiter | undefined;

  constructor(maxPause: number, runtime: Runtime) {
    this.#runtime = runtime;
    this.#load = loadOnce(async () => {
      const { TokenBucket } = await import("./token-bucket.ts");
      const unlimited = { perSecond: Infinity, burst: Infinity, maxPause, runtime };
      this.#limiter = new TokenBucket(unlimited, this.#count);
      return this.#limiter;
    });
  }

  tryAcquire(request: LimitedRequest): boolean {
    if (this.#limiter !== undefined) return this.#limiter.tryAcquire?.(request) === true;
    this.#count.add(this.#runtime.performance.now());
    return true;
  }

  async acquire(request: LimitedRequest, signal: AbortSignal): Promise<void> {
    await this.#limiter?.acquire(request, signal);
  }

  async onThrottled(retryAfter: number | undefined, request: LimitedRequest): Promise<void> {
    const limiter = await this.#load();
    await limiter.onThrottled?.(retryAfter, request);
  }
}
