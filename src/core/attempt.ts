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
 * The deadline covers whatever `work` does, the body of the answer above all, even where it ignores its signal.
 */
export function underDeadline<T>(
  { doing, timeout, signals }: Attempt,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
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
    const abort = ({ target }: Event): void => stop((target as AbortSignal).reason);
    const expire = (): void => stop(new TimeoutError(doing, timeout.kind, timeout.after));
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
): Promise<Received> {
  try {
    let response = await fetch(url, init);
    let { status } = response;
    if (init.method === "GET" && leadsOn(status)) {
      response = await follow(fetch, url, init, response);
      ({ status } = response);
    }
    return { response, status, text: await response.text() };
  } catch (error) {
    throw connectionError(doing, error, secret);
  }
}

const mostHops = 20;

/** A redirect; a browser hides them behind status 0. */
function leadsOn(status: number): boolean {
  return /^(30[12378]|0)$/.test(String(status));
}

/**
 * Follows the redirects of a read. The platform would too, but not each of them takes the token off on the way to
 * another origin. A redirect that cannot be followed is the answer.
 */
async function follow(fetch: Fetch, url: string, init: RequestInit, first: Response): Promise<Response> {
  let [at, headers, response] = [url, new Headers(init.headers), first];
  for (let hops = 0; hops < mostHops && leadsOn(response.status); hops += 1) {
    // a browser hides where a redirect leads; it takes the token off itself
    if (response.type === "opaqueredirect") return fetch(at, { ...init, headers, redirect: "follow" });
    const target = targetOf(response, at);
    if (target === undefined) return response;
    await response.body?.cancel();
    if (target.origin !== new URL(at).origin) headers = withoutSecrets(headers);
    at = target.href;
    response = await fetch(at, { ...init, headers });
  }
  return response;
}

function targetOf(response: Response, from: string): URL | undefined {
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, from)) return undefined;
  const target = new URL(location, from);
  return target.protocol === "https:" || target.protocol === "http:" ? target : undefined;
}

function withoutSecrets(headers: Headers): Headers {
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
