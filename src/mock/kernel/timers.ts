/** A wait that fake timers do not stop. */
export interface Timers {
  /** Resolves after this many milliseconds; rejects with the signal's reason. */
  wait(ms: number, signal?: AbortSignal | null): Promise<void>;
}

/** Returns a wait on the timers of this moment, even if a test replaces them later. */
export function captureTimers(): Timers {
  const { setTimeout, clearTimeout } = globalThis;
  return {
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
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
      }),
  };
}

/** Returns what an aborted call rejects with: the reason of the signal. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason as Error; // fetch rejects with it, an error or not
}
