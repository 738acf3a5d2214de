import { ConfigurationError, requestIdOf, TimeoutError } from "../errors/errors.ts";
import { checkHeaders } from "../options/headers.ts";
import type { RequestEvent } from "../options/options.ts";
import type { TransportResponse } from "../transport/transport.ts";
import { connectionError } from "./connection-error.ts";
import { reportSettled, requestEvent } from "./events.ts";
import { notify, reportHookError } from "./hooks.ts";
import { followRedirects } from "./redirect.ts";
import { isRejected, isThrottled, parseRetryAfter, retryDelay } from "./retry.ts";
import type { Failure, Outcome, BufferedResponse, Run, SendConfig } from "./run.ts";

/** Sends a request until an outcome is final. Rejects with the final failure, or with a signal's reason. */
export async function send(config: SendConfig, run: Run): Promise<BufferedResponse> {
  config.budget?.earn();
  const isLimited = config.limiter !== undefined || config.slots !== undefined;
  for (;;) {
    const outcome = await (isLimited ? makeLimitedAttempt(config, run) : makeAttempt(config, run));
    const isSuccess = !(outcome instanceof Error) && outcome.status < 400;
    const delay = isSuccess ? undefined : planRetry(config, run, outcome);
    if (delay !== undefined) await wait(config, run, delay);
    else if (outcome instanceof Error) throw finalFailure(outcome, run);
    else return outcome;
  }
}

/** Returns the wait before the next attempt in ms; undefined if the outcome is final. */
function planRetry(config: SendConfig, run: Run, outcome: Outcome): number | undefined {
  const { limits, retryClass } = run.spec;
  if (run.tries > limits.retries) return undefined;
  const { adapter, runtime, rejection = "only-429" } = config;
  const now = runtime.Date.now();
  const isPermanent = (response: BufferedResponse): boolean => adapter.isPermanent(response);
  const random = runtime.Math.random();
  const policy = { retryClass, rejection, maxDelay: limits.maxDelay, isPermanent, now, random };
  const delay = retryDelay(outcome, run.tries, policy);
  if (delay === undefined || runtime.performance.now() + delay >= run.end) return undefined;
  if (config.budget?.spend() === false) return undefined;
  run.mayHaveExecuted ||= !isRejected(outcome, policy);
  const result =
    outcome instanceof Error
      ? { status: undefined, error: outcome }
      : { status: outcome.status, error: undefined };
  notify(config.hooks, "onRetry", () => ({ ...requestEvent(config, run), delay, ...result }));
  return delay;
}

function finalFailure(failure: Failure, { spec, attempts }: Run): Failure {
  Object.assign(failure, { method: spec.method, route: spec.route, attempts });
  // the stack of an error from a timer or socket lacks the caller; V8 can add the stack of the call
  Error.captureStackTrace?.(failure, finalFailure);
  return failure;
}

/** @param postponed receives a replacement token that needs a new permit of the limiter before it is sent */
function makeAttempt(config: SendConfig, run: Run, postponed?: PostponedToken): Promise<Outcome> {
  run.tries += 1;
  const { fixed } = config.secret;
  return withDeadline(config, run, run.spec.limits.timeout, (signal) =>
    fixed === undefined ? sendRotating(config, run, signal, postponed) : sendOnce(config, run, signal, fixed),
  );
}

/** A token that replaces a rejected one and has not been sent yet. */
interface PostponedToken {
  fresh?: string;
}

/** Waits for a slot and the limiter, makes an attempt, and reports to the limiter if the server throttled it. */
async function makeLimitedAttempt(config: SendConfig, run: Run): Promise<Outcome> {
  const { limiter, slots } = config;
  const enter = async (signal: AbortSignal): Promise<void> => {
    await slots?.acquire(run);
    signal.throwIfAborted(); // the call may have ended in the meantime
    // a permit of the limiter is for a request that is sent at once, so the slot comes first
    await limiter?.acquire(run.spec.operation.id, signal);
  };
  const postponed: PostponedToken = {};
  let outcome: Outcome;
  try {
    const timeoutError = await withDeadline(config, run, Infinity, enter);
    if (timeoutError instanceof TimeoutError) return timeoutError;
    outcome = await makeAttempt(config, run, postponed);
    if (postponed.fresh !== undefined) outcome = await resend(config, run, postponed.fresh);
  } finally {
    slots?.release(run);
  }
  const now = config.runtime.Date.now();
  if (limiter === undefined || !isThrottled(outcome, now)) return outcome;
  const retryAfter = parseRetryAfter(outcome.headers.get("retry-after"), now);
  await withDeadline(config, run, run.spec.limits.timeout, async () => {
    try {
      await limiter.onThrottled?.(retryAfter);
    } catch (error) {
      reportHookError(config.hooks, error, "limiter.onThrottled");
    }
  });
  return outcome;
}

/** Sends the request again with another token, after the limiter's permit. */
async function resend(config: SendConfig, run: Run, fresh: string): Promise<Outcome> {
  const { limiter } = config;
  const acquire = async (signal: AbortSignal): Promise<void> =>
    limiter?.acquire(run.spec.operation.id, signal);
  const timeoutError = await withDeadline(config, run, Infinity, acquire);
  if (timeoutError instanceof TimeoutError) return timeoutError;
  return withDeadline(config, run, run.spec.limits.timeout, (signal) => sendOnce(config, run, signal, fresh));
}

/** Sends the request, and sends it again with another token if the first was rejected and another exists. */
async function sendRotating(
  config: SendConfig,
  run: Run,
  signal: AbortSignal,
  postponed: PostponedToken | undefined,
): Promise<Outcome> {
  const { secret } = config;
  const current = await secret.get(signal);
  const outcome = await sendOnce(config, run, signal, current);
  if (outcome instanceof Error || outcome.status !== 401) return outcome;
  const fresh = await secret.replace(current, signal);
  if (fresh === current) return outcome;
  if (postponed === undefined) return sendOnce(config, run, signal, fresh);
  postponed.fresh = fresh;
  return outcome;
}

/** Sends one request and reads its response. Sends nothing after its call has settled. */
async function sendOnce(config: SendConfig, run: Run, signal: AbortSignal, secret: string): Promise<Outcome> {
  const { transport, hooks, runtime } = config;
  const { spec } = run;
  const { method, path, body, limits, errorBytes } = spec;
  signal.throwIfAborted();
  const destination =
    typeof config.destination === "function" ? config.destination(secret) : config.destination;
  run.destination.enter(destination, spec.label);
  run.attempts += 1;
  run.url = destination.baseUrl + path;
  const headers: Record<string, string> =
    hooks.onSend === undefined ? { ...config.headers, ...spec.headers } : hookedHeaders(config, run);
  // most clients have no hooks: their calls create no event
  const isWatched = hooks.onSettled !== undefined || config.log !== undefined;
  if (hooks.onRequest !== undefined) notify(hooks, "onRequest", () => requestEvent(config, run));
  const started = runtime.performance.now();
  if (signal.aborted) {
    reportSettled(config, run, undefined, signal.reason, started);
    run.attempts -= 1; // a hook has ended the call
    signal.throwIfAborted();
  }
  headers.authorization = `Bearer ${secret}`;
  const request = { method, url: run.url, headers, body, signal };
  try {
    let response = await transport(request);
    if (response.status !== 200 && method === "GET" && (spec.redirect ?? "follow") === "follow")
      response = await followRedirects(transport, request, response, destination.baseUrl);
    const { status } = response;
    const read = await response.read(
      status > 299 ? Math.min(errorBytes, limits.maxResponseBytes) : limits.maxResponseBytes,
    );
    const duration = runtime.performance.now() - started;
    if (hooks.onResponse !== undefined && !signal.aborted)
      notify(hooks, "onResponse", () => ({ ...responseEvent(config, run, response), duration }));
    config.secret.redactor.add(secret); // the response may have taken longer than secrets are kept
    const buffered = { status, headers: response.headers, response: response.response, ...read };
    if (isWatched) reportSettled(config, run, signal.aborted ? undefined : buffered, signal.reason, started);
    return buffered;
  } catch (error) {
    config.secret.redactor.add(secret); // as above
    const failure =
      error instanceof ConfigurationError
        ? error
        : connectionError(run.spec.label, error, config.secret.redactor);
    reportSettled(config, run, undefined, signal.aborted ? signal.reason : failure, started);
    if (failure instanceof ConfigurationError) throw failure; // the transport cannot send any request
    return failure;
  }
}

/**
 * Returns the headers after the hook `onSend` has added to them. A header that cannot be sent is a failure of the hook.
 */
function hookedHeaders(config: SendConfig, run: Run): Record<string, string> {
  const headers: Record<string, string> = { ...config.headers, ...run.spec.headers };
  const { redactor } = config.secret;
  // a header of the caller may hold a secret: it is sent, but the hook does not see it
  const visibleHeaders = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => redactor.redact(name) === name)
      .map(([name, value]) => [name, redactor.redact(value)]),
  );
  const offered = { ...visibleHeaders };
  notify(config.hooks, "onSend", () => ({ ...requestEvent(config, run), headers: offered }));
  try {
    const checked = checkHeaders(offered);
    for (const [name, value] of Object.entries(headers)) {
      if (checked[name] === visibleHeaders[name]) checked[name] = value; // the hook did not change it
    }
    return checked;
  } catch (error) {
    reportHookError(config.hooks, error, "onSend");
    return headers;
  }
}

function responseEvent(
  config: SendConfig,
  run: Run,
  { status, headers }: TransportResponse,
): RequestEvent & { status: number; requestId: string | undefined } {
  const requestId = requestIdOf(headers);
  const redactedId = requestId && config.secret.redactor.redact(requestId);
  return { ...requestEvent(config, run), status, requestId: redactedId };
}

/**
 * Runs `work` until it is done, the deadline passes or a signal of the call is aborted. The deadline includes
 * everything that `work` does, also the body of the response, even if `work` ignores its signal. A passed deadline is
 * an outcome; an abort rejects with the signal's reason.
 */
async function withDeadline<T>(
  { runtime }: SendConfig,
  { spec: { signals, limits, label }, end }: Run,
  timeout: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | TimeoutError> {
  for (const signal of signals) signal.throwIfAborted();
  const remaining = Math.max(0, end - runtime.performance.now());
  const controller = new AbortController();
  let timer: unknown;
  let abort: ((event: Event) => void) | undefined;
  try {
    return await new Promise<T | TimeoutError>((resolve, reject) => {
      abort = ({ target }) => {
        const reason: unknown = (target as AbortSignal).reason;
        reject(reason);
        controller.abort(reason);
      };
      for (const signal of signals) signal.addEventListener("abort", abort);
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
    for (const signal of signals) signal.removeEventListener("abort", abort as EventListener);
  }
}

/** Waits before a retry. An abort ends the wait and clears its timer. */
async function wait(config: SendConfig, run: Run, delay: number): Promise<void> {
  const { runtime } = config;
  await withDeadline(config, run, Infinity, (signal) => {
    return new Promise<void>((resolve) => {
      const timer = runtime.setTimeout(resolve, delay);
      signal.addEventListener("abort", () => runtime.clearTimeout(timer));
    });
  });
}
