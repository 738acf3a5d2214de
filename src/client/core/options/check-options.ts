import { isObject, type JsonObject } from "../../../wire/json.ts";
import { shapeNames } from "../../../wire/shape-names.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { checkNames } from "../errors/unknown-name.ts";
import { check } from "./check.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import type { Hooks } from "./hooks.ts";

/** The options that only one of the clients takes. */
export interface ApiOptions {
  readonly options: readonly string[];
  readonly shapes: readonly string[];
}

// objects instead of lists, so that the compiler names a missing option
const callOptions = Object.keys({
  signal: 0,
  timeout: 0,
  totalTimeout: 0,
  retry: 0,
  headers: 0,
  maxResponseBytes: 0,
} satisfies Record<keyof CallOptions, 0>);
const clientOptions = Object.keys({
  timeout: 0,
  totalTimeout: 0,
  retry: 0,
  headers: 0,
  maxResponseBytes: 0,
  allowInsecure: 0,
  fetch: 0,
  transport: 0,
  hooks: 0,
  limiter: 0,
  maxConcurrency: 0,
  log: 0,
  validate: 0,
  runtime: 0,
  readings: 0,
  shapes: 0,
} satisfies Record<keyof ClientOptions | "readings" | "shapes", 0>);
const hookNames = Object.keys({
  onCall: 0,
  onCallEnd: 0,
  onSend: 0,
  onRequest: 0,
  onResponse: 0,
  onSettled: 0,
  onRetry: 0,
  onError: 0,
  onDrift: 0,
  onHookError: 0,
} satisfies Record<keyof Hooks, 0>);

/**
 * Rejects unknown option names and values of the wrong type, for callers without a compiler. Messages quote no value.
 */
export function checkClientOptions(options: object, apiOptions: ApiOptions): void {
  checkNames("Unknown option", options, [...clientOptions, ...apiOptions.options]);
  const { allowInsecure, fetch, transport, runtime, hooks, limiter, log, validate, shapes } =
    options as JsonObject;
  check("allowInsecure must be true or false", allowInsecure, (value) => typeof value === "boolean");
  check("fetch must be a function", fetch, isFunction);
  check("transport must be a function", transport, isFunction);
  if (fetch !== undefined && transport !== undefined)
    throw new ConfigurationError("fetch and transport cannot be given together");
  check(
    "runtime must be an object { setTimeout, clearTimeout, performance, Date, Math }",
    runtime,
    isRuntime,
  );
  const allHooks: unknown[] = Array.isArray(hooks) ? hooks : [hooks ?? {}];
  check("hooks must be an object or an array of objects", allHooks, () => allHooks.every(isObject));
  check("limiter must be an object { acquire, onThrottled }", limiter, isLimiter);
  check("log must be logTo(console), or logTo with another logger", log, isLog);
  check(
    'validate must be "envelope" or "full"',
    validate,
    (value) => value === "envelope" || value === "full",
  );
  check("shapes must be an object", shapes, isObject);
  for (const each of allHooks as JsonObject[]) {
    checkNames("Unknown hook", each, hookNames);
    for (const [name, hook] of Object.entries(each))
      check(`hooks: ${name} must be a function`, hook, isFunction);
  }
  checkNames("Unknown shape", shapes ?? {}, apiOptions.shapes, Object.values(shapeNames).flat());
  for (const [name, shape] of Object.entries(shapes ?? {})) {
    check(
      `shapes: ${name} must be a Standard Schema, for example of zod, valibot or arktype`,
      shape,
      isShape,
    );
  }
}

/** Rejects unknown options of one call. */
export function checkCallOptions(options: object): void {
  checkNames("Unknown call option", options, callOptions);
  check("signal must be an AbortSignal", (options as JsonObject).signal, isSignal);
}

export function isLimiter(value: unknown): boolean {
  if (!isObject(value) || !isFunction(value.acquire)) return false;
  return value.onThrottled === undefined || isFunction(value.onThrottled);
}

function isLog(value: unknown): boolean {
  return isObject(value) && isFunction(value.writeRequest);
}

function isRuntime(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { performance, Date, Math } = value;
  const methods = [value.setTimeout, value.clearTimeout, isObject(performance) && performance.now];
  return [...methods, (Date as JsonObject)?.now, isObject(Math) && Math.random].every(isFunction);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isShape(value: unknown): boolean {
  // a schema of arktype is a function
  const schema =
    typeof value === "function" || isObject(value) ? (value as JsonObject)["~standard"] : undefined;
  return isObject(schema) && typeof schema.validate === "function";
}

function isSignal(value: unknown): boolean {
  return (
    isObject(value) && typeof value.aborted === "boolean" && typeof value.addEventListener === "function"
  );
}
