/** The exit code of a program that a signal ended before its work was done. */
export const INTERRUPTED = 130;

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls a function at the first signal. The second one changes nothing, because npx passes on a signal that the
 * terminal has also sent; a third one ends the process at once. Returns a function that restores what signals did before.
 */
export function onInterruption(act: () => void): () => void {
  let count = 0;
  const receive = (): void => {
    count += 1;
    if (count === 1) act();
    else if (count > 2) process.exit(INTERRUPTED);
  };
  for (const signal of signals) process.on(signal, receive);
  return () => {
    for (const signal of signals) process.off(signal, receive);
  };
}

/** Resolves with the first signal. */
export function interruption(): Promise<void> {
  return new Promise((resolve) => void onInterruption(resolve));
}
