import type { Limiter } from "./limiter.ts";

/** What a client shares with the clients of its `withOptions`. */
export interface Shared {
  /** Limits nothing until the first 429. */
  readonly limiter: Limiter;
  /** Aborted when the client is drained. */
  readonly drain: AbortController;
  /** The number of calls so far; each call has its number. */
  calls: number;
  /** The number of calls that have not settled. */
  pending: number;
  /** Called when it falls to 0. */
  readonly onIdle: (() => void)[];
  /** When the last response other than 429 came, by the monotonic clock. */
  acceptedAt: number;
}

/** Ends the waits of a client and of those of its `withOptions`. Resolves when every call has settled. */
export async function drain(shared: Shared): Promise<void> {
  shared.drain.abort(new DOMException("The client is drained: it sends no further request", "AbortError"));
  if (shared.pending > 0) await new Promise<void>((resolve) => void shared.onIdle.push(resolve));
}
