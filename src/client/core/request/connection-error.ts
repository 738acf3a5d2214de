import { isObject } from "../../../wire/json.ts";
import type { Redactor } from "../../../wire/redaction.ts";
import { ConnectionError } from "../errors/errors.ts";

/** Converts an error of a transport to a `ConnectionError` without data of the request. */
export function connectionError(label: string, error: unknown, redactor: Redactor): ConnectionError {
  const cause = copyOf(error, redactor, 0);
  return new ConnectionError(`${label}: no complete response: ${innermost(cause)}`, { cause });
}

/**
 * Copies an error and its causes, because the platform's own error may hold the request with its headers. The `fetch` of
 * the caller may reject with any value, also one that throws when it is read.
 */
function copyOf(error: unknown, redactor: Redactor, depth: number): Error {
  try {
    return copyProperties(error, redactor, depth);
  } catch {
    return new Error("unknown error");
  }
}

function copyProperties(error: unknown, redactor: Redactor, depth: number): Error {
  const { name, message, code, cause, errors } = isObject(error) ? error : {};
  const first: unknown = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  const inner = first !== undefined && depth < 4 ? { cause: copyOf(first, redactor, depth + 1) } : undefined;
  const text = typeof message === "string" && message !== "" ? message : String(code ?? error);
  const copy = new Error(redactor.redact(text), inner);
  copy.name = typeof name === "string" ? redactor.redact(name) : "Error";
  return typeof code === "string" ? Object.assign(copy, { code: redactor.redact(code) }) : copy;
}

/** The innermost message: `connect ECONNREFUSED 127.0.0.1:9` says more than `fetch failed`. */
function innermost(error: Error): string {
  return error.cause instanceof Error ? innermost(error.cause) : error.message;
}
