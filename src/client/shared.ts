import type { Limiter } from "./limiter.ts";

/** What a client shares with the clients of its `withOptions`. */
export class Shared {
  /** Limits nothing until the first 429. */
  readonly limiter: Limiter;
  /** When the last response other than 429 came, by the monotonic clock. */
  acceptedAt = 0;
  readonly #drain = new AbortController();
  /** The number of calls so far, and of those that have not settled. */
  #calls = 0;
  #pending = 0;
  /** Called when the last pending call has settled. */
  #onIdle: (() => void)[] = [];

  constructor(limiter: Limiter) {
    this.limiter = limiter;
  }

  /** Aborted when the client is drained. */
  get drained(): AbortSignal {
    return this.#drain.signal;
  }

  /** Counts a call that begins; returns its number. */
  begin(): number {
    this.#pending += 1;
    return (this.#calls += 1);
  }

  /** Counts a call that has settled. */
  end(): void {
    this.#pending -= 1;
    if (this.#pending > 0) return;
    for (const resolve of this.#onIdle) resolve();
    this.#onIdle = [];
  }

  /** Ends the waits of a client and of those of its `withOptions`. Resolves when every call has settled. */
  async drain(): Promise<void> {
    this.#drain.abort(new DOMException("The client is drained: it sends no further request", "AbortError"));
    if (this.#pending > 0) await new Promise<void>((resolve) => void this.#onIdle.push(resolve));
  }
}
