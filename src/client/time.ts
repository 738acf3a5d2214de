import type { Runtime } from "./runtime.ts";

/**
 * Runs `work` until it is done, `ms` have passed or one of the signals is aborted. Then rejects with `expired()` or the
 * signal's reason, even if `work` ignores the signal that it gets. Only the timer decides when the time has passed, so
 * that a program may replace any of its clocks.
 */
export async function within<T>(
  runtime: Pick<Runtime, "setTimeout" | "clearTimeout">,
  ms: number,
  expired: () => Error,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: unknown;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const end = (reason: unknown): void => {
        reject(reason);
        controller.abort(reason);
      };
      onAbort = () => end(signals.find(({ aborted }) => aborted)?.reason);
      for (const signal of signals) {
        if (signal.aborted) return end(signal.reason);
        signal.addEventListener("abort", onAbort);
      }
      if (ms !== Infinity) timer = runtime.setTimeout(() => end(expired()), ms);
      Promise.resolve(work(controller.signal)).then(resolve, reject);
    });
  } finally {
    if (timer !== undefined) runtime.clearTimeout(timer);
    if (onAbort !== undefined) for (const signal of signals) signal.removeEventListener("abort", onAbort);
  }
}

/** Waits for `ms`, or until one of the signals is aborted, and then rejects with its reason. */
export async function wait(
  runtime: Pick<Runtime, "setTimeout" | "clearTimeout">,
  ms: number,
  signals: readonly AbortSignal[],
): Promise<void> {
  let timer: unknown;
  try {
    await within(
      runtime,
      Infinity,
      () => new Error(),
      signals,
      () => {
        return new Promise<void>((resolve) => {
          timer = runtime.setTimeout(resolve, ms);
        });
      },
    );
  } finally {
    runtime.clearTimeout(timer);
  }
}
