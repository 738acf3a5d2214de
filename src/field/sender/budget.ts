import type { RetryOptions } from "ky";
import { RunEnded } from "./failures.ts";

/** The timer of a run; tests pass their own. */
export interface Timing {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** ky's waits before a request is sent again. */
  readonly retry?: Pick<RetryOptions, "delay" | "maxRetryAfter">;
}

/** Waits in real time. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
    }),
};

/** The reason that a run ended before every experiment was done. */
export type EndReason = "requests" | "failures" | "stopped" | "limited" | "retry-after" | "ledger";

/** The longest `Retry-After` that is obeyed, in milliseconds. */
export const MAX_WAIT = 60_000;

/** The longest wait and the time limit of a request that restores data after the run was stopped, in milliseconds. */
export const STOPPED_LIMIT = 5_000;

/** Counts and paces the requests of a run. */
export class Budget {
  readonly #maxRequests: number;
  readonly #interval: number;
  readonly #timing: Timing;
  readonly #signal: AbortSignal;
  #next = 0;
  #failures = 0;
  #limited = 0;
  #ended: EndReason | undefined;
  total = 0;
  writes = 0;
  /** The milliseconds of a `Retry-After` that ended the run. */
  retryAfter: number | undefined;
  /** The number of requests that failed. */
  failed = 0;
  /** The number of consecutive failures, and of consecutive responses with status 429, after which a run ends. */
  limits = { failures: 3, limited: 6 };
  /** The number of requests that are reserved for restoring changed data. */
  reserved: () => number = () => 0;

  constructor(maximum: number, rate: number, timing: Timing, signal: AbortSignal) {
    this.#maxRequests = maximum;
    this.#interval = 1000 / rate;
    this.#timing = timing;
    this.#signal = signal;
  }

  get ended(): EndReason | undefined {
    return this.#signal.aborted ? "stopped" : this.#ended;
  }

  /** The number of requests that may still be sent. */
  get left(): number {
    return Math.max(this.#maxRequests - this.total - this.reserved(), 0);
  }

  /**
   * Waits for the next request's turn and counts it. Clean-up requests run past the budget and past an abort.
   *
   * @throws {RunEnded} if no further request may be sent
   */
  async acquire(isWrite: boolean, isCleanup: boolean): Promise<void> {
    if (!isCleanup) this.#check();
    const wait = this.#next - this.#timing.now();
    if (wait > 0) await (isCleanup ? this.#waitToRestore(wait) : this.#timing.sleep(wait, this.#signal));
    if (!isCleanup) this.#check();
    this.#next = Math.max(this.#next, this.#timing.now()) + this.#interval;
    this.total += 1;
    if (isWrite) this.writes += 1;
  }

  /** After a stop, a person waits for the end of the program: a wait ends within seconds, whatever `Retry-After` says. */
  async #waitToRestore(wait: number): Promise<void> {
    const start = this.#timing.now();
    if (!this.#signal.aborted) await this.#timing.sleep(wait, this.#signal);
    const left = start + wait - this.#timing.now();
    if (left <= 0) return;
    await this.#timing.sleep(Math.min(left, STOPPED_LIMIT), new AbortController().signal);
  }

  #check(): void {
    if (this.#signal.aborted) this.#ended = "stopped";
    else if (this.left === 0) this.#ended = "requests";
    if (this.ended !== undefined) throw new RunEnded("No further request may be sent");
  }

  /** Postpones the next request, as `Retry-After` asks, or ends the run. */
  postpone(ms: number): void {
    if (ms > MAX_WAIT) {
      this.retryAfter = ms;
      this.#ended = "retry-after";
      return;
    }
    this.#next = Math.max(this.#next, this.#timing.now() + ms);
  }

  /** Sends no further request, except those that restore data. */
  end(reason: EndReason): void {
    this.#ended ??= reason;
  }

  /** Records that a run left out what it had too few requests for. */
  recordShortage(): void {
    this.#ended ??= "requests";
  }

  recordSuccess(): void {
    this.#failures = 0;
    this.#limited = 0;
  }

  /** Records a 429. */
  recordLimit(): void {
    this.#failures = 0;
    this.#limited += 1;
    if (this.#limited >= this.limits.limited) this.#ended ??= "limited";
  }

  /** Forgets the failures of a service that the run leaves out. */
  forgive(): void {
    this.#failures = 0;
    if (this.#ended === "failures") this.#ended = undefined;
  }

  /** Records a 5xx or a lost connection. */
  recordFailure(): void {
    this.failed += 1;
    this.#failures += 1;
    if (this.#failures >= this.limits.failures) this.#ended ??= "failures";
  }
}
