import { describeValue } from "../testing/checks.ts";

/** The timers of a server for waits and rate limits, which are separate from its clock. */
export interface Timers {
  /** Resolves after this many milliseconds; rejects with the signal's reason. */
  wait(ms: number, signal?: AbortSignal | null): Promise<void>;
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** Milliseconds since 1970. */
  date(): number;
}

/**
 * The timers that a server uses. `"captured"`: those that exist when it is created, so that fake timers that a test
 * installs later do not stop it. `"global"`: the current ones of `globalThis`, so that it follows fake timers.
 */
export type TimersOption = "captured" | "global";

/** The functions that timers use. */
interface Source {
  readonly setTimeout: typeof globalThis.setTimeout;
  readonly clearTimeout: typeof globalThis.clearTimeout;
  readonly now: () => number;
  readonly date: () => number;
}

export function createTimers(option: TimersOption = "captured"): Timers {
  if (option === "captured") {
    const source = captureSource();
    return timersOn(() => source);
  }
  if (option === "global") return timersOn(globalSource);
  throw new Error(`timers must be "captured" or "global", not ${describeValue(option)}`);
}

function captureSource(): Source {
  const { setTimeout, clearTimeout, performance, Date } = globalThis;
  return { setTimeout, clearTimeout, now: performance.now.bind(performance), date: Date.now.bind(Date) };
}

/** Fake timers advance `Date` and, most of them, `performance`. */
function globalSource(): Source {
  const { setTimeout, clearTimeout } = globalThis;
  return { setTimeout, clearTimeout, now: globalDate, date: globalDate };
}

function globalDate(): number {
  return Date.now();
}

function timersOn(source: () => Source): Timers {
  return {
    wait: (ms, signal) => wait(source(), ms, signal),
    now: () => source().now(),
    date: () => source().date(),
  };
}

function wait({ setTimeout, clearTimeout }: Source, ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortReason(signal));
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      if (signal) reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

export function abortReason(signal: AbortSignal): Error {
  return signal.reason as Error; // fetch rejects with any value
}
