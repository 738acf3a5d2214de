// The errors about responses, and about what lists and changes find in them. Loaded when one is needed.
import { escapeLine } from "../../../wire/foreign-text.ts";
import { requestIdOf } from "./request-id.ts";
import { errorKind, listIssues, ShelfleetError } from "./errors.ts";
import type { Issue } from "./issue.ts";

/** The response that an error is about. */
export interface ResponseDetails {
  status: number;
  method: string;
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  route: string;
  url: string;
  headers: Headers;
  /** The number of requests that were sent, including the last one. */
  attempts: number;
}

/** The response with an error status, and its body of any type. */
export interface ApiErrorDetails extends ResponseDetails {
  body: unknown;
  /** An additional sentence for the message. */
  hint?: string | undefined;
  /** Whether the same call can be made again (default: false). */
  retryable?: boolean | undefined;
}

/** The base class of errors about a response. */
export class ResponseError extends ShelfleetError {
  static override readonly [errorKind]: string = "ResponseError";
  declare readonly status: number;
  declare readonly method: string;
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  declare readonly route: string;
  declare readonly url: string;
  declare readonly headers: Headers;
  /** The request ID from a header of the response, such as `x-request-id`; undefined without such a header. */
  declare readonly requestId: string | undefined;
  /** The number of requests that were sent, including the last one. */
  declare readonly attempts: number;

  constructor(message: string, { status, method, route, url, headers, attempts }: ResponseDetails) {
    super(message);
    const requestId = requestIdOf(headers);
    Object.assign(this, { status, method, route, url, headers, requestId, attempts });
  }
}

/** The server responded with an error status. */
export class ApiError extends ResponseError {
  static override readonly [errorKind]: string = "ApiError";
  override readonly name: string = "ApiError";
  override readonly retryable: boolean;
  /** The response's JSON if it is at most 1 MiB long; otherwise its text, at most 64 KiB. */
  readonly body: unknown;

  constructor(summary: string, details: ApiErrorDetails) {
    const hint = details.hint === undefined ? "" : ` (${details.hint})`;
    super(`${details.method} ${details.route}: ${details.status} ${summary}${hint}`, details);
    this.body = details.body;
    this.retryable = details.retryable === true;
  }
}

/** The beginning of a response body and its issues. */
export interface UnexpectedResponseDetails extends ResponseDetails {
  body: string;
  location?: string | undefined;
  issues?: readonly Issue[];
}

/**
 * The response violates the contract: HTML from a proxy, truncated JSON, a missing envelope, a body over
 * `maxResponseBytes`, a redirect of a write.
 */
export class UnexpectedResponseError extends ResponseError {
  static override readonly [errorKind]: string = "UnexpectedResponseError";
  override readonly name = "UnexpectedResponseError";
  /** The beginning of the body. */
  readonly body: string;
  /** The target of a redirect. */
  readonly location: string | undefined;
  readonly issues: readonly Issue[];

  constructor(message: string, details: UnexpectedResponseDetails) {
    super(message, details);
    this.body = details.body;
    this.location = details.location;
    this.issues = details.issues ?? [];
  }
}

/** A list cannot be continued without losing or repeating an item. */
export class PaginationError extends ShelfleetError {
  static override readonly [errorKind]: string = "PaginationError";
  override readonly name = "PaginationError";
  /** The reason, in one sentence. */
  readonly reason: string;
  /** The cursor of the last delivered page; start again from it. Undefined: start from the beginning. */
  readonly lastCursor: string | undefined;
  /** The number of the last delivered page; start again from it. */
  readonly lastPage: number | undefined;

  constructor(
    label: string,
    reason: string,
    last: { cursor?: string | undefined; page?: number | undefined },
  ) {
    super(`${label}: ${reason}`);
    this.reason = escapeLine(reason);
    this.lastCursor = last.cursor;
    this.lastPage = last.page;
  }
}

/**
 * The reason of a `WriteError`. Nothing was sent for the first four.
 *
 * - `malformed`: what the service returned is not a whole entity, so that sending it back would lose something.
 * - `other-entity`: the service returned another entity than the requested one.
 * - `conflict`: another program changed or created the entity after it was read.
 * - `ambiguous`: several entities fit.
 * - `differs`: the request was sent, and afterwards the service has other values.
 */
export type WriteErrorReason = "malformed" | "other-entity" | "conflict" | "ambiguous" | "differs";

/**
 * A change that reads before it writes was refused because of what the service returned, or had another effect than
 * the one that was asked for. Names properties, and never quotes values of the service.
 */
export class WriteError extends ShelfleetError {
  static override readonly [errorKind]: string = "WriteError";
  override readonly name = "WriteError";
  readonly reason: WriteErrorReason;
  /** The properties concerned, such as `name` or `contacts.0.phone`. */
  readonly issues: readonly Issue[];

  constructor(label: string, reason: WriteErrorReason, summary: string, issues: readonly Issue[]) {
    super(`${label}: ${summary}${issues.length > 0 ? `: ${listIssues(issues, "")}` : ""}`);
    this.reason = reason;
    this.issues = issues;
  }
}
