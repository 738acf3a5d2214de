import { isInteger, isObject } from "../../../wire/json.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { checkNames } from "../errors/unknown-name.ts";
import type { Fetch } from "../transport/fetch.ts";
import type { Transport } from "../transport/transport.ts";
import { check } from "./check.ts";
import type { Hooks } from "./hooks.ts";
import type { Limiter } from "./limiter.ts";
import type { Log } from "./log.ts";

export type { Fetch };

/** The number of retries and the waits between them. */
export interface RetryOptions {
  /** The number of retries after the first attempt (default: 2). Those after a 429 are not counted; 0 disables all. */
  limit?: number | undefined;
  /** The longest wait before a retry, in ms (default: 30 000). If `Retry-After` is longer, the call rejects at once. */
  maxDelay?: number | undefined;
}

/** The last argument of every method. */
export interface CallOptions {
  /** Aborts the call, or each request of a list. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The time for one attempt, including the body, in ms (default: 30 000). `Infinity` disables it. */
  timeout?: number | undefined;
  /** The time for all attempts of one request and the waits between them, in ms (default: none). */
  totalTimeout?: number | undefined;
  /** The number of retries after the first attempt (default: 2), or the whole policy. */
  retry?: number | RetryOptions | undefined;
  /** Additional headers. `Authorization` cannot be set here. */
  headers?: Record<string, string> | Headers | undefined;
  /**
   * The largest response body, in bytes after decoding (default: 67 108 864, which is 64 MiB). A larger body is an
   * `UnexpectedResponseError`.
   */
  maxResponseBytes?: number | undefined;
}

/** A clock. */
export interface Clock {
  /** Returns the time in ms. */
  now(): number;
}

/** A source of random numbers. */
export interface RandomSource {
  /** Returns a number from 0 up to but not including 1. */
  random(): number;
}

/** The clocks, timers and random numbers that a client uses, with the names that they have in `globalThis`. */
export interface Runtime {
  /** Calls `run` after `delay` ms; returns the argument for `clearTimeout`. */
  setTimeout(run: () => void, delay: number): unknown;
  /** Cancels a timer. */
  clearTimeout(timer: unknown): void;
  /** A monotonic clock. */
  performance: Clock;
  /** The wall clock. */
  Date: Clock;
  Math: RandomSource;
}

/** The options of both clients. */
export interface ClientOptions extends Omit<CallOptions, "signal"> {
  /**
   * The largest number of requests in flight (default: no limit). Other requests wait in a queue; `timeout` does not
   * include the wait.
   */
  maxConcurrency?: number | undefined;
  /** Writes one line for each request, never with a secret: `logTo(console)`, or `logTo` with pino or winston. */
  log?: Log | undefined;
  /** Allows `http:` for hosts other than loopback (default: false). */
  allowInsecure?: boolean | undefined;
  /** Replaces the global `fetch`, which is otherwise looked up at each call. */
  fetch?: Fetch | undefined;
  /** Sends the requests instead of `fetch`, such as `nodeTransport()` of `shelfleet/node`. */
  transport?: Transport | undefined;
  /** Functions that observe requests, for logs, metrics and traces; an array combines several objects. */
  hooks?: Hooks | readonly Hooks[] | undefined;
  /**
   * A rate limit, awaited before each request. Several clients can share one. Without it the client limits nothing until
   * the first 429, and then adapts its rate to the service.
   */
  limiter?: Limiter | undefined;
  /**
   * `envelope` validates only the parts of a response that the client uses, `full` the whole response against the
   * contract's schemas, and that it is about the requested entity (default: `envelope`).
   */
  validate?: "envelope" | "full" | undefined;
  /** Replaces the clocks, timers and random numbers of `globalThis`, for tests and simulations. */
  runtime?: Runtime | undefined;
}

/** The resolved limits of one request. */
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

/** The longest delay of a timer. A timer with a longer delay fires at once. */
const maxTimerDelay = 2_147_483_647;

/** Merges the limits of a call into those of its client, or those of a client into the defaults. */
export function resolveLimits(
  options: Omit<ClientOptions, "fetch"> | undefined,
  base: Limits = defaults,
): Limits {
  if (options === undefined) return base;
  const retry: RetryOptions | undefined =
    typeof options.retry === "number" ? { limit: options.retry } : options.retry;
  check("retry must be a number or { limit, maxDelay }", retry, isObject);
  checkNames("Unknown option of retry", retry ?? {}, ["limit", "maxDelay"]);
  return {
    timeout: duration("timeout", options.timeout ?? base.timeout),
    totalTimeout: duration("totalTimeout", options.totalTimeout ?? base.totalTimeout),
    retries: count("retry", retry?.limit ?? base.retries),
    maxDelay: delay("retry.maxDelay", retry?.maxDelay ?? base.maxDelay),
    maxResponseBytes: bytes("maxResponseBytes", options.maxResponseBytes ?? base.maxResponseBytes),
  };
}

/** The largest number of requests in flight; undefined without a limit. */
export function resolveConcurrency({ maxConcurrency }: ClientOptions): number | undefined {
  if (maxConcurrency === undefined || maxConcurrency === Infinity) return undefined;
  if (Number.isSafeInteger(maxConcurrency) && maxConcurrency > 0) return maxConcurrency;
  throw new ConfigurationError("maxConcurrency must be a positive integer, or Infinity");
}

function duration(name: string, value: unknown): number {
  if (value === Infinity) return Infinity;
  if (typeof value === "number" && value > 0 && value <= maxTimerDelay) return value;
  throw new ConfigurationError(
    `${name} must be a number of ms above 0 and at most ${maxTimerDelay}, or Infinity`,
  );
}

function delay(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= maxTimerDelay) return value;
  throw new ConfigurationError(`${name} must be a number of ms from 0 to ${maxTimerDelay}`);
}

function count(name: string, value: unknown): number {
  if (isInteger(value) && value >= 0) return value;
  throw new ConfigurationError(`${name} must be a number of retries: an integer of at least 0`);
}

function bytes(name: string, value: unknown): number {
  if (isInteger(value) && value > 0) return value;
  throw new ConfigurationError(`${name} must be a number of bytes: a positive integer`);
}
