import { requestEvent } from "./events.ts";
import { notify } from "./hooks.ts";
import { isRateLimited, isRejected, retryDelay } from "./retry.ts";
import type { BufferedResponse, Outcome, Run, SendConfig } from "./run.ts";

/** The time in ms that a call without `totalTimeout` waits while the service accepts no request of the client. */
const patience = 300_000;

/**
 * Returns the wait before the next attempt in ms; undefined if the outcome is final. A 429 does not count as a retry: the
 * call waits until the service accepts it or its time is over.
 */
export function planRetry(config: SendConfig, run: Run, outcome: Outcome): number | undefined {
  const { limits, retryClass } = run.spec;
  const isRateLimit = isRateLimited(outcome);
  const count = isRateLimit ? (run.refusals += 1) : (run.failures += 1);
  const { adapter, runtime, rejection = "only-429" } = config;
  const now = runtime.Date.now();
  const isPermanent = (response: BufferedResponse): boolean => adapter.isPermanent(response);
  const random = runtime.Math.random();
  const policy = { retryClass, rejection, maxDelay: limits.maxDelay, isPermanent, now, random };
  const delay = retryDelay(outcome, count, policy);
  const [status, error] = outcome instanceof Error ? [undefined, outcome] : [outcome.status];
  run.retryable =
    delay !== undefined || (error !== undefined && (run.attempts === 0 || retryClass === "idempotent"));
  if (delay === undefined || limits.retries === 0 || (!isRateLimit && count > limits.retries))
    return undefined;
  run.obstacle = findObstacle(config, run, delay, isRateLimit);
  if (run.obstacle !== undefined) return undefined;
  run.mayHaveExecuted ||= !isRejected(outcome, policy);
  notify(config.hooks, "onRetry", () => Object.assign(requestEvent(config, run), { delay, status, error }));
  return delay;
}

/** Returns the reason why the client does not wait for the next attempt, although it could be made. */
function findObstacle(config: SendConfig, run: Run, delay: number, isRateLimit: boolean): string | undefined {
  const { maxDelay, totalTimeout } = run.spec.limits;
  const now = config.runtime.performance.now();
  if (config.shared.drain.isDraining) return "the client is drained";
  if (delay > maxDelay)
    return `Retry-After is ${Math.ceil(delay / 1000)} s, longer than retry.maxDelay (${maxDelay} ms)`;
  if (now + delay >= run.end) return `the next attempt would be after totalTimeout (${totalTimeout} ms)`;
  if (!isRateLimit || totalTimeout !== Infinity) return undefined;
  const { accepted } = config.shared;
  // another request that the service accepted is a reason to wait on
  if (run.refused?.accepted !== accepted) run.refused = { since: now, accepted };
  if (now + delay - run.refused.since < patience) return undefined;
  return `the service accepted no request for ${patience / 60_000} minutes; set totalTimeout to wait longer`;
}
