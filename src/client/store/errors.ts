import type { StoreErrorCode } from "../../../generated/store.ts";
import { ApiError, type ApiErrorDetails, type Issue, listIssues } from "../errors.ts";
import { isObject, objectOf } from "../../wire/json.ts";
import type { ErrorFacts } from "../core.ts";
import { isForeign, readErrorBody } from "../read.ts";
import type { Received } from "../response.ts";

/** One issue of a request, as the store API returns it. Contract: store 7. */
export interface StoreApiIssue extends Issue {
  /** The values are not shown (gap errors.issue-codes). */
  code?: string;
}

/** What to do about a code that its message may not say. Contract: store 5. */
const notConfigured = "; the operator of the service must set its API token: a retry does not help";

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
    const error = objectOf(objectOf(details.body)["error"]);
    const code = typeof error["code"] === "string" ? error["code"] : undefined;
    const issues = Array.isArray(error["issues"]) ? error["issues"].filter(isIssue) : [];
    super(describe(code, error["message"], issues), details);
    this.code = code;
    this.issues = issues;
  }
}

/** Describes a response with the status of an error. */
export function describeError(received: Received): ErrorFacts {
  const { error } = objectOf(readErrorBody(received));
  // a service without an API token responds in the same way to every retry. Contract: store 5
  const isPermanent = received.status === 503 && objectOf(error)["code"] === "not_configured";
  return { isPermanent, isForeign: isForeign(received, isObject(error)) };
}

function isIssue(value: unknown): value is StoreApiIssue {
  return isObject(value) && typeof value.path === "string" && typeof value.message === "string";
}

function describe(code: string | undefined, message: unknown, issues: readonly StoreApiIssue[]): string {
  const text = typeof message === "string" && message !== "" ? message : "without a message";
  const listed = issues.length > 0 ? ` (${listIssues(issues.slice(0, 5), "")})` : "";
  const advice = code === "not_configured" ? notConfigured : "";
  return `${code ?? "(no code)"}: ${text}${listed}`.slice(0, maxMessageLength) + advice;
}
