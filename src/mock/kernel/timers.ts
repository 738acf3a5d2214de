/** Waiting that no fake timer stops. */
export interface Timers {
  /** Resolves after so many milliseconds; rejects with the signal's reason. */
  wait(ms: number, signal?: AbortSignal | null): Promise<void>;
}

/** Waits on the timers that are there now, whatever a test puts in their place later. */
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

/** What an aborted call rejects with: the reason as it was given, an error or not. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason as Error; // rejecting with it is what fetch does, whatever it is
}
