import { storeErrorCodes } from "../../../generated/store.enums.ts";
import type { StoreErrorCode } from "../../../generated/store.ts";
import { type Issue, Refusal, type Reply } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";

const MESSAGES: Record<StoreErrorCode, string> = {
  not_configured: "The service has no API token configured",
  unauthorized: "The token is missing or invalid",
  validation_failed: "The request is invalid",
  not_found: "No resource has this ID",
};

const STATUSES: Record<StoreErrorCode, number> = {
  not_configured: 503,
  unauthorized: 401,
  validation_failed: 400,
  not_found: 404,
};

/** Returns an error of the contract. */
export function storeError(code: StoreErrorCode, is: Is, message = MESSAGES[code]): Reply {
  return { status: STATUSES[code], body: errorBody(code, is, message) };
}

/** Returns a body; without a code for an error that the contract does not describe. */
export function errorBody(
  code: StoreErrorCode | undefined,
  is: Is,
  message: string,
  issues?: readonly Issue[],
): { error: object } {
  const hasCodes = is("errors.issue-codes", "given");
  return {
    error: {
      ...(code !== undefined && is("errors.code-presence", "present") && { code }),
      message,
      ...(issues && {
        issues: issues.map(({ path, message: text, code: issueCode = "custom" }) =>
          hasCodes ? { path, message: text, code: issueCode } : { path, message: text },
        ),
      }),
    },
  };
}

/** Returns 400 with the issues. */
export function invalid(issues: readonly Issue[], is: Is): Reply {
  return { status: 400, body: errorBody("validation_failed", is, MESSAGES.validation_failed, issues) };
}

/** Throws a 400 with an issue that is found while the operation runs. */
export function refuse(path: string, message: string, is: Is, code?: string): never {
  const issues = [{ path, message, ...(code !== undefined && { code }) }];
  throw new Refusal(invalid(issues, is), issues);
}

/** Throws a 404 for an unknown resource. */
export function refuseUnknown(
  what: "store" | "protocol" | "exposition" | "region" | "protocol schedule",
  is: Is,
): never {
  const id = what === "store" ? "external ID" : "ID";
  throw new Refusal(storeError("not_found", is, `No ${what} has this ${id}`));
}

/** Returns the documented body of a status. A forced 503 is an outage: `not_configured` would mean that there is no token. */
export function documentedBody(status: number, is: Is): object {
  const code =
    status === STATUSES.not_configured
      ? undefined
      : storeErrorCodes.find((known) => STATUSES[known] === status);
  return errorBody(code, is, code === undefined ? "The request failed" : MESSAGES[code]);
}
