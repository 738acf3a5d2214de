import { isObject } from "../../internal/json.ts";
import { ConfigurationError } from "../errors/errors.ts";
import type { DriftEvent } from "./drift.ts";
import type { Fetch } from "../transport/fetch.ts";
import type { Transport } from "../transport/transport.ts";
import { check } from "./check-options.ts";
import type { Logger, LogLevel } from "./logger.ts";

export type { Fetch };

/** What every hook receives. Never a token, a key or a body. */
export interface RequestEvent {
  /** The operation's id in the OpenAPI document, e.g. `getStore`; empty for a request that is no operation of it. */
  operation: string;
  /** Numbers the calls of a client: the same for all attempts of a call, different for calls in parallel. */
  call: number;
  method: string;
  url: string;
  /** The path as the contract writes it, e.g. `/v1/stores/{externalId}`. */
  route: string;
  /** 1 for the first request, counting up with each retry. */
  attempt: number;
}

/** What the hook `onSend` receives. */
export interface SendEvent extends RequestEvent {
  /** The headers of the request without its token or key. Headers that are set here are sent. */
  headers: Record<string, string>;
}

/** What the hook `onResponse` receives. */
export interface ResponseEvent extends RequestEvent {
  status: number;
  /** From the start of this attempt to the end of its body, in ms. */
  duration: number;
  /** The ID that the server gave the request; undefined where it gave none. */
  requestId: string | undefined;
}

/** What the hook `onSettled` receives. */
export interface SettledEvent extends RequestEvent {
  /** From the start of this attempt to the end of its body, or until it failed, in ms. */
  duration: number;
  /** The status of the response; undefined if there was none. */
  status: number | undefined;
  /** The ID that the server gave the request; undefined where it gave none. */
  requestId: string | undefined;
  /** Why there was no response: a `ConnectionError`, a `TimeoutError`, or the reason of an abort. */
  error: unknown;
}

/** What the hook `onRetry` receives. */
export interface RetryEvent extends RequestEvent {
  /** The wait before the next attempt, in ms. */
  delay: number;
  /** The status of the response; undefined if there was none. */
  status: number | undefined;
  /** The failure if there was no response. */
  error: Error | undefined;
}

/** What the hook `onError` receives. */
export interface ErrorEvent extends RequestEvent {
  /** What the call rejects with. */
  error: unknown;
}

/**
 * Functions that watch requests. They are not awaited. What a hook throws or rejects with is reported to `onHookError`
 * and never changes the outcome of a call.
 */
export interface Hooks {
  /** Before each request; may add headers, such as a trace context. `Authorization` cannot be set here. */
  onSend?: ((event: SendEvent) => void) | undefined;
  /** Before each request. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each response, of whatever status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Once after each `onRequest`, however the request ended: with a response, a failure or an abort. */
  onSettled?: ((event: SettledEvent) => void) | undefined;
  /** Before the wait of each retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Once for each call that rejects after something was sent. */
  onError?: ((event: ErrorEvent) => void) | undefined;
  /** A numbered list changed while it was walked. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
  /** A hook failed. Without this the first failure is written to the console. */
  onHookError?: ((error: unknown, hook: string) => void) | undefined;
}

/** A rate limit. Share one among the clients that have one limit together, in one process or in many. */
export interface Limiter {
  /**
   * Awaited before each request, retries included. The wait is not part of `timeout`, which begins after it;
   * `totalTimeout` and the call's signal end it. The call rejects with what this throws.
   */
  acquire: (operation: string, signal: AbortSignal) => void | Promise<void>;
  /**
   * Called after each 429, and each 503 with `Retry-After`: with that wait in ms, or undefined where the server named
   * none. Awaited before a retry, at most `timeout` ms, until `totalTimeout` or the call's signal end the wait. What it
   * throws is reported like the failure of a hook.
   */
  onThrottled?: ((retryAfter: number | undefined) => void | Promise<void>) | undefined;
}

/** How often and how patiently a request is retried. */
export interface RetryOptions {
  /** Retries after the first attempt (2). */
  limit?: number | undefined;
  /** The longest wait before a retry, in ms (30 000). A longer `Retry-After` ends the call with the error at once. */
  maxDelay?: number | undefined;
}

/** The retries of a client. */
export interface ClientRetryOptions extends RetryOptions {
  /**
   * How many retries each call earns for all calls of the client, from 0 to 1 (no budget). With 0.1 an outage causes
   * at most one retry in ten calls, and up to 10 more before it shows.
   */
  budget?: number | undefined;
}

/** The last argument of every method. */
export interface CallOptions {
  /** Ends the call (each request of a list), which rejects with the signal's own reason. */
  signal?: AbortSignal | undefined;
  /** For one attempt, body included, in ms (30 000). `Infinity` for none. */
  timeout?: number | undefined;
  /** For all attempts of one request with their waits, in ms (none). */
  totalTimeout?: number | undefined;
  /** Retries after the first attempt (2), or the whole policy. */
  retry?: number | RetryOptions | undefined;
  /** Further headers. `Authorization` cannot be set here. */
  headers?: Record<string, string> | Headers | undefined;
  /** The largest body of a response, in bytes after decoding (67 108 864: 64 MiB). A larger one is an `UnexpectedResponseError`. */
  maxResponseBytes?: number | undefined;
}

/** A clock. */
export interface Clock {
  /** The time in ms. */
  now(): number;
}

/** A source of random numbers. */
export interface RandomSource {
  /** A number from 0 up to but not including 1. */
  random(): number;
}

/** The clocks, timers and randomness that a client uses: those members of `globalThis`, or others of the same form. */
export interface Runtime {
  /** Calls `run` after `delay` ms; returns what `clearTimeout` takes. */
  setTimeout(run: () => void, delay: number): unknown;
  /** Cancels a timer. */
  clearTimeout(timer: unknown): void;
  /** A clock that never goes back. */
  performance: Clock;
  /** The wall clock. */
  Date: Clock;
  Math: RandomSource;
}

/** What both clients take. */
export interface ClientOptions extends Omit<CallOptions, "signal" | "retry"> {
  /** Retries after the first attempt (2), or the whole policy. */
  retry?: number | ClientRetryOptions | undefined;
  /** At most so many requests in flight; others wait in turn, which no `timeout` covers (no limit). */
  maxConcurrency?: number | undefined;
  /** Writes one line for each request: `console`, or a logger of pino, winston and the like. Never a secret. */
  log?: Logger | undefined;
  /** What is logged: `debug` adds the beginnings of bodies (`info`). */
  logLevel?: LogLevel | undefined;
  /** Allows `http:` to hosts other than loopback. */
  allowInsecure?: boolean | undefined;
  /** Used in place of the global `fetch`, which is otherwise looked up at each call. */
  fetch?: Fetch | undefined;
  /** Sends the requests, in place of `fetch`. */
  transport?: Transport | undefined;
  hooks?: Hooks | undefined;
  /** Asked before each request; share one among clients that have one limit together. */
  limiter?: Limiter | undefined;
  /** `envelope` checks what the client itself relies on, `full` every response against the contract's schemas. */
  validate?: "envelope" | "full" | undefined;
  /** Clocks, timers and randomness in place of those of `globalThis`, for tests and simulations. */
  runtime?: Runtime | undefined;
}

/** The limits of one request, every member decided. */
export interface Limits {
  timeout: number;
  totalTimeout: number;
  retries: number;
  maxDelay: number;
  maxResponseBytes: number;
}

const defaults: Limits = {
  timeout: 30_000,
  totalTimeout: Infinity,
  retries: 2,
  maxDelay: 30_000,
  maxResponseBytes: 64 * 1024 * 1024,
};

/** The longest wait that a timer can hold; a longer one fires at once. */
const longestTimer = 2_147_483_647;

/** Lays a call's limits over the client's, which lie over the defaults. */
export function resolveLimits(
  options: Omit<ClientOptions, "fetch"> | undefined,
  base: Limits = defaults,
): Limits {
  if (options === undefined) return base;
  const retry: ClientRetryOptions | undefined =
    typeof options.retry === "number" ? { limit: options.retry } : options.retry;
  // a budget belongs to a client, whose limits lie over the defaults
  const known = base === defaults ? ["limit", "maxDelay", "budget"] : ["limit", "maxDelay"];
  check(`retry must be a number or { ${known.join(", ")} }`, retry, isObject);
  const unknown = Object.keys(retry ?? {}).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigurationError(`Unknown option "retry.${unknown}". Expected one of ${known.join(", ")}`);
  return {
    timeout: duration("timeout", options.timeout ?? base.timeout),
    totalTimeout: duration("totalTimeout", options.totalTimeout ?? base.totalTimeout),
    retries: count("retry", retry?.limit ?? base.retries),
    maxDelay: delay("retry.maxDelay", retry?.maxDelay ?? base.maxDelay),
    maxResponseBytes: bytes("maxResponseBytes", options.maxResponseBytes ?? base.maxResponseBytes),
  };
}

/** The share of a retry budget; undefined without one. */
export function resolveBudget({ retry }: ClientOptions): number | undefined {
  const budget: unknown = isObject(retry) ? retry.budget : undefined;
  if (budget === undefined || (typeof budget === "number" && budget >= 0 && budget <= 1)) return budget;
  throw new ConfigurationError("retry.budget must be a number from 0 to 1: the retries that each call earns");
}

/** The most requests in flight; undefined without a limit. */
export function resolveConcurrency({ maxConcurrency }: ClientOptions): number | undefined {
  if (maxConcurrency === undefined || maxConcurrency === Infinity) return undefined;
  if (Number.isSafeInteger(maxConcurrency) && maxConcurrency > 0) return maxConcurrency;
  throw new ConfigurationError("maxConcurrency must be a positive integer, or Infinity");
}

function duration(name: string, value: unknown): number {
  if (value === Infinity) return Infinity;
  if (typeof value === "number" && value > 0 && value <= longestTimer) return value;
  throw new ConfigurationError(
    `${name} must be a number of ms above 0, at most ${longestTimer}, or Infinity`,
  );
}

function delay(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= longestTimer) return value;
  throw new ConfigurationError(`${name} must be a number of ms from 0 to ${longestTimer}`);
}

function count(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ConfigurationError(`${name} must be a whole number of retries, 0 or more`);
}

function bytes(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigurationError(`${name} must be a positive integer: a number of bytes`);
}
