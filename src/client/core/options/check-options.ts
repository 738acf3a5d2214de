import { isObject, type JsonObject } from "../../../wire/json.ts";
import { shapeNames } from "../../../wire/shape-names.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { checkNames } from "../errors/unknown-name.ts";
import { check } from "./check.ts";
import type { Hooks } from "./hooks.ts";
import type { CallOptions, ClientOptions } from "./options.ts";

/** The end of the message "… must be …", and the check of a value. */
export type OptionRule = readonly [what: string, fits: (value: unknown) => boolean];

/** The names of the options of one client that the other one does not have, and its shapes. */
export interface ApiOptions {
  readonly rules: Readonly<Record<string, OptionRule>>;
  readonly shapes: readonly string[];
}

/** An option that is checked where it is read. */
export const checkedLater: OptionRule = ["", () => true];
export const mustBeFunction: OptionRule = ["a function", isFunction];

// objects instead of lists, so that the compiler names a missing option
const callRules: Record<keyof CallOptions, OptionRule> = {
  signal: ["an AbortSignal", isSignal],
  timeout: checkedLater,
  totalTimeout: checkedLater,
  retry: checkedLater,
  headers: checkedLater,
  maxResponseBytes: checkedLater,
};
const { signal, ...requestRules } = callRules;
const clientRules: Record<keyof ClientOptions | "readings" | "shapes", OptionRule> = {
  ...requestRules,
  allowInsecure: ["true or false", (value) => typeof value === "boolean"],
  fetch: mustBeFunction,
  transport: mustBeFunction,
  hooks: ["an object or an array of objects", (value) => [value].flat().every(isObject)],
  limiter: ["an object { acquire, onThrottled }", isLimiter],
  maxConcurrency: checkedLater,
  log: ["logTo(console), or logTo with another logger", isLog],
  validate: ['"envelope" or "full"', (value) => value === "envelope" || value === "full"],
  runtime: ["an object { setTimeout, clearTimeout, performance, Date, Math }", isRuntime],
  readings: checkedLater,
  shapes: ["an object", isObject],
};
const hookRules: Record<keyof Hooks, OptionRule> = {
  onCall: mustBeFunction,
  onCallEnd: mustBeFunction,
  onSend: mustBeFunction,
  onRequest: mustBeFunction,
  onResponse: mustBeFunction,
  onSettled: mustBeFunction,
  onRetry: mustBeFunction,
  onError: mustBeFunction,
  onDrift: mustBeFunction,
  onHookError: mustBeFunction,
};
const shapeRule: OptionRule = ["a Standard Schema, for example of zod, valibot or arktype", isShape];

/**
 * Rejects unknown option names and values of the wrong type, for callers without a compiler. Messages quote no value.
 */
export function checkClientOptions(options: object, { rules, shapes: names }: ApiOptions): void {
  checkValues("Unknown option", options, { ...rules, ...clientRules });
  // the values are checked, here or by their rules
  const { fetch, transport, hooks, shapes = {} } = options as ClientOptions & { shapes?: object };
  if (fetch !== undefined && transport !== undefined)
    throw new ConfigurationError("fetch and transport cannot be given together");
  for (const each of [hooks ?? {}].flat()) checkValues("Unknown hook", each, hookRules, "hooks: ");
  checkNames("Unknown shape", shapes, names, Object.values(shapeNames).flat());
  const shapeRules = Object.fromEntries(Object.keys(shapes).map((name) => [name, shapeRule]));
  checkValues("Unknown shape", shapes, shapeRules, "shapes: ");
}

/** Rejects unknown options of one call. */
export function checkCallOptions(options: object): void {
  checkValues("Unknown call option", options, callRules);
}

function checkValues(
  problem: string,
  given: object,
  rules: Readonly<Record<string, OptionRule>>,
  place = "",
): void {
  checkNames(problem, given, Object.keys(rules));
  for (const [name, [what, fits]] of Object.entries(rules))
    check(`${place}${name} must be ${what}`, Reflect.get(given, name), fits);
}

function isLimiter(value: unknown): boolean {
  if (!isObject(value) || !isFunction(value.acquire)) return false;
  return value.onThrottled === undefined || isFunction(value.onThrottled);
}

function isLog(value: unknown): boolean {
  return isObject(value) && isFunction(value.writeRequest);
}

function isRuntime(value: unknown): boolean {
  if (!isObject(value)) return false;
  // each of them is checked below
  const { setTimeout, clearTimeout, performance, Date, Math } = value as Record<
    string,
    JsonObject | undefined
  >;
  return [setTimeout, clearTimeout, performance?.now, Date?.now, Math?.random].every(isFunction);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isShape(value: unknown): boolean {
  // a schema of arktype is a function
  const schema = isObject(value) || isFunction(value) ? (value as JsonObject)["~standard"] : undefined;
  return isObject(schema) && isFunction(schema.validate);
}

function isSignal(value: unknown): boolean {
  return isObject(value) && typeof value.aborted === "boolean" && isFunction(value.addEventListener);
}
