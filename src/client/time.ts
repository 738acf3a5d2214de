/** The clocks, timers and random numbers that a client uses, with the names that they have in `globalThis`. */
export interface Runtime {
  /** Calls `run` after `delay` ms; returns the argument for `clearTimeout`. */
  setTimeout(run: () => void, delay: number): unknown;
  /** Cancels a timer. */
  clearTimeout(timer: unknown): void;
  /** A monotonic clock, in ms. */
  performance: { now(): number };
  /** The wall clock, in ms. */
  Date: { now(): number };
  /** Returns a number from 0 up to but not including 1. */
  Math: { random(): number };
}

type Timers = Pick<Runtime, "setTimeout" | "clearTimeout">;

/** What ends a piece of work before it is done. */
export interface TimeLimit {
  /** The time in ms (default: no limit). Only the timer decides, so that a program may replace any of its clocks. */
  readonly ms?: number;
  /** Creates the error that is thrown when the time has passed. */
  readonly expired?: () => Error;
  /** Signals whose reason is thrown when one of them aborts. */
  readonly signals: readonly AbortSignal[];
}

/**
 * Runs `work` within a limit. Its signal aborts when the limit ends it. Then the result is the error of the limit or the
 * reason of the signal, even if `work` ignores its signal.
 */
export async function limitTime<T>(
  timers: Timers,
  { ms = Infinity, expired, signals }: TimeLimit,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  for (const signal of signals) signal.throwIfAborted();
  const controller = new AbortController();
  let timer: unknown;
  let stopListening: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const end = (reason: unknown): void => {
        reject(reason);
        controller.abort(reason);
      };
      stopListening = onAbort(signals, end);
      if (ms !== Infinity) timer = timers.setTimeout(() => end(expired?.()), ms);
      Promise.resolve(work(controller.signal)).then(resolve, reject);
    });
  } finally {
    if (timer !== undefined) timers.clearTimeout(timer);
    stopListening?.();
  }
}

/** Waits. Rejects with the reason of the first signal that aborts. */
export async function sleep(timers: Timers, ms: number, signals: readonly AbortSignal[]): Promise<void> {
  let timer: unknown;
  const wait = () => new Promise<void>((resolve) => void (timer = timers.setTimeout(resolve, ms)));
  try {
    await limitTime(timers, { signals }, wait);
  } finally {
    timers.clearTimeout(timer);
  }
}

/** Calls `end` with the reason of a signal that aborts. Returns the function that removes the listeners. */
function onAbort(signals: readonly AbortSignal[], end: (reason: unknown) => void): () => void {
  const listener = (): void => end(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener("abort", listener);
  return () => {
    for (const signal of signals) signal.removeEventListener("abort", listener);
  };
}
