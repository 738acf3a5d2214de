import { ConnectionError, TimeoutError } from "./errors.ts";
import type { Fetch } from "./options.ts";
import { isObject } from "./json.ts";
import { redact } from "./secret.ts";

/** An HTTP answer whose body has been read to its end. */
export interface Received {
  response: Response;
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
 * The deadline covers whatever `work` does, the body of the answer above all, even where it ignores its signal.
 */
export function underDeadline<T>(attempt: Attempt, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const { ms, kind, after } = attempt.timeout;
    const stop = (reason: unknown): void => {
      finish();
      reject(reason);
      controller.abort(reason);
    };
    const timer =
      ms === Infinity ? undefined : setTimeout(() => stop(new TimeoutError(attempt.doing, kind, after)), ms);
    const listeners = attempt.signals.map((signal) => ({ signal, abort: () => stop(signal.reason) }));
    const finish = (): void => {
      clearTimeout(timer);
      for (const { signal, abort } of listeners) signal.removeEventListener("abort", abort);
    };
    const aborted = attempt.signals.find((signal) => signal.aborted);
    if (aborted !== undefined) return stop(aborted.reason);
    for (const { signal, abort } of listeners) signal.addEventListener("abort", abort);
    work(controller.signal).then(
      (value) => {
        finish();
        resolve(value);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
  });
}

/** Sends a request and reads its answer whole. What the platform throws becomes a `ConnectionError` without secrets. */
export async function exchange(
  doing: string,
  fetch: Fetch,
  url: string,
  init: RequestInit,
  secret: string,
): Promise<Received> {
  try {
    const response = await follow(fetch, url, init);
    return { response, text: await response.text() };
  } catch (error) {
    throw connectionError(doing, error, secret);
  }
}

const redirects = new Set([301, 302, 303, 307, 308]);
const mostHops = 20;

/**
 * Follows the redirects of a read. The platform would too, but not each of them takes the token off on the way to
 * another origin. A redirect that cannot be followed is the answer.
 */
async function follow(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  let at = url;
  let headers = init.headers;
  for (let hops = 0; ; hops += 1) {
    const sent = headers === undefined ? init : { ...init, headers };
    const response = await fetch(at, sent);
    if (init.method !== "GET" || hops === mostHops) return response;
    // a browser hides where a redirect leads; it takes the token off itself
    if (response.type === "opaqueredirect") return fetch(at, { ...sent, redirect: "follow" });
    const target = redirects.has(response.status) ? targetOf(response, at) : undefined;
    if (target === undefined) return response;
    await response.body?.cancel();
    if (target.origin !== new URL(at).origin) headers = withoutSecrets(headers);
    at = target.href;
  }
}

function targetOf(response: Response, from: string): URL | undefined {
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, from)) return undefined;
  const target = new URL(location, from);
  return target.protocol === "https:" || target.protocol === "http:" ? target : undefined;
}

function withoutSecrets(headers: RequestInit["headers"]): Headers {
  const kept = new Headers(headers);
  for (const name of ["authorization", "proxy-authorization", "cookie"]) kept.delete(name);
  return kept;
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
  const copy = new Error(
    redact(typeof message === "string" && message !== "" ? message : String(code ?? error), secret),
    inner,
  );
  copy.name = typeof name === "string" ? name : "Error";
  return typeof code === "string" ? Object.assign(copy, { code }) : copy;
}

/** The innermost message: `connect ECONNREFUSED 127.0.0.1:9` says more than `fetch failed`. */
function deepest(error: Error): string {
  return error.cause instanceof Error ? deepest(error.cause) : error.message;
}
