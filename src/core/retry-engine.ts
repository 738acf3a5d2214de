// Loaded when a first attempt has failed in a way that may be tried again: most calls never pay for it.
import ky from "ky";

/** Tells ky to try again. */
class Again extends Error {}

/** One call from its first failure on. */
export interface Retrial<T> {
  /** The wait after the attempt that was made already, in ms. */
  firstDelay: number;
  attempt: () => Promise<T>;
  /** The wait before the next attempt in ms, or undefined where this outcome is the last. */
  plan: (outcome: T) => number | undefined;
  signals: readonly AbortSignal[];
}

/** ky wants an address; the attempts know their own, and one that had no token yet has none. */
const nowhere = "http://nowhere.invalid";

/** Waits and tries until `plan` calls an outcome the last. ky keeps the loop, its waits and their end by a signal. */
export async function retryWithKy<T>({ firstDelay, attempt, plan, signals }: Retrial<T>): Promise<T> {
  let delay: number | undefined = firstDelay;
  let begun = false; // the first attempt was made already
  let last: Promise<T> | undefined;
  const turn = async (): Promise<T> => {
    delay = undefined;
    const outcome = await attempt();
    delay = plan(outcome);
    return outcome;
  };
  const next = async (): Promise<Response> => {
    if (begun) {
      last = turn();
      // what a token function or a hook throws goes past ky, which wraps a `TypeError`
      await last.catch(() => {});
    }
    begun = true;
    if (delay !== undefined) throw new Again();
    return new Response();
  };
  await ky(nowhere, {
    fetch: next,
    timeout: false,
    signal: AbortSignal.any([...signals]),
    retry: {
      limit: Number.MAX_SAFE_INTEGER,
      delay: () => delay ?? 0,
      shouldRetry: ({ error }) => error instanceof Again,
    },
  });
  return last as Promise<T>; // set before the loop can end
}
