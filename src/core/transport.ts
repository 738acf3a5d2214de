import { type Attempt, exchange, type Received, underDeadline } from "./attempt.ts";
import { type ConnectionError, TimeoutError } from "./errors.ts";
import type { Fetch, Hooks, Limiter, Limits, RequestEvent, ResponseEvent } from "./options.ts";
import { isRefusal, type Outcome, parseRetryAfter, type RetryClass, retryDelay } from "./retry.ts";
import type { Secret } from "./secret.ts";

/** A request that is ready to be sent, any number of times. */
export interface Outgoing {
  operation: string;
  method: string;
  route: string;
  /** What follows the base address: the route with its ids, and the query. */
  path: string;
  body: string | undefined;
  headers: Record<string, string> | undefined;
  retryClass: RetryClass;
  limits: Limits;
  signals: readonly AbortSignal[];
  /** One of `signals`: its abort means that nobody wants the response any more, which is not an error. */
  cancel?: AbortSignal | undefined;
}

/** The last answer to a request. */
export interface Answered extends Received {
  url: string;
  attempts: number;
  /** Whether an earlier attempt may have been processed although its answer was lost. */
  unsure: boolean;
  /** The token that the last attempt was sent with: what errors must not quote. */
  secret: string;
}

export interface TransportConfig {
  secret: Secret;
  /** The base address for a token or key, without a slash at its end. */
  baseUrl: (secret: string) => string;
  fetch: Fetch | undefined;
  headers: Record<string, string>;
  hooks: Hooks;
  limiter?: Limiter | undefined;
  isPermanent: (received: Received) => boolean;
  /** Wall clock and monotonic clock in ms, and numbers from 0 to 1. */
  runtime?: { wall: () => number; monotonic: () => number; random: () => number };
}

const platform = { wall: () => Date.now(), monotonic: () => performance.now(), random: () => Math.random() };

/** One call on its way: what its attempts share. */
interface Run {
  out: Outgoing;
  /** Its number among the calls of this client. */
  call: number;
  url: string;
  /** Requests that were sent. */
  attempts: number;
  /** Attempts that were begun: one may send nothing, where no token comes, or two, where a token is replaced. */
  tries: number;
  unsure: boolean;
  secret: string;
  /** When `totalTimeout` is over, on the monotonic clock. */
  end: number;
}

/** Sends requests: secret, deadline, retries, hooks. Knows neither API. */
export class Transport {
  readonly #config: TransportConfig;
  readonly #runtime: typeof platform;
  #calls = 0;

  constructor(config: TransportConfig) {
    this.#config = config;
    this.#runtime = config.runtime ?? platform;
  }

  /** Sends until an answer is the last, and hands it to `read`. */
  async send<T>(out: Outgoing, read: (answered: Answered) => T | Promise<T>): Promise<T> {
    const end = this.#runtime.monotonic() + out.limits.totalTimeout;
    const call = (this.#calls += 1);
    const run: Run = { out, call, url: out.path, attempts: 0, tries: 0, unsure: false, secret: "", end };
    try {
      const first = await this.#attempt(run);
      const delay = this.#plan(run, first);
      const outcome = delay === undefined ? first : await this.#again(run, first, delay);
      if (outcome instanceof Error) throw unanswered(outcome, run.attempts);
      const { url, attempts, unsure, secret } = run;
      const result = read({ ...outcome, url, attempts, unsure, secret });
      return result instanceof Promise ? await result : result;
    } catch (error) {
      if (run.attempts > 0 && out.cancel?.aborted !== true)
        this.#config.hooks.onError?.({ ...event(run), error });
      throw error;
    }
  }

  async #again(run: Run, first: Outcome, firstDelay: number): Promise<Outcome> {
    const engine = await import("./retry-engine.ts").catch(() => undefined);
    // a page that has lost its network cannot load it either: what was lost is then the last word
    return engine === undefined
      ? first
      : engine.retryWithKy({
          firstDelay,
          attempt: () => this.#attempt(run),
          plan: (outcome) => this.#plan(run, outcome),
          signals: run.out.signals,
        });
  }

  #plan(run: Run, outcome: Outcome): number | undefined {
    const lost = outcome instanceof Error;
    if (!lost && outcome.status < 400) return undefined;
    const { limits, retryClass } = run.out;
    if (run.tries > limits.retries) return undefined;
    const { wall: now, random } = this.#runtime;
    const policy = {
      retryClass,
      maxDelay: limits.maxDelay,
      isPermanent: this.#config.isPermanent,
      now,
      random,
    };
    const delay = retryDelay(outcome, run.tries, policy);
    if (delay === undefined || this.#runtime.monotonic() + delay >= run.end) return undefined;
    run.unsure ||= !isRefusal(outcome, policy.now());
    this.#config.hooks.onRetry?.({
      ...event(run),
      delay,
      status: lost ? undefined : outcome.status,
      error: lost ? outcome : undefined,
    });
    return delay;
  }

  #attempt(run: Run): Promise<Outcome> {
    const { limiter } = this.#config;
    run.tries += 1;
    return limiter === undefined ? this.#sendOnce(run) : this.#sendInTurn(run, limiter);
  }

  async #sendInTurn(run: Run, limiter: Limiter): Promise<Outcome> {
    const { operation } = run.out;
    const waiting = async (signal: AbortSignal): Promise<void> => limiter.turn(operation, signal);
    const late = await underDeadline(this.#deadline(run, Infinity), waiting);
    if (late instanceof TimeoutError) return late;
    const outcome = await this.#sendOnce(run);
    const now = this.#runtime.wall();
    if (!(outcome instanceof Error) && isRefusal(outcome, now))
      await limiter.refused?.(parseRetryAfter(outcome.response.headers.get("retry-after"), now));
    return outcome;
  }

  #sendOnce(run: Run): Promise<Outcome> {
    const deadline = this.#deadline(run, run.out.limits.timeout);
    const { fixed } = this.#config.secret;
    return underDeadline(deadline, (signal) =>
      fixed === undefined
        ? this.#sendRotating(run, deadline, signal)
        : this.#exchange(run, deadline, signal, fixed),
    );
  }

  /** One request; and one more with another token, where the first was answered 401 and there is another. */
  async #sendRotating(run: Run, deadline: Attempt, signal: AbortSignal): Promise<Outcome> {
    const outcome = await this.#exchange(run, deadline, signal, await this.#config.secret.reveal());
    if (outcome instanceof Error || outcome.status !== 401) return outcome;
    const fresh = await this.#config.secret.reveal();
    return fresh === run.secret ? outcome : this.#exchange(run, deadline, signal, fresh);
  }

  #exchange(run: Run, { doing }: Attempt, signal: AbortSignal, secret: string): Promise<Outcome> {
    const { out } = run;
    const { fetch, hooks, headers } = this.#config;
    run.secret = secret;
    run.url = this.#config.baseUrl(secret) + out.path;
    run.attempts += 1;
    hooks.onRequest?.(event(run));
    const init: RequestInit = {
      method: out.method,
      headers: { ...headers, ...out.headers, authorization: `Bearer ${secret}` },
      redirect: "manual", // a read's is followed in `exchange`, a write's never
      signal,
    };
    if (out.body !== undefined) init.body = out.body;
    const answer = exchange(doing, fetch ?? globalThis.fetch, run.url, init, secret);
    return hooks.onResponse === undefined ? answer : this.#watched(run, answer, hooks.onResponse);
  }

  async #watched(
    run: Run,
    answer: Promise<Outcome>,
    onResponse: (event: ResponseEvent) => void,
  ): Promise<Outcome> {
    const started = this.#runtime.monotonic();
    const outcome = await answer;
    if (outcome instanceof Error) return outcome;
    const duration = this.#runtime.monotonic() - started;
    onResponse({ ...event(run), status: outcome.status, duration });
    return outcome;
  }

  #deadline(run: Run, timeout: number): Attempt {
    const { method, route, limits, signals } = run.out;
    const left = run.end - this.#runtime.monotonic();
    const total = left < timeout;
    return {
      doing: `${method} ${route}`,
      timeout: {
        ms: total ? Math.max(0, left) : timeout,
        kind: total ? "total" : "attempt",
        after: total ? limits.totalTimeout : timeout,
      },
      signals,
    };
  }
}

function unanswered(failure: ConnectionError | TimeoutError, attempts: number): Error {
  failure.attempts = attempts;
  // the timer or socket that made it knows nothing of the caller; where the engine can, the stack names the call
  Error.captureStackTrace?.(failure, unanswered);
  return failure;
}

function event({ out, call, url, attempts }: Run): RequestEvent {
  return { operation: out.operation, call, method: out.method, url, attempt: attempts };
}
