import { parseRetryAfter } from "../../../wire/retry-after.ts";
import { ConfigurationError, TimeoutError } from "../errors/errors.ts";
import { checkHeaders } from "../options/headers.ts";
import type { LimitedRequest, Limiter } from "../options/limiter.ts";
import { connectionError, isUnreachable } from "./connection-error.ts";
import { reportSettled, requestEvent, responseEvent } from "./events.ts";
import { notify, reportHookError } from "./hooks.ts";
import { planRetry } from "./plan-retry.ts";
import { isThrottled, lostWrite } from "./retry.ts";
import type { Failure, Outcome, BufferedResponse, Run, SendConfig } from "./run.ts";
import { isRedirect } from "./url.ts";
import { withDeadline, wait } from "./deadline.ts";

/** Sends a request until an outcome is final. Rejects with the final failure, or with a signal's reason. */
export async function send(config: SendConfig, run: Run): Promise<BufferedResponse> {
  for (;;) {
    const outcome = await makeAttempt(config, run);
    if (!(outcome instanceof Error) && outcome.status !== 429) config.shared.accepted += 1;
    const isSuccess = !(outcome instanceof Error) && outcome.status < 400;
    const delay = isSuccess ? undefined : planRetry(config, run, outcome);
    if (delay !== undefined) await wait(config, run, delay);
    else if (outcome instanceof Error) throw finalFailure(outcome, run);
    else return outcome;
  }
}

/** Completes the error of a call that has no complete response. */
export function finalFailure(failure: Failure, { spec, attempts, retryable }: Run): Failure {
  const { method, route, retryClass } = spec;
  Object.assign(failure, { method, route, attempts, retryable });
  if (retryClass !== "idempotent" && attempts > 0 && !isUnreachable(failure))
    failure.message += ` (${lostWrite})`;
  // the stack of an error from a timer or socket lacks the caller; V8 can add the stack of the call
  Error.captureStackTrace?.(failure, finalFailure);
  return failure;
}

/**
 * Sends a request when there is a slot and a permit of the limiter. Sends it again if the token was rejected and another
 * one exists.
 */
async function makeAttempt(config: SendConfig, run: Run): Promise<Outcome> {
  const { secret, shared } = config;
  const { slots } = shared;
  try {
    // a permit of the limiter is for a request that is sent at once, so the slot comes first
    const isRetry = run.attempts > 0;
    const late = slots && (await waitFor(config, run, (signal) => slots.acquire(run, isRetry, signal)));
    if (late !== undefined) return late;
    if (secret.fixed !== undefined) return await sendLimited(config, run, secret.fixed);
    let refused = "";
    const outcome = await sendLimited(config, run, async () => {
      refused = await secret.get();
      return refused;
    });
    if (outcome instanceof Error || outcome.status !== 401) return outcome;
    const replace = (signal: AbortSignal): Promise<string> => secret.replace(refused, signal);
    const fresh = await withDeadline(config, run, run.spec.limits.timeout, replace);
    if (fresh === refused) return outcome;
    return fresh instanceof TimeoutError ? fresh : await sendLimited(config, run, fresh);
  } finally {
    slots?.release(run);
  }
}

/** Waits for a permit. Returns an error if the total deadline passes first. */
async function waitFor(
  config: SendConfig,
  run: Run,
  acquire: (signal: AbortSignal) => Promise<void>,
): Promise<TimeoutError | undefined> {
  const began = config.runtime.performance.now();
  const late = await withDeadline(config, run, Infinity, acquire, config.shared.drain.signal);
  run.waited += config.runtime.performance.now() - began;
  return late ?? undefined;
}

/** Sends a request after the limiter's permit, and reports to the limiter if the server throttled it. */
async function sendLimited(
  config: SendConfig,
  run: Run,
  secret: string | (() => Promise<string>),
): Promise<Outcome> {
  const { spec, call } = run;
  const { timeout, retries } = spec.limits;
  // without retries a call does not wait: it has no use for the client's own limiter
  const limiter = config.limiter ?? (retries === 0 ? undefined : config.shared.limiter);
  const request = { operation: spec.operation.id, call, attempt: run.attempts + 1 };
  if (limiter !== undefined && limiter.tryAcquire?.(request) !== true) {
    const late = await waitFor(config, run, async (signal) => limiter.acquire(request, signal));
    if (late !== undefined) return late;
  }
  const outcome = await withDeadline(config, run, timeout, (signal) =>
    typeof secret === "string"
      ? sendOnce(config, run, signal, secret)
      : secret().then((current) => sendOnce(config, run, signal, current)),
  );
  if (limiter === undefined || outcome instanceof Error || outcome.status < 400) return outcome;
  if (isThrottled(outcome, config.runtime.Date.now()))
    await reportThrottled(config, run, limiter, request, outcome);
  return outcome;
}

async function reportThrottled(
  config: SendConfig,
  run: Run,
  limiter: Limiter,
  request: LimitedRequest,
  { head }: BufferedResponse,
): Promise<void> {
  const retryAfter = parseRetryAfter(head.headers.get("retry-after"), config.runtime.Date.now());
  await withDeadline(config, run, run.spec.limits.timeout, async () => {
    try {
      await limiter.onThrottled?.(retryAfter, request);
    } catch (error) {
      reportHookError(config.hooks, error, "limiter.onThrottled");
    }
  });
}

/** Sends one request and reads its response. Sends nothing after its call has settled. */
async function sendOnce(config: SendConfig, run: Run, signal: AbortSignal, secret: string): Promise<Outcome> {
  const { transport, hooks, runtime } = config;
  const { spec } = run;
  const { method, path, body, limits, errorBytes } = spec;
  signal.throwIfAborted();
  if (config.shared.drain.isDraining) config.shared.drain.signal.throwIfAborted();
  const destination =
    typeof config.destination === "function" ? config.destination(secret) : config.destination;
  run.destination.enter(destination, spec.label);
  run.attempts += 1;
  run.url = destination.baseUrl + path;
  const headers: Record<string, string> =
    hooks.onSend === undefined ? { ...config.headers, ...spec.headers } : hookedHeaders(config, run);
  // most clients have no hooks: their calls create no event
  const isWatched =
    hooks.onSettled !== undefined || hooks.onResponse !== undefined || config.log !== undefined;
  const sent: Run = isWatched ? { ...run } : run; // a request that was given up may settle after the next one began
  run.waited = 0;
  if (hooks.onRequest !== undefined) notify(hooks, "onRequest", () => requestEvent(config, run));
  const started = runtime.performance.now();
  if (signal.aborted) {
    reportSettled(config, sent, undefined, signal.reason, started);
    run.attempts -= 1; // a hook has ended the call
    signal.throwIfAborted();
  }
  headers.authorization = `Bearer ${secret}`;
  const request = { method, url: run.url, headers, body, signal };
  try {
    let response = await transport(request);
    const mayFollow = response.status !== 200 && method === "GET" && (spec.redirect ?? "follow") === "follow";
    if (mayFollow && isRedirect(response.status)) {
      const { followRedirects } = await import("./redirect.ts"); // few services redirect
      response = await followRedirects(transport, request, response, destination.baseUrl, spec.redirect);
    }
    const { status } = response;
    const { bytes, complete } = await response.read(
      status > 299 ? Math.min(errorBytes, limits.maxResponseBytes) : limits.maxResponseBytes,
    );
    if (hooks.onResponse !== undefined && !signal.aborted) {
      const duration = runtime.performance.now() - started;
      notify(hooks, "onResponse", () => responseEvent(config, sent, response, duration));
    }
    config.secret.redactor.add(secret); // the response may have taken longer than secrets are kept
    const buffered: BufferedResponse = { status, bytes, complete, head: response };
    if (isWatched) reportSettled(config, sent, signal.aborted ? undefined : buffered, signal.reason, started);
    return buffered;
  } catch (error) {
    config.secret.redactor.add(secret); // as above
    const failure =
      error instanceof ConfigurationError
        ? error
        : connectionError(run.spec.label, error, config.secret.redactor);
    reportSettled(config, sent, undefined, signal.aborted ? signal.reason : failure, started);
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
  // a hook that replaces the headers, or adds one after an `await`, fails instead of having no effect
  notify(config.hooks, "onSend", () =>
    Object.freeze(Object.assign(requestEvent(config, run), { headers: offered })),
  );
  Object.freeze(offered);
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
