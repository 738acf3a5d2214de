import type { StoreErrorCode } from "../../../generated/store.ts";
import { ApiError, type ApiErrorDetails, type Issue } from "../errors.ts";
import { isObject } from "../../wire/json.ts";

/** One issue of a request, as the store API returns it. Contract: store 7. */
export interface StoreApiIssue extends Issue {
  /** The values are not shown (gap errors.issue-codes). */
  code?: string;
}

const advice: Record<StoreErrorCode, string> = {
  not_configured:
    "the service has no API token configured: its operator must set one, and a retry does not help",
  unauthorized: "the token is missing or wrong",
  validation_failed: "see .issues",
  not_found: "the store, protocol or exposition does not exist",
};

/** The largest length of the server's text in a message; `body` holds all of it. */
const maxMessageLength = 2000;

/** An error response of the store API, with any body. Contract: store 7. */
export class StoreApiError extends ApiError {
  override readonly name = "StoreApiError";
  /** The API's own code; undefined if the body has no code (gap errors.code-presence). */
  readonly code: StoreErrorCode | (string & {}) | undefined;
  /** The issues of the request; empty if the body has no issues. */
  readonly issues: readonly StoreApiIssue[];

  constructor(details: ApiErrorDetails) {
    const error = isObject(details.body) && isObject(details.body.error) ? details.body.error : {};
    const code = typeof error.code === "string" ? error.code : undefined;
    const issues = Array.isArray(error.issues) ? error.issues.filter(isIssue) : [];
    super(describe(code, error.message, issues), details);
    this.code = code;
    this.issues = issues;
  }
}

function isIssue(value: unknown): value is StoreApiIssue {
  return isObject(value) && typeof value.path === "string" && typeof value.message === "string";
}

function describe(code: string | undefined, message: unknown, issues: readonly StoreApiIssue[]): string {
  const texts: Readonly<Record<string, string>> = advice;
  const known = code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined;
  const serverMessage =
    typeof message === "string" && message !== ""
      ? message
      : (known ?? "without a body that the contract describes");
  const listed = issues.slice(0, 5).map((issue) => `${issue.path}: ${issue.message}`);
  const detail = listed.length > 0 ? ` (${listed.join("; ")})` : "";
  const extra = code === "not_configured" && serverMessage !== known ? `; ${known}` : "";
  return `${code ?? "(no code)"}: ${serverMessage}${detail}`.slice(0, maxMessageLength) + extra;
}
