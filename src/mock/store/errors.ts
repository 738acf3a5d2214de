import type { StoreErrorCode } from "../../../generated/store.ts";
import { type ErrorParts, Refusal } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";

const CODES: Readonly<Record<number, StoreErrorCode>> = {
  400: "validation_failed",
  401: "unauthorized",
  404: "not_found",
  413: "validation_failed",
};

const MESSAGES: Readonly<Record<number, string>> = {
  400: "The request is invalid",
  401: "The token is missing or invalid",
  404: "No resource has this ID",
};

/** Returns the body of an error. A forced 503 is an outage: `not_configured` would mean that there is no token. */
export function errorBody(status: number, parts: ErrorParts, is: Is): object {
  const { code = CODES[status], message = MESSAGES[status] ?? "The request failed", issues = [] } = parts;
  // gap errors.issue-codes
  const listed = issues.map(({ path, message: text, code: issueCode = "custom" }) =>
    is("errors.issue-codes", "given") ? { path, message: text, code: issueCode } : { path, message: text },
  );
  return {
    error: { ...(code && { code }), message, ...(status === 400 && issues.length > 0 && { issues: listed }) },
  };
}

/** Throws a 404 for an unknown resource. */
export function refuseUnknown(what: "store" | "protocol" | "exposition"): never {
  throw new Refusal(404, { message: `No ${what} has this ${what === "store" ? "external ID" : "ID"}` });
}
