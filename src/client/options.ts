import { isObject } from "../wire/json.ts";
import type { Hooks } from "./hooks.ts";
import type { Limiter } from "./limiter.ts";
import type { Log } from "./log.ts";
import {
  booleanRule,
  functionRule,
  hasMethods,
  integer,
  isCount,
  oneOf,
  type OptionRule,
  type OptionRules,
  readOptions,
  requireValue,
  uncheckedRule,
} from "./option-rules.ts";
import type { Runtime } from "./time.ts";
import type { Shape } from "./shape.ts";
import type { Fetch, FetchCache, Transport } from "./transport.ts";

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
  /** Additional headers. `Authorization` and the headers that frame a message cannot be set here. */
  headers?: Record<string, string | undefined> | Headers | undefined;
  /**
   * The largest response body, in bytes after decoding (default: 67 108 864, which is 64 MiB). A larger body is an
   * `UnexpectedResponseError`.
   */
  maxResponseBytes?: number | undefined;
}

/** The options of both clients. */
export interface ClientOptions extends Omit<CallOptions, "signal"> {
  /**
   * The largest number of requests in flight (default: no limit). Other requests wait in a queue; `timeout` does not
   * include the wait.
   */
  maxConcurrency?: number | undefined;
  /** Writes one line for each call, never with a secret: `logTo(console)`, or `logTo` with pino or winston. */
  log?: Log | undefined;
  /** Allows `http:` for hosts other than loopback (default: false). */
  allowInsecure?: boolean | undefined;
  /** Replaces the global `fetch`, which is otherwise looked up at each call. */
  fetch?: Fetch | undefined;
  /** The option `cache` of `fetch` (default: `no-store`). `default` leaves it out: the `revalidate` of a page in Next.js then applies. */
  cache?: FetchCache | undefined;
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

/** Options each of which may be left out or undefined. */
export type Optional<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

/** The resolved limits of one request. */
export interface Limits {
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly retries: number;
  readonly maxDelay: number;
  readonly maxResponseBytes: number;
}

export const defaultLimits: Limits = {
  timeout: 30_000,
  totalTimeout: Infinity,
  retries: 2,
  maxDelay: 30_000,
  maxResponseBytes: 64 * 1024 * 1024,
};

/** The longest delay of a timer. A timer with a longer delay fires at once. */
const maxTimerDelay = 2_147_483_647;

const wait: OptionRule = [
  `a number of ms from 0 to ${maxTimerDelay}`,
  (value) => typeof value === "number" && value >= 0 && value <= maxTimerDelay,
];
const timeLimit: OptionRule = [
  `a number of ms above 0 and at most ${maxTimerDelay}, or Infinity`,
  (value) => value === Infinity || (value !== 0 && wait[1](value)),
];

// objects instead of lists, so that the compiler names a missing option
const requestRules: Record<keyof Omit<CallOptions, "signal">, OptionRule> = {
  timeout: timeLimit,
  totalTimeout: timeLimit,
  retry: ["a number of retries, or { limit, maxDelay }", (value) => isCount(value, 0) || isObject(value)],
  headers: uncheckedRule, // checked below
  maxResponseBytes: integer(1),
};
const callRules: Record<keyof CallOptions, OptionRule> = {
  ...requestRules,
  signal: ["an AbortSignal", (value) => hasMethods(value, "addEventListener")],
};
const retryRules: Record<keyof RetryOptions, OptionRule> = {
  limit: integer(0),
  maxDelay: wait,
};
const clientRules: Record<keyof ClientOptions | "shapes", OptionRule> = {
  ...requestRules,
  maxConcurrency: ["a positive integer, or Infinity", (value) => value === Infinity || isCount(value, 1)],
  allowInsecure: booleanRule,
  fetch: functionRule,
  cache: uncheckedRule, // by `fetch`
  transport: functionRule,
  hooks: ["an object or an array of objects", (value) => [value].flat().every(isObject)],
  limiter: ["an object { acquire, onThrottled }", (value) => hasMethods(value, "acquire")],
  log: ["logTo(console), or logTo with another logger", (value) => hasMethods(value, "write")],
  validate: oneOf("envelope", "full"),
  runtime: uncheckedRule,
  shapes: ["an object", isObject],
};
const hookRules: Record<keyof Hooks, OptionRule> = {
  onRequest: functionRule,
  onResponse: functionRule,
  onRetry: functionRule,
  onEnd: functionRule,
  onDrift: functionRule,
};
const shapeRule: OptionRule = [
  "a Standard Schema",
  (value) => hasMethods((value as Partial<Shape> | null)?.["~standard"], "validate"), // arktype's are functions
];

/** Reads the options of a client when it is created. `rules` and `shapes` are those that only this client has. */
export function readClientOptions<Options extends ClientOptions & { shapes?: object | undefined }>(
  given: Options,
  rules: OptionRules,
  shapes: readonly string[],
): Options {
  const options = readOptions("", given, { ...clientRules, ...rules });
  requireValue(
    "fetch and transport cannot be given together",
    options.fetch === undefined || options.transport === undefined,
  );
  for (const hooks of [options.hooks ?? []].flat()) readOptions("hooks: ", hooks, hookRules);
  const shapeRules = Object.fromEntries(shapes.map((name) => [name, shapeRule]));
  readOptions("shapes: ", options.shapes ?? {}, shapeRules);
  return options;
}

/** Reads the options of a call when it is made. */
export function readCallOptions(options: CallOptions | undefined): CallOptions {
  return options === undefined ? {} : readOptions("call: ", options, callRules);
}

/** Merges the limits of a call into those of its client, or those of a client into the defaults. */
export function resolveLimits(options: Omit<CallOptions, "signal" | "headers">, base: Limits): Limits {
  const { retry = {}, timeout, totalTimeout, maxResponseBytes } = options;
  const { limit, maxDelay } =
    typeof retry === "number" ? { limit: retry } : readOptions("retry: ", retry, retryRules);
  return {
    timeout: timeout ?? base.timeout,
    totalTimeout: totalTimeout ?? base.totalTimeout,
    retries: limit ?? base.retries,
    maxDelay: maxDelay ?? base.maxDelay,
    maxResponseBytes: maxResponseBytes ?? base.maxResponseBytes,
  };
}
