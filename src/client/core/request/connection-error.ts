import type { Redactor } from "../../../wire/redaction.ts";
import { ConnectionError } from "../errors/errors.ts";
import { copyError } from "./redact-error.ts";

/** Converts an error of a transport to a `ConnectionError` without data of the request. */
export function connectionError(label: string, error: unknown, redactor: Redactor): ConnectionError {
  const cause = copyError(error, redactor);
  return new ConnectionError(`${label}: no complete response: ${innermost(cause)}`, { cause });
}

/** The innermost message: `connect ECONNREFUSED 127.0.0.1:9` says more than `fetch failed`. */
function innermost(error: Error): string {
  return error.cause instanceof Error ? innermost(error.cause) : error.message;
}

const unreachable: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** Whether there was no connection over which the request could have been sent. */
export function isUnreachable({ code, cause }: Error & { code?: unknown }): boolean {
  return unreachable.has(code) || (cause instanceof Error && isUnreachable(cause));
}
