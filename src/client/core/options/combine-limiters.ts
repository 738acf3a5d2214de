import { ConfigurationError } from "../errors/errors.ts";
import { isLimiter } from "./check-options.ts";
import type { Limiter } from "./limiter.ts";
import { WaitQueue } from "./wait-queue.ts";

/**
 * Combines a limit that many clients share with a limit of one client. Each client gets the same share of `total`,
 * because only one of its requests waits there. A 429 is reported to `own` only: the service throttled this client.
 * @example
 * const total = tokenBucket({ perSecond: 50 });
 * const clientOf = (token: string) =>
 *   new StoreClient({ baseUrl, token, limiter: combineLimiters(total, tokenBucket({ perSecond: 5 })) });
 */
export function combineLimiters(total: Limiter, own: Limiter): Limiter {
  if (!isLimiter(total)) throw new ConfigurationError("combineLimiters: total must be a limiter");
  if (!isLimiter(own)) throw new ConfigurationError("combineLimiters: own must be a limiter");
  const queue = new WaitQueue();
  let isBusy = false;
  return {
    async acquire(request, signal) {
      if (isBusy) await queue.wait(request.attempt > 1, signal);
      isBusy = true;
      try {
        await own.acquire(request, signal);
        await total.acquire(request, signal);
      } finally {
        isBusy = queue.next();
      }
    },
    onThrottled: (retryAfter, request) => own.onThrottled?.(retryAfter, request),
  };
}
