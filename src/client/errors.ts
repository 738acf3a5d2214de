import { escapeLine } from "../wire/message.ts";

/** One thing wrong with a request or a response. */
export interface Issue {
  /** The path, dotted: `limit`, `contacts.0.name`; empty for the whole value. */
  path: string;
  message: string;
}

/** The base class of every error that this package throws. */
export class ShelfleetError extends Error {
  override readonly name: string = "ShelfleetError";
  /**
   * Whether the same call can be made again as it is: it may succeed later, and a second request has the same effect as one.
   */
  readonly retryable: boolean = false;

  /** The message may quote a service, and a terminal must not take it for commands or for further lines. */
  constructor(message: string, options?: ErrorOptions) {
    super(escapeLine(message), options);
  }

  /** The value that `JSON.stringify` writes: the name, the message and every property except the body of a response. */
  toJSON(): Record<string, unknown> {
    const { body: _, ...properties } = this as { body?: unknown };
    return { name: this.name, message: this.message, ...properties };
  }
}

/** A wrong option, token, key, URL or environment variable. Never quotes a secret. */
export class ConfigurationError extends ShelfleetError {
  override readonly name = "ConfigurationError";
}

/** The largest number of issues in a message; `issues` holds all of them. */
const maxIssues = 20;

/** Returns the issues for a message. An issue without a path is about the `whole`. */
export function listIssues(issues: readonly Issue[], whole: string): string {
  const words = issues
    .slice(0, maxIssues)
    .map(({ path, message }) => (path || whole ? `${path || whole}: ${message}` : message));
  const more = issues.length > maxIssues ? ` (and ${issues.length - maxIssues} more)` : "";
  return words.join("; ") + more;
}

/** The request violates the contract. Nothing was sent. */
export class InvalidRequestError extends ShelfleetError {
  override readonly name = "InvalidRequestError";
  /** The issues, with paths in the server's notation: `limit`, `contacts.0.name`. */
  readonly issues: readonly Issue[];

  constructor(label: string, issues: readonly Issue[]) {
    super(`${label}: not sent: ${listIssues(issues, "the body")}`);
    this.issues = issues;
  }
}

/** What every error of a request that was sent tells about it. */
export interface CallDetails {
  method: string;
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  route: string;
  /** The number of requests that were sent, including the last one. */
  attempts: number;
  /** Whether the same call can be made again (default: false). */
  retryable?: boolean | undefined;
  /** Whether a write may have been processed although the call failed (default: false). */
  mayHaveBeenProcessed?: boolean | undefined;
}

/** What to do after a write that the service may have processed: `retryable` decides. */
const lostWrite = "the service may have processed the request: read the resource before you send it again";
const repeatableWrite = "the service may have processed the request: the same call can be made again";

/** The base class of the errors of a request. */
export class CallError extends ShelfleetError {
  readonly method: string;
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  readonly route: string;
  /** The number of requests that were sent, including the last one. */
  readonly attempts: number;
  override readonly retryable: boolean;
  /** Whether a write may have been processed although the call failed. Unless it is `retryable`, read the resource first. */
  readonly mayHaveBeenProcessed: boolean;

  /** @param summary the sentence after `GET /v1/stores: ` */
  constructor(summary: string, details: CallDetails, options?: ErrorOptions) {
    const { method, route, attempts, retryable = false, mayHaveBeenProcessed = false } = details;
    const words = retryable ? repeatableWrite : lostWrite;
    const advice = mayHaveBeenProcessed ? ` (${words})` : "";
    const tries = attempts > 1 ? ` (after ${attempts} attempts)` : "";
    super(`${method} ${route}: ${summary}${tries}${advice}`, options);
    this.method = method;
    this.route = route;
    this.attempts = attempts;
    this.retryable = retryable;
    this.mayHaveBeenProcessed = mayHaveBeenProcessed;
  }
}

/**
 * No complete response arrived: the connection was refused or reset, the host was not found, or the body was cut off.
 */
export class ConnectionError extends CallError {
  override readonly name = "ConnectionError";
}

/** A time limit passed before the response and its body were complete. */
export class TimeoutError extends CallError {
  override readonly name = "TimeoutError";
  /** `attempt`: the `timeout` of one request; `total`: the `totalTimeout` of a request with its retries. */
  readonly kind: "attempt" | "total";
  /** The time limit in ms. */
  readonly after: number;

  constructor(kind: "attempt" | "total", after: number, summary: string, details: CallDetails) {
    super(summary, details);
    this.kind = kind;
    this.after = after;
  }
}

/** The response that an error is about. */
export interface ResponseDetails extends CallDetails {
  status: number;
  url: string;
  /** The headers without secrets and cookies. */
  headers: Headers;
}

/** The base class of errors about a response. */
export class ResponseError extends CallError {
  readonly status: number;
  readonly url: string;
  declare readonly headers: Headers;
  /** The request ID from a header of the response, such as `x-request-id`; undefined without such a header. */
  readonly requestId: string | undefined;

  constructor(summary: string, details: ResponseDetails) {
    super(`${details.status} ${summary}`, details);
    this.status = details.status;
    this.url = details.url;
    this.requestId = requestIdOf(details.headers);
    // `JSON.stringify` and logs show the properties above; headers are an object there
    Object.defineProperty(this, "headers", { value: details.headers, enumerable: false });
  }
}

/** Returns the request ID from the response headers, under the names in common use. */
export function requestIdOf(
  headers: Pick<Headers, "get">,
  redact: (text: string) => string = String,
): string | undefined {
  for (const name of ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]) {
    const id = headers.get(name);
    if (id !== null && id !== "") return redact(id);
  }
  return undefined;
}

/** The response with an error status, and its body of any type. */
export interface ApiErrorDetails extends ResponseDetails {
  body: unknown;
  /** An additional sentence for the message. */
  hint?: string | undefined;
}

/** The server responded with an error status. */
export class ApiError extends ResponseError {
  override readonly name: string = "ApiError";
  /** The response's JSON if it is at most 1 MiB long; otherwise its text, at most 64 KiB. */
  readonly body: unknown;

  constructor(summary: string, details: ApiErrorDetails) {
    super(summary + (details.hint === undefined ? "" : ` (${details.hint})`), details);
    this.body = details.body;
  }
}

/**
 * The response violates the contract: HTML from a proxy, truncated JSON, a missing envelope, a body over
 * `maxResponseBytes`, a redirect.
 */
export class UnexpectedResponseError extends ResponseError {
  override readonly name = "UnexpectedResponseError";
  /** The beginning of the body. */
  readonly body: string;
  /** The target of a redirect. */
  readonly location: string | undefined;
  readonly issues: readonly Issue[];

  constructor(
    summary: string,
    details: ResponseDetails & Pick<UnexpectedResponseError, "body" | "location" | "issues">,
  ) {
    super(summary, details);
    this.body = details.body;
    this.location = details.location;
    this.issues = details.issues;
  }
}

/** A list cannot be continued without losing or repeating an item. */
export class PaginationError extends ShelfleetError {
  override readonly name = "PaginationError";
  /** The reason, in one sentence. */
  readonly reason: string;
  /** The cursor of the page that was delivered last, for a report. A walk that continues there may lose items. */
  readonly lastCursor: string | undefined;
  /** The number of the page that was delivered last, for a report. A walk that continues there may lose items. */
  readonly lastPage: number | undefined;

  constructor(
    label: string,
    reason: string,
    last: { cursor?: string | undefined; page?: number | undefined } = {},
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
