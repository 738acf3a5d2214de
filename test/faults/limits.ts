import type { Runtime } from "../../src/index.ts";

/** Begins a time limit; the returned function says whether it has ended. */
export type BeginLimit = () => () => boolean;

/** The time limit of a request in ms; with `runtimeWith` it does not end by itself. */
export const timeout = 60_000;

/** A runtime in which time limits end when the server has done something: a busy machine cannot exceed them. */
export function runtimeWith(begin: BeginLimit): Runtime {
  const { clearTimeout, performance, Date, Math } = globalThis;
  return {
    setTimeout(run, delay) {
      if (delay < 1_000) return setTimeout(run, delay);
      const hasEnded = begin();
      if (hasEnded()) return setTimeout(run);
      const timer = setInterval(() => {
        if (!hasEnded()) return;
        clearInterval(timer);
        run();
      }, 5);
      return timer;
    },
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout), // `setTimeout` returned it
    performance,
    Date,
    Math,
  };
}

/** A limit that ends with the next request of which `count` knows, such as one that gets no whole response. */
export function untilNext(count: () => number): BeginLimit {
  return () => {
    const before = count();
    return () => count() > before;
  };
}
