import { escapeLine } from "../../../wire/foreign-text.ts";
import { inspectSymbol } from "../../../wire/inspect.ts";
import { isIterable, isObject } from "../../../wire/json.ts";
import type { Redactor } from "../../../wire/redaction.ts";
import { ConfigurationError, InvalidRequestError } from "../errors/errors.ts";
import type { Issue } from "../errors/issue.ts";

/** Creates an error for an invalid request. Parameter names from the caller may contain a secret. */
export function invalidRequest(
  label: string,
  issues: readonly Issue[],
  redactor: Redactor,
): InvalidRequestError {
  const clean = ({ path, message, ...more }: Issue): Issue => ({
    ...more,
    path: redactor.redact(path),
    message: redactor.redact(message),
  });
  return new InvalidRequestError(redactor.redact(label), issues.map(clean));
}

/** Returns a `ConfigurationError` without secrets, and any other error unchanged. */
export function redactError(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof ConfigurationError)) return error;
  return new ConfigurationError(redactor.redact(error.message));
}

/** The depth to which an error is copied. */
const maxDepth = 4;

/** Returns the error of a function of the caller, or a copy without secrets if it shows one. */
export function redactForeignError(error: unknown, redactor: Redactor): unknown {
  return showsSecret(error, redactor) ? copyError(error, redactor) : error;
}

/**
 * Whether a value shows a secret: in a property, also one of its class, in an entry of a map or a list, or in a text that it
 * gives for itself.
 */
function showsSecret(value: unknown, redactor: Redactor, searched = new Set<unknown>()): boolean {
  if (!(value instanceof Object) && !isObject(value)) return redactor.redact(String(value)) !== String(value);
  if (searched.has(value)) return false;
  searched.add(value);
  try {
    const parts = ["toString", "toJSON", inspectSymbol].map((name): unknown => {
      const method: unknown = Reflect.get(value, name);
      return typeof method === "function" && Reflect.apply(method, value, [undefined, {}, String]);
    });
    for (let owner: object | null = value; isOwn(owner); owner = Reflect.getPrototypeOf(owner))
      for (const name of Reflect.ownKeys(owner))
        if (name !== "constructor") parts.push(name, Reflect.get(value, name));
    // an iterator could be infinite
    if (isIterable(value) && !("next" in value)) parts.push(...value);
    return parts.some((part) => showsSecret(part, redactor, searched));
  } catch {
    return true; // it cannot be read, or has too many levels
  }
}

/** Whether the properties of a prototype are not those of every object or function. */
function isOwn(owner: object | null): owner is object {
  return owner !== null && owner !== Object.prototype && owner !== Function.prototype;
}

/**
 * Copies an error and its causes without secrets and without other properties, which may hold the request with its
 * headers. The value may be of any type, also one that throws when it is read.
 */
export function copyError(error: unknown, redactor: Redactor, depth = 0): Error {
  try {
    return copyProperties(error, redactor, depth);
  } catch {
    return new Error("unknown error");
  }
}

function copyProperties(error: unknown, redactor: Redactor, depth: number): Error {
  const { name, message, code, cause, errors } = isObject(error) ? error : {};
  const first: unknown = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  const inner =
    first !== undefined && depth < maxDepth ? { cause: copyError(first, redactor, depth + 1) } : undefined;
  const text = typeof message === "string" && message !== "" ? message : String(code ?? error);
  const copy = new Error(escapeLine(redactor.redact(text)), inner);
  copy.name = typeof name === "string" ? redactor.redact(name) : "Error";
  return typeof code === "string" ? Object.assign(copy, { code: redactor.redact(code) }) : copy;
}
