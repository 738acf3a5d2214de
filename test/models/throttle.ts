/** A rate limit: a bucket for each token, refilled by the clock of the model. */

export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
  /** Whether a refusal has the header `Retry-After`. Default true. */
  readonly retryAfter?: boolean;
}

interface Bucket {
  left: number;
  at: number;
}

const defaultLimit: RateLimit = { requests: 60, perMs: 60_000 };

/** Takes one request from a bucket. A refusal is the headers of the response with status 429. */
export type Throttle = (token: string) => Readonly<Record<string, string>> | undefined;

export function createThrottle(limit: RateLimit | undefined | "off", now: () => number): Throttle {
  if (limit === "off") return () => undefined;
  const { requests, perMs, retryAfter = true } = limit ?? defaultLimit;
  const buckets = new Map<string, Bucket>();
  return (token) => {
    const at = now();
    const bucket = buckets.get(token) ?? { left: requests, at };
    bucket.left = Math.min(requests, bucket.left + ((at - bucket.at) * requests) / perMs);
    bucket.at = at;
    buckets.set(token, bucket);
    if (bucket.left < 1) {
      const seconds = Math.ceil(((1 - bucket.left) * perMs) / requests / 1000);
      return retryAfter ? { "retry-after": String(seconds) } : {};
    }
    bucket.left -= 1;
    return undefined;
  };
}
