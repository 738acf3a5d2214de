import type { DriftEvent } from "./pagination/page.ts";
import { ConfigurationError } from "./errors.ts";
import { isObject } from "./json.ts";
import { check } from "./option-checks.ts";

/** What every hook is told. Never a token, a key or a body. */
export interface RequestEvent {
  /** The operation's id in the OpenAPI document, e.g. `getStore`. */
  operation: string;
  /** Tells calls apart that are under way together: a number of this client's, the same for a call's retries. */
  call: number;
  method: string;
  url: string;
  /** 1 for the first request, counting up with each retry. */
  attempt: number;
}

/** What the hook `onResponse` is told. */
export interface ResponseEvent extends RequestEvent {
  status: number;
  /** From the start of this attempt to the end of its body, in ms. */
  duration: number;
}

/** What the hook `onRetry` is told. */
export interface RetryEvent extends RequestEvent {
  /** The wait before the next attempt, in ms. */
  delay: number;
  /** The status that is tried again; undefined where no answer came. */
  status: number | undefined;
  /** What went wrong where no answer came. */
  error: Error | undefined;
}

/** What the hook `onError` is told. */
export interface ErrorEvent extends RequestEvent {
  /** What the call rejects with. */
  error: unknown;
}

/** Functions that watch. One that throws fails the call that it watched. */
export interface Hooks {
  /** Before each request. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each answer, of whatever status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Before the wait of each retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Once for each call that rejects after something was sent. */
  onError?: ((event: ErrorEvent) => void) | undefined;
  /** A numbered list changed while it was walked. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
}

/** One limit that clients keep together, in one process or in many: each request waits for its turn. */
export interface Limiter {
  /**
   * Awaited before each request, before each retry too. Its wait is no part of `timeout`, which begins after it;
   * `totalTimeout` and the call's signal end it. What it throws the call rejects with.
   */
  turn: (operation: string, signal: AbortSignal) => void | Promise<void>;
  /** After each 429, and each 503 with `Retry-After`; with that wait in ms where the server said it. Awaited. */
  refused?: ((retryAfter: number | undefined) => void | Promise<void>) | undefined;
}

/** How often and how patiently a request is tried again. */
export interface RetryOptions {
  /** Retries after the first attempt (2). */
  limit?: number | undefined;
  /** The longest wait before a retry, in ms (30 000). A longer `Retry-After` ends the call with the error at once. */
  maxDelay?: number | undefined;
}

/** The last argument of every method. */
export interface CallOptions {
  /** Ends the call (each request of a list); it rejects with the signal's own reason. */
  signal?: AbortSignal | undefined;
  /** For one attempt, body included, in ms (30 000). `Infinity` for none. */
  timeout?: number | undefined;
  /** For all attempts of one request with their waits, in ms (none). */
  totalTimeout?: number | undefined;
  /** Retries after the first attempt (2), or the whole policy. */
  retry?: number | RetryOptions | undefined;
  /** Further headers. `Authorization` cannot be set here. */
  headers?: Record<string, string> | undefined;
}

/** A function with the signature of the platform's `fetch`. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** What both clients take. */
export interface ClientOptions extends Omit<CallOptions, "signal"> {
  /** Allows `http:` to hosts other than loopback. */
  allowInsecure?: boolean | undefined;
  /** Used in place of the global `fetch`, which is otherwise looked up at each call. */
  fetch?: Fetch | undefined;
  hooks?: Hooks | undefined;
  /** Asked before each request; share one among clients that have one limit together. */
  limiter?: Limiter | undefined;
  /** `envelope` checks what the client itself stands on, `full` every answer against the contract's schemas. */
  validate?: "envelope" | "full" | undefined;
}

/** The limits of one request, every member decided. */
export interface Limits {
  timeout: number;
  totalTimeout: number;
  retries: number;
  maxDelay: number;
}

const defaults: Limits = { timeout: 30_000, totalTimeout: Infinity, retries: 2, maxDelay: 30_000 };

/** The longest wait that a timer can hold; a longer one fires at once. */
const longestTimer = 2_147_483_647;

/** Lays a call's limits over the client's, which lie over the defaults. */
export function resolveLimits(options: CallOptions | undefined, base: Limits = defaults): Limits {
  if (options === undefined) return base;
  const retry = typeof options.retry === "number" ? { limit: options.retry } : options.retry;
  check("retry must be a number or { limit, maxDelay }", retry, isObject);
  return {
    timeout: duration("timeout", options.timeout ?? base.timeout),
    totalTimeout: duration("totalTimeout", options.totalTimeout ?? base.totalTimeout),
    retries: count("retry", retry?.limit ?? base.retries),
    maxDelay: delay("retry.maxDelay", retry?.maxDelay ?? base.maxDelay),
  };
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
