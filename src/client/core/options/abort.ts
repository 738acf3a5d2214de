type Callback = (reason: unknown) => void;

/** The functions that wait for each signal. */
const waiting = new WeakMap<AbortSignal, Set<Callback>>();

/**
 * Calls a function when a signal is aborted; returns a function that ends the wait. All waits for a signal share one
 * listener, because platforms warn about more than ten.
 */
export function onAbort(signal: AbortSignal, callback: Callback): () => void {
  const callbacks = waiting.get(signal) ?? new Set();
  if (callbacks.size === 0) {
    waiting.set(signal, callbacks);
    signal.addEventListener("abort", callAll);
  }
  callbacks.add(callback);
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) signal.removeEventListener("abort", callAll);
  };
}

function callAll({ target }: Event): void {
  const signal = target as AbortSignal; // only signals have this listener
  for (const callback of waiting.get(signal) ?? []) callback(signal.reason);
}
