import { ConfigurationError } from "./errors.ts";
import { isObject, type JsonObject } from "./json.ts";

/** What one client takes beside the options of both. */
export interface OwnOptions {
  readonly options: readonly string[];
  readonly shapes: readonly string[];
}

const ofCalls = ["signal", "timeout", "totalTimeout", "retry", "headers"];
const ofClients = [
  ...ofCalls.slice(1),
  "allowInsecure",
  "fetch",
  "hooks",
  "limiter",
  "validate",
  "readings",
  "shapes",
];
const hookNames = ["onRequest", "onResponse", "onRetry", "onError", "onDrift"];

/** What a compiler would have told: names that nobody knows, and values of another kind. Quotes no value. */
export function checkClientOptions(options: object, own: OwnOptions): void {
  checkNames("option", options, [...ofClients, ...own.options]);
  const { allowInsecure, fetch, hooks, limiter, validate, shapes } = options as JsonObject;
  check("allowInsecure must be true or false", allowInsecure, (value) => typeof value === "boolean");
  check("fetch must be a function", fetch, isFunction);
  check("hooks must be an object", hooks, isObject);
  check("limiter must be { turn, refused }", limiter, (value) => isObject(value) && isFunction(value.turn));
  check(
    'validate must be "envelope" or "full"',
    validate,
    (value) => value === "envelope" || value === "full",
  );
  check("shapes must be an object", shapes, isObject);
  checkNames("hook", hooks ?? {}, hookNames);
  for (const [name, hook] of Object.entries(hooks ?? {}))
    check(`hooks: ${name} must be a function`, hook, isFunction);
  checkNames("shape", shapes ?? {}, own.shapes);
  for (const [name, shape] of Object.entries(shapes ?? {})) {
    check(
      `shapes: ${name} must be a Standard Schema, such as one of zod, valibot or arktype`,
      shape,
      isShape,
    );
  }
}

/** The same for the options of one call. */
export function checkCallOptions(options: object): void {
  checkNames("option of a call", options, ofCalls);
  check("signal must be an AbortSignal", (options as JsonObject).signal, isSignal);
}

export function check(what: string, value: unknown, fits: (value: unknown) => boolean): void {
  if (value !== undefined && !fits(value)) throw new ConfigurationError(what);
}

function checkNames(what: string, given: object, known: readonly string[]): void {
  if (!isObject(given)) throw new ConfigurationError(`the ${what.replace(/\w+/, "$&s")} must be an object`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ConfigurationError(`there is no ${what} named "${unknown}"; there are ${known.join(", ")}`);
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
