import { parseRetryAfter } from "../wire/retry-after.ts";
import type { Core } from "./core.ts";
import { ConfigurationError, ConnectionError, TimeoutError } from "./errors.ts";
import { describeFailure, type TransportResponse } from "./transport.ts";
import { observe } from "./observer.ts";
import { readSuccess, statusError } from "./read.ts";
import type { SentRequest } from "./request.ts";
import { type CallResult, receive, type Received } from "./response.ts";
import type { Runtime } from "./runtime.ts";

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** The wait before the first retry, in ms; each further one is twice as long. */
const firstDelay = 300;

/** The time in ms that a call without `totalTimeout` waits while the service accepts no request of the client. */
const patience = 300_000;

/**
 * Sends a request until its outcome is final. One attempt: a place and a permit, the token, the request and its body,
 * the outcome; then a retry or the end. Rejects with the error of the last attempt, or with the reason of a signal.
 * @param url the path and the query
 */
export async function send(
  core: Core,
  request: SentRequest,
  url: string,
  body: string | undefined,
): Promise<CallResult> {
  const { credential, places, runtime, shared } = core;
  const { operation, limits, mayRepeat } = request;
  const { method, path: route } = operation;
  const { drain } = shared;
  const limiter = core.limiter ?? (limits.retries === 0 ? undefined : shared.limiter);
  const isWrite = method !== "GET";
  const call = (shared.calls += 1);
  const observer =
    core.hooks.length === 0 && core.log === undefined ? undefined : observe(core, request, body, call);
  const end = runtime.performance.now() + limits.totalTimeout;

  let attempts = 0;
  let failures = 0;
  let throttled = 0;
  let isInFlight = false;
  let mayHaveBeenProcessed = false;
  /** The secret that replaces one that the service rejected. */
  let replacement: string | undefined;
  /** When the service answered with 429 first. */
  let refusedSince = Infinity;

  const details = (retryable: boolean, isLost = mayHaveBeenProcessed) => {
    return { method, route, attempts, retryable, mayHaveBeenProcessed: isLost };
  };
  const expired = (kind: "attempt" | "total", option: string, ms: number): TimeoutError => {
    const isLost = isWrite && (isInFlight || mayHaveBeenProcessed);
    const what = isInFlight
      ? "no complete response"
      : `no ${attempts > 0 ? "further " : ""}request was sent: the limiter, a place or the token was awaited`;
    return new TimeoutError(
      kind,
      ms,
      `${what} within ${ms} ms (${option})`,
      details(mayRepeat || !isLost, isLost),
    );
  };
  const connectionError = (error: unknown): ConnectionError => {
    const { message, code, isUnsent, isPermanent } = describeFailure(error);
    const isLost = mayHaveBeenProcessed || (isWrite && !isUnsent);
    const summary = core.redactor.redact(`no complete response: ${message}`);
    // not the original: errors of transports hold parts of the request
    const cause = Object.assign(new Error(core.redactor.redact(message)), code === undefined ? {} : { code });
    return new ConnectionError(summary, details(!isPermanent && (mayRepeat || isUnsent), isLost), { cause });
  };
  const isRetryable = (received: Received, isRefused: boolean): boolean =>
    retriedStatuses.has(received.status) && (mayRepeat || isRefused) && !core.isPermanent(received);
  /** Returns why a retry that could be made is not waited for; undefined if it is, and empty without words for it. */
  const findObstacle = (delay: number, isThrottled: boolean): string | undefined => {
    const now = runtime.performance.now();
    if (limits.retries === 0 || (!isThrottled && failures > limits.retries)) return "";
    if (drain.signal.aborted) return "the client is drained";
    if (delay > limits.maxDelay)
      return `Retry-After is ${Math.ceil(delay / 1000)} s, longer than retry.maxDelay (${limits.maxDelay} ms)`;
    if (now + delay >= end) return `the next attempt would be after totalTimeout (${limits.totalTimeout} ms)`;
    if (!isThrottled || total !== undefined) return undefined;
    refusedSince = Math.min(refusedSince, now);
    // another request that the service accepted is a reason to wait on
    if (now + delay - Math.max(refusedSince, shared.acceptedAt) < patience) return undefined;
    return `the service accepted no request for ${patience / 60_000} minutes; set totalTimeout to wait longer`;
  };
  // one timer for the whole call, so that a program may replace any of its clocks
  const total = limits.totalTimeout === Infinity ? undefined : new AbortController();
  const timer =
    total &&
    runtime.setTimeout(
      () => total.abort(expired("total", "totalTimeout", limits.totalTimeout)),
      limits.totalTimeout,
    );
  const signals = total === undefined ? request.signals : [...request.signals, total.signal];
  const waiting = [...signals, drain.signal];
  const attemptExpired = (): Error => expired("attempt", "timeout", limits.timeout);

  shared.pending += 1;
  try {
    for (;;) {
      const limited = { operation: operation.id, call, attempt: attempts + 1 };
      const queuedAt = runtime.performance.now();
      let hasPlace = false;
      let response: TransportResponse | undefined;
      let received: Received | undefined;
      let failure: ConnectionError | TimeoutError | undefined;
      let secret = "";
      try {
        // a permit of the limiter is for a request that is sent at once, so the place comes first
        if (places !== undefined && !places.tryAcquire())
          await within(runtime, Infinity, attemptExpired, waiting, (signal) =>
            places.acquire(attempts > 0, signal),
          );
        hasPlace = true;
        if (limiter !== undefined && limiter.tryAcquire?.(limited) !== true)
          await within(runtime, Infinity, attemptExpired, waiting, (signal) =>
            limiter.acquire(limited, signal),
          );
        const waited = runtime.performance.now() - queuedAt;
        secret =
          replacement ??
          credential.fixed ??
          (await within(runtime, limits.timeout, attemptExpired, signals, () => credential.get()));
        for (const signal of waiting) signal.throwIfAborted(); // while the token was read
        const target = (core.baseUrl ?? core.baseUrlOf(secret)) + url;
        attempts += 1;
        const headers: Record<string, string> = { ...core.headers, ...request.headers };
        observer?.onRequest(attempts, target, headers);
        headers["authorization"] = `Bearer ${secret}`;
        isInFlight = true;
        try {
          response = await within(runtime, limits.timeout, attemptExpired, signals, async (signal) => {
            const sent = { method, url: target, headers, body, signal, maxBytes: limits.maxResponseBytes };
            return core.transport(sent);
          });
        } catch (error) {
          const aborted = signals.find((signal) => signal.aborted);
          failure = error instanceof TimeoutError ? error : connectionError(error);
          // the transport cannot send or read any request, or Next.js ends the render: it knows the error by its `digest`
          const isFinal =
            error instanceof ConfigurationError || (error instanceof Error && "digest" in error);
          const shown: unknown = isFinal ? error : failure;
          observer?.onResponse(undefined, aborted === undefined ? shown : aborted.reason, waited);
          aborted?.throwIfAborted();
          if (isFinal) throw error;
        }
        isInFlight = false;
        // an error from here on is a defect, not a lost response
        received = response && receive(response, target);
        if (received !== undefined) observer?.onResponse(received, undefined, waited);
      } finally {
        if (hasPlace) places?.release();
      }

      const status = received?.status;
      if (received !== undefined && received.status < 400) {
        shared.acceptedAt = runtime.performance.now();
        const json = await readSuccess(core, request, received, details(false));
        observer?.onEnd(attempts, undefined);
        return { received, json, details: details(false) };
      }
      if (status === 401 && replacement === undefined) {
        const replaceSecret = (): Promise<string> => credential.replace(secret);
        replacement = await within(runtime, limits.timeout, attemptExpired, signals, replaceSecret);
        if (replacement !== secret) continue;
      }
      const retryAfter = received && readRetryAfter(received, runtime.Date.now());
      // only a 429 says that the request was not processed
      const isRefused = status === 429;
      if (isRefused) limiter?.onThrottled?.(retryAfter, limited);
      else if (status !== undefined) shared.acceptedAt = runtime.performance.now();
      // a 429 uses up no retry: the call waits until the service accepts it or its time is over
      const count = isRefused ? (throttled += 1) : (failures += 1);
      const backoff =
        Math.min(limits.maxDelay, firstDelay * 2 ** (count - 1)) * (0.5 + runtime.Math.random() / 2);
      const delay = retryAfter ?? backoff;
      const mayRetry = failure?.retryable ?? isRetryable(received as Received, isRefused);
      const obstacle = mayRetry ? findObstacle(delay, isRefused) : "";
      mayHaveBeenProcessed ||= isWrite && !isRefused && isServerFailure(status);
      if (obstacle !== undefined) {
        const hint = obstacle === "" ? undefined : obstacle;
        throw failure ?? statusError(core, request, received as Received, { ...details(mayRetry), hint });
      }
      mayHaveBeenProcessed ||= failure?.mayHaveBeenProcessed === true;
      observer?.onRetry(delay, status, failure);
      await within(
        runtime,
        delay,
        () => undefined,
        waiting,
        () => new Promise<void>(() => {}),
      );
    }
  } catch (error) {
    observer?.onEnd(attempts, error);
    throw error;
  } finally {
    if (timer !== undefined) runtime.clearTimeout(timer);
    shared.pending -= 1;
    if (shared.pending === 0) for (const resolve of shared.onIdle) resolve();
  }
}

/** Whether a response leaves open if a write was processed. */
function isServerFailure(status = 0): boolean {
  return status === 408 || (status >= 500 && status !== 501);
}

/** Returns the wait that a response names, in ms. A date is relative to the clock of the service, if it tells the time. */
function readRetryAfter({ headers }: Received, now: number): number | undefined {
  const date = Date.parse(headers.get("date") ?? "");
  return parseRetryAfter(headers.get("retry-after"), Number.isNaN(date) ? now : date);
}

/**
 * Runs `work` until it is done, `ms` have passed or one of the signals is aborted. Then rejects with `expired()`, or with
 * the signal's reason, even if `work` ignores the signal that it gets. Resolves if `expired` returns no error. Only the
 * timer decides when the time has passed, so that a program may replace any of its clocks.
 */
async function within<T>(
  runtime: Pick<Runtime, "setTimeout" | "clearTimeout">,
  ms: number,
  expired: () => Error | undefined,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: unknown;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const end = (reason: unknown): void => {
        reject(reason);
        controller.abort(reason);
      };
      onAbort = () => end(signals.find(({ aborted }) => aborted)?.reason);
      for (const signal of signals) {
        if (signal.aborted) return end(signal.reason);
        signal.addEventListener("abort", onAbort);
      }
      const onTime = (): void => {
        const error = expired();
        return error === undefined ? resolve(undefined as T) : end(error); // a wait has no result
      };
      if (ms !== Infinity) timer = runtime.setTimeout(onTime, ms);
      Promise.resolve(work(controller.signal)).then(resolve, reject);
    });
  } finally {
    if (timer !== undefined) runtime.clearTimeout(timer);
    if (onAbort !== undefined) for (const signal of signals) signal.removeEventListener("abort", onAbort);
  }
}
