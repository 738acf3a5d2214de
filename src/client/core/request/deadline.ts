import { TimeoutError } from "../errors/errors.ts";
import { onAbort } from "../options/abort.ts";
import type { Run, SendConfig } from "./run.ts";

/**
 * Runs `work` until it is done, the deadline passes or a signal of the call is aborted. The deadline includes
 * everything that `work` does, also the body of the response, even if `work` ignores its signal. A passed deadline is
 * an outcome; an abort rejects with the signal's reason. `drained` ends a wait, during which nothing is sent.
 */
export async function withDeadline<T>(
  { runtime }: SendConfig,
  { spec: { signals: given, limits, label }, end }: Run,
  timeout: number,
  work: (signal: AbortSignal) => Promise<T>,
  drained?: AbortSignal,
): Promise<T | TimeoutError> {
  const signals = drained === undefined ? given : [...given, drained];
  for (const signal of signals) signal.throwIfAborted();
  const remaining = end === Infinity ? end : Math.max(0, end - runtime.performance.now());
  const controller = new AbortController();
  let timer: unknown;
  let stops: (() => void)[] = [];
  try {
    return await new Promise<T | TimeoutError>((resolve, reject) => {
      const abort = (reason: unknown): void => {
        reject(reason);
        controller.abort(reason);
      };
      stops = signals.map((signal) => onAbort(signal, abort));
      const ms = Math.min(remaining, timeout);
      const expire = (): void => {
        const [kind, after] =
          remaining < timeout ? (["total", limits.totalTimeout] as const) : (["attempt", timeout] as const);
        const timeoutError = new TimeoutError(label, kind, after);
        resolve(timeoutError);
        controller.abort(timeoutError);
      };
      if (ms !== Infinity) timer = runtime.setTimeout(expire, ms);
      work(controller.signal).then(resolve, reject);
    });
  } finally {
    if (timer !== undefined) runtime.clearTimeout(timer);
    for (const stop of stops) stop();
  }
}

/** Waits before a retry. An abort ends the wait and clears its timer. */
export async function wait(config: SendConfig, run: Run, delay: number): Promise<void> {
  const { runtime } = config;
  await withDeadline(
    config,
    run,
    Infinity,
    (signal) => {
      return new Promise<void>((resolve) => {
        const timer = runtime.setTimeout(resolve, delay);
        signal.addEventListener("abort", () => runtime.clearTimeout(timer));
      });
    },
    config.shared.drain.signal,
  );
}
