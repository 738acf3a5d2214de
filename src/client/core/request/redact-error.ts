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
