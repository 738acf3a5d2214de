import { parseRetryAfter } from "../wire/header.ts";
import type { Core } from "./core.ts";
import { type CallDetails, ConfigurationError, ConnectionError, TimeoutError } from "./errors.ts";
import { readHeaders } from "./headers.ts";
import { callObserver } from "./notify.ts";
import type { LimitedRequest, Limiter } from "./limiter.ts";
import { Observer } from "./observer.ts";
import { type CallFacts, type Failure, judge, type Verdict } from "./outcome.ts";
import { JsonResponse, type Reading, readResponse, statusError, unexpected } from "./read.ts";
import type { BuiltRequest, CallArguments } from "./request.ts";
import type { HttpResult, Received } from "./response.ts";
import { limitTime, sleep } from "./time.ts";
import { type DescribedFailure, describeFailure, type TransportResponse } from "./transport.ts";

/** What a failed attempt means, and the error if it was the last one. */
interface FailedAttempt {
  readonly verdict: Verdict;
  readonly createError: () => Error;
  /** The status of the response; or the failure if there was none. */
  readonly status?: number;
  readonly failure?: Error;
}

/** One call: its attempts, and what they change. */
export class Sending {
  readonly #core: Core;
  readonly #request: CallArguments;
  readonly #built: BuiltRequest;
  readonly #facts: CallFacts;
  readonly #limiter: Limiter | undefined;
  readonly #observer: Observer | undefined;
  /** Aborted when `totalTimeout` has passed; and its time. One timer, so that a program may replace any of its clocks. */
  readonly #total: AbortController | undefined;
  readonly #end: number;
  /** What ends a request; and what ends a wait as well. */
  readonly #signals: readonly AbortSignal[];
  readonly #waitSignals: readonly AbortSignal[];

  /** The last request, for the limiter, and its secret. */
  #limited: LimitedRequest;
  #secret = "";
  #attempts = 0;
  #failures = 0;
  #throttled = 0;
  #isInFlight = false;
  #mayHaveBeenProcessed = false;
  /** The secret that replaces one that the service rejected. */
  #replacement: string | undefined;
  /** When the service responded with 429 first. */
  #refusedSince = Infinity;

  /** @param mayRepeat whether the request has the same effect if it is sent twice */
  constructor(core: Core, request: CallArguments, built: BuiltRequest, mayRepeat: boolean) {
    const { runtime, shared } = core;
    const { operation, limits, signals } = request;
    const { retries, totalTimeout } = limits;
    this.#core = core;
    this.#request = request;
    this.#built = built;
    this.#facts = { ...limits, isWrite: operation.method !== "GET", mayRepeat };
    const call = shared.begin();
    this.#limited = { operation: operation.id, call, attempt: 0 };
    this.#limiter = core.limiter ?? (retries === 0 ? undefined : shared.limiter);
    const isObserved = core.hooks.length > 0 || core.log !== undefined;
    this.#observer = isObserved ? new Observer(core, operation, call) : undefined;
    this.#total = totalTimeout === Infinity ? undefined : new AbortController();
    this.#end = runtime.performance.now() + totalTimeout;
    this.#signals = this.#total === undefined ? signals : [...signals, this.#total.signal];
    this.#waitSignals = [...this.#signals, shared.drained];
  }

  /** Sends the request until its outcome is final. Rejects with the error of the last attempt, or with the reason of a signal. */
  async run(): Promise<HttpResult<unknown>> {
    const { runtime, shared } = this.#core;
    const { totalTimeout } = this.#facts;
    const onTime = (): void => this.#total?.abort(this.#expired("total", "totalTimeout", totalTimeout));
    const timer = this.#total && runtime.setTimeout(onTime, totalTimeout);
    try {
      const result = await this.#sendUntilFinal();
      this.#observer?.onEnd(this.#attempts, undefined, false);
      return result;
    } catch (error) {
      const signals = [...this.#request.signals, shared.drained];
      const isAborted = signals.some((signal) => signal.aborted && signal.reason === error);
      this.#observer?.onEnd(this.#attempts, error, isAborted);
      throw error;
    } finally {
      if (timer !== undefined) runtime.clearTimeout(timer);
      shared.end();
    }
  }

  async #sendUntilFinal(): Promise<HttpResult<unknown>> {
    for (;;) {
      const attempt = await this.#attempt();
      if (attempt.status === 401 && (await this.#replaceSecret())) continue;
      const outcome =
        "verdict" in attempt
          ? attempt
          : this.#evaluate(attempt, await readResponse(this.#core, this.#request, attempt));
      if (!("verdict" in outcome)) return outcome;
      const { verdict, status, failure } = outcome;
      if (verdict.delay === undefined) throw outcome.createError();
      this.#observer?.onRetry(verdict.delay, status, failure);
      await sleep(this.#core.runtime, verdict.delay, this.#waitSignals);
    }
  }

  /** One attempt: a slot, a permit and the secret; then the request and its response. */
  async #attempt(): Promise<Received | FailedAttempt> {
    const { credential, slots, runtime } = this.#core;
    const queuedAt = runtime.performance.now();
    // a permit of the limiter is for a request that is sent at once, so the slot comes first
    if (slots !== undefined && !slots.tryAcquire())
      await this.#wait((signal) => slots.acquire(this.#attempts > 0, signal));
    try {
      const limited = { ...this.#limited, attempt: this.#attempts + 1 };
      this.#limited = limited;
      const limiter = this.#limiter;
      if (limiter !== undefined && limiter.tryAcquire?.(limited) !== true)
        await this.#wait((signal) => limiter.acquire(limited, signal));
      const waited = runtime.performance.now() - queuedAt;
      this.#secret = this.#replacement ?? credential.fixed ?? (await this.#limit(() => credential.get()));
      for (const signal of this.#waitSignals) signal.throwIfAborted(); // while the secret was read
      return await this.#exchange(waited);
    } finally {
      slots?.release();
    }
  }

  /** Asks for another secret after a 401, once. Returns whether there is one. */
  async #replaceSecret(): Promise<boolean> {
    if (this.#replacement !== undefined) return false;
    this.#replacement = await this.#limit(() => this.#core.credential.replace(this.#secret));
    return this.#replacement !== this.#secret;
  }

  /** Sends the request once and receives the response. */
  async #exchange(waited: number): Promise<Received | FailedAttempt> {
    const { baseUrl, baseUrlOf, headers: ofClient, transport } = this.#core;
    const { target, init } = this.#built;
    const { method } = this.#request.operation;
    const { body, headers: ofCall } = init;
    const url = (baseUrl ?? baseUrlOf(this.#secret)) + target;
    const headers: Record<string, string> = { ...ofClient };
    for (const [name, value] of ofCall) headers[name] = value;
    this.#attempts += 1;
    this.#observer?.onRequest(this.#attempts, url, headers);
    headers["authorization"] = `Bearer ${this.#secret}`;
    const maxBytes = this.#request.limits.maxResponseBytes;
    let response: TransportResponse;
    this.#isInFlight = true;
    try {
      response = await this.#limit((signal) => transport({ method, url, headers, body, signal, maxBytes }));
    } catch (error) {
      return this.#judgeLoss(error, waited);
    } finally {
      this.#isInFlight = false;
    }
    // an error from here on is a defect, not a lost response
    const { status, body: read, complete } = response;
    const received = { status, headers: readHeaders(response.headers), body: read, complete, url };
    this.#observer?.onResponse(received, undefined, waited);
    return received;
  }

  /** Judges an attempt without a response. Throws if it ends the call whatever else is true. */
  #judgeLoss(error: unknown, waited: number): FailedAttempt {
    const aborted = this.#signals.find((signal) => signal.aborted);
    if (aborted !== undefined) {
      this.#observer?.onResponse(undefined, aborted.reason, waited);
      throw aborted.reason;
    }
    // the transport cannot send or read any request, or Next.js ends the render: it knows the error by its `digest`
    if (error instanceof ConfigurationError || (error instanceof Error && "digest" in error)) {
      this.#observer?.onResponse(undefined, error, waited);
      throw error;
    }
    const described = describeFailure(error);
    const isTimeout = error instanceof TimeoutError;
    const verdict = this.#judge(isTimeout ? lostInTime : { kind: "lost", ...described });
    const failure = isTimeout ? error : this.#connectionError(described, verdict);
    this.#observer?.onResponse(undefined, failure, waited);
    return { verdict, failure, createError: () => failure };
  }

  #connectionError({ message, code, stack }: DescribedFailure, verdict: Verdict): ConnectionError {
    const { redact } = this.#core.redactor;
    const text = redact(message);
    // not the original: errors of transports hold parts of the request
    const cause = new Error(text);
    if (code !== undefined) Object.assign(cause, { code });
    if (stack !== undefined) cause.stack = redact(stack);
    return new ConnectionError(`no complete response: ${text}`, this.#details(verdict), { cause });
  }

  /** Returns the result of a response, or judges the attempt. */
  #evaluate(received: Received, reading: Reading | undefined): HttpResult<unknown> | FailedAttempt {
    if (reading === undefined) return this.#judgeStatus(received);
    const { status, complete } = received;
    const { runtime, shared } = this.#core;
    shared.acceptedAt = runtime.performance.now();
    const { defect } = reading;
    const mayHaveBeenProcessed = this.#mayHaveBeenProcessed;
    const details = this.#details({ retryable: false, mayHaveBeenProcessed });
    if (defect === undefined)
      return { data: reading.json, response: new JsonResponse(this.#core, { received, details }) };
    const { issues } = reading;
    // the service has processed the write, and would describe it in the same way again
    const isDone = this.#facts.isWrite && (issues !== undefined || (status > 201 && status < 300));
    // a larger body would be one again
    const verdict = this.#judge({ kind: "defect", status, isPermanent: isDone || !complete });
    const createError = (): Error =>
      unexpected(this.#core, { received, details: this.#details(verdict) }, defect, issues);
    return { verdict, status, createError };
  }

  /** Judges a response with an error status. */
  #judgeStatus(received: Received): FailedAttempt {
    const { runtime, shared } = this.#core;
    const { status } = received;
    const retryAfter = readRetryAfter(received, runtime.Date.now());
    const now = runtime.performance.now();
    // only a 429 says that the request was not processed
    if (status === 429) {
      const limiter = this.#limiter;
      if (limiter?.onThrottled !== undefined)
        callObserver(limiter, "onThrottled", () => limiter.onThrottled?.(retryAfter, this.#limited));
      this.#refusedSince = Math.min(this.#refusedSince, now);
    } else shared.acceptedAt = now;
    const kind = this.#core.describeError(received);
    const verdict = this.#judge({ kind: "status", status, retryAfter, ...kind });
    const createError = (): Error =>
      statusError(this.#core, this.#request, received, { ...this.#details(verdict), hint: verdict.hint });
    return { verdict, status, createError };
  }

  #judge(failure: Failure): Verdict {
    const { runtime, shared } = this.#core;
    const now = runtime.performance.now();
    const verdict = judge(failure, this.#facts, {
      failures: this.#failures,
      throttled: this.#throttled,
      mayHaveBeenProcessed: this.#mayHaveBeenProcessed,
      remaining: this.#end - now,
      refusedFor: now - Math.max(this.#refusedSince, shared.acceptedAt),
      isDrained: shared.drained.aborted,
      random: runtime.Math.random(),
    });
    if (failure.kind === "status" && failure.status === 429) this.#throttled += 1;
    else this.#failures += 1;
    this.#mayHaveBeenProcessed = verdict.mayHaveBeenProcessed;
    return verdict;
  }

  /** Waits as long as no signal ends the call or the client. */
  #wait(work: (signal: AbortSignal) => void | Promise<void>): Promise<void> {
    return this.#limit(work, Infinity, this.#waitSignals);
  }

  /** Runs a part of an attempt within `timeout`. */
  #limit<T>(
    work: (signal: AbortSignal) => T | Promise<T>,
    ms = this.#request.limits.timeout,
    signals = this.#signals,
  ): Promise<T> {
    const expired = (): Error => this.#expired("attempt", "timeout", ms);
    return limitTime(this.#core.runtime, { ms, expired, signals }, work);
  }

  #expired(kind: "attempt" | "total", option: string, ms: number): TimeoutError {
    const { isWrite, mayRepeat } = this.#facts;
    const mayHaveBeenProcessed = this.#mayHaveBeenProcessed || (isWrite && this.#isInFlight);
    const further = this.#attempts > 0 ? "further " : "";
    const what = this.#isInFlight
      ? "no complete response"
      : `no ${further}request was sent: the limiter, a slot of maxConcurrency or the token was awaited`;
    const details = this.#details({ retryable: mayRepeat || !mayHaveBeenProcessed, mayHaveBeenProcessed });
    return new TimeoutError(kind, ms, `${what} within ${ms} ms (${option})`, details);
  }

  #details(flags: Pick<Verdict, "retryable" | "mayHaveBeenProcessed">): CallDetails {
    const { method, path } = this.#request.operation;
    const { retryable, mayHaveBeenProcessed } = flags;
    return { method, route: path, attempts: this.#attempts, retryable, mayHaveBeenProcessed };
  }
}

/** A timeout of an attempt: the service may have the request, and another attempt may be in time. */
const lostInTime: Failure = { kind: "lost", isUnsent: false, isPermanent: false };

/** Returns the wait that a response names, in ms. A date is relative to the clock of the service, if it tells the time. */
function readRetryAfter({ headers }: Received, now: number): number | undefined {
  const date = Date.parse(headers.get("date") ?? "");
  return parseRetryAfter(headers.get("retry-after"), Number.isNaN(date) ? now : date);
}
