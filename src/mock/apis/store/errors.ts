import type { StoreErrorCode } from "../../../../generated/store.ts";
import { storeErrorCodes } from "../../../../generated/store.enums.ts";
import type { ApiResponse, Issue } from "../../http/api-response.ts";
import type { ErrorResponses } from "../../server/api.ts";
import type { MockReadings } from "../../server/readings.ts";

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

interface Details {
  readonly message?: string;
  readonly issues?: readonly Issue[];
}

export function storeError(code: StoreErrorCode, readings: MockReadings, details: Details = {}): ApiResponse {
  return { status: STATUSES[code], body: errorBody(code, readings, details) };
}

/** A resource that a path or body names. */
type Named = "store" | "protocol" | "exposition" | "region" | "protocol schedule";

/** Returns 404 for an unknown resource. */
export function notFound(what: Named, readings: MockReadings): ApiResponse {
  const id = what === "store" ? "external ID" : "ID";
  return storeError("not_found", readings, { message: `No ${what} has this ${id}` });
}

/** Returns 400 with the issues, which the journal also records. */
export function invalid(issues: readonly Issue[], readings: MockReadings): ApiResponse {
  return { ...storeError("validation_failed", readings, { issues }), violations: issues };
}

/** Returns 400 for a cursor that no page of a list has returned. */
export function invalidCursor(readings: MockReadings): ApiResponse {
  return invalid([{ path: "cursor", message: "is not a cursor of this list" }], readings);
}

function errorBody(code: StoreErrorCode | undefined, readings: MockReadings, { message, issues }: Details) {
  const error: Record<string, unknown> = {};
  // gap errors.code-presence
  if (code !== undefined && readings["errors.code-presence"] === "present") error.code = code;
  error.message = message ?? (code === undefined ? "The request failed" : MESSAGES[code]);
  if (issues !== undefined) error.issues = issues.map((issue) => issueBody(issue, readings));
  return { error };
}

function issueBody({ path, message, code }: Issue, readings: MockReadings): Issue {
  // gap errors.issue-codes
  return readings["errors.issue-codes"] === "given"
    ? { path, message, code: code ?? "custom" }
    : { path, message };
}

/** The error bodies of the store API. */
export const storeErrors: ErrorResponses = {
  invalid,
  unknownPath: (readings) =>
    storeError("not_found", readings, {
      message: "No operation of the store API has this path: its paths begin with /v1/",
    }),
  // gap errors.other-statuses: the contract has no 405
  method: (readings) =>
    storeError("not_found", readings, { message: "The path does not support this method" }),
  tooLarge: (readings) => ({
    ...storeError("validation_failed", readings, { message: "The body is too large" }),
    status: 413,
  }),
  tooManyRequests: (readings) => ({
    status: 429,
    body: errorBody(undefined, readings, { message: "Too many requests" }),
  }),
  serverError: (message, readings) => ({ status: 500, body: errorBody(undefined, readings, { message }) }),
  documentedBody: (status, readings) => errorBody(forcedCode(status), readings, {}),
};

/** A forced 503 is an outage, so it has no code: `not_configured` would mean that the server has no token. */
function forcedCode(status: number): StoreErrorCode | undefined {
  if (status === STATUSES.not_configured) return undefined;
  return storeErrorCodes.find((code) => STATUSES[code] === status);
}
