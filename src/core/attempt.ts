import { ConnectionError, TimeoutError } from "./errors.ts";
import type { Fetch } from "./options.ts";
import { isObject } from "./json.ts";
import { redacter } from "./redaction.ts";

/** An HTTP answer whose body has been read to its end. */
export interface Received {
  response: Response;
  /** The answer's status: asking the platform again and again costs. */
  status: number;
  text: string;
}

/** One request over the wire with its deadline. */
export interface Attempt {
  /** `GET /v1/stores`, for messages. */
  doing: string;
  /** The deadline in ms, and which option it came from. */
  timeout: { ms: number; kind: "attempt" | "total"; after: number };
  signals: readonly AbortSignal[];
}

/**
 * Runs `work` until it is done, its deadline passes or a signal is aborted, whichever is first.
 * The deadline covers whatever `work` does, the body of the answer above all, even where it ignores its signal;
 * its passing is an outcome, an abort is not.
 */
export function underDeadline<T>(
  { doing, timeout, signals }: Attempt,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | TimeoutError> {
  return new Promise((resolve, reject) => {
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted !== undefined) return reject(aborted.reason);
    const controller = new AbortController();
    const working = work(controller.signal); // what it throws at once finds nothing that would have to be undone
    const finish = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", abort);
    };
    const stop = (reason: unknown): void => {
      finish();
      reject(reason);
      controller.abort(reason);
    };
    const expire = (): void => {
      const late = new TimeoutError(doing, timeout.kind, timeout.after);
      resolve(late);
      stop(late);
    };
    const abort = ({ target }: Event): void => stop((target as AbortSignal).reason);
    const timer = timeout.ms === Infinity ? undefined : setTimeout(expire, timeout.ms);
    for (const signal of signals) signal.addEventListener("abort", abort);
    working.then(
      (value) => {
        finish();
        resolve(value);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
    // `work` may have aborted one before anybody listened: a hook does that
    const late = signals.find((signal) => signal.aborted);
    if (late !== undefined) stop(late.reason);
  });
}

/** Sends a request and reads its answer whole. What the platform throws becomes a `ConnectionError` without secrets. */
export async function exchange(
  doing: string,
  fetch: Fetch,
  url: string,
  init: RequestInit,
  secret: string,
): Promise<Received | ConnectionError> {
  try {
    let response = await fetch(url, init);
    let { status } = response;
    if (init.method === "GET" && (status === 0 || (status > 299 && status < 400))) {
      const { follow } = await import("./redirect.ts");
      response = await follow(fetch, url, init, response);
      ({ status } = response);
    }
    return { response, status, text: await response.text() };
  } catch (error) {
    return connectionError(doing, error, secret);
  }
}

function connectionError(doing: string, error: unknown, secret: string): ConnectionError {
  const cause = scrub(error, secret, 0);
  return new ConnectionError(`${doing}: no complete answer: ${deepest(cause)}`, { cause });
}

/** A copy of an error and its causes with nothing of the request left in it. */
function scrub(error: unknown, secret: string, depth: number): Error {
  const { name, message, code, cause, errors } = isObject(error) ? error : {};
  const first: unknown = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  const inner = first !== undefined && depth < 4 ? { cause: scrub(first, secret, depth + 1) } : undefined;
  const clean = redacter(secret);
  const said = typeof message === "string" && message !== "" ? message : String(code ?? error);
  const copy = new Error(clean(said), inner);
  copy.name = typeof name === "string" ? clean(name) : "Error";
  return typeof code === "string" ? Object.assign(copy, { code: clean(code) }) : copy;
}

/** The innermost message: `connect ECONNREFUSED 127.0.0.1:9` says more than `fetch failed`. */
function deepest(error: Error): string {
  return error.cause instanceof Error ? deepest(error.cause) : error.message;
}
