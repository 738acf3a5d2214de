import { escapeLine } from "../../../wire/foreign-text.ts";
import { isObject } from "../../../wire/json.ts";
import type { Issue } from "./issue.ts";

/**
 * Marks the error classes, so that `instanceof` also holds for errors of another copy of the package. A class without
 * its own mark, such as a subclass of a user, is compared by identity.
 */
export const errorKind: unique symbol = Symbol.for("shelfleet.error");

/** The base class of every error that this package throws. */
export class ShelfleetError extends Error {
  static readonly [errorKind]: string = "ShelfleetError";
  override readonly name: string = "ShelfleetError";
  /**
   * Whether the same call may succeed later and can be made again without a second effect: after a lost connection, a
   * timeout or a failure of the service, but not after a write that may have been processed.
   */
  declare readonly retryable: boolean;

  /** The message may quote a service, and a terminal must not take it for commands or for further lines. */
  constructor(message?: string, options?: ErrorOptions) {
    super(message === undefined ? undefined : escapeLine(message), options);
  }

  /** Also holds for errors of another copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
    return Object.hasOwn(this, errorKind) && isObject(value) && isOfKind(value.constructor, this[errorKind]);
  }

  /** The value that `JSON.stringify` writes: the name, the message and every property except the body of a response. */
  toJSON(): Record<string, unknown> {
    const properties = Object.entries(this).filter(([property]) => property !== "body");
    return { name: this.name, message: this.message, ...Object.fromEntries(properties) };
  }
}

// on the prototype, so that errors that are never retryable are printed without it
Object.defineProperty(ShelfleetError.prototype, "retryable", { value: false, writable: true });

function isOfKind(type: unknown, name: string): boolean {
  for (let current: unknown = type; typeof current === "function"; current = Object.getPrototypeOf(current)) {
    if (Object.hasOwn(current, errorKind) && (current as typeof ShelfleetError)[errorKind] === name)
      return true;
  }
  return false;
}

/** A wrong option, token, key, URL or environment variable. Never quotes a secret. */
export class ConfigurationError extends ShelfleetError {
  static override readonly [errorKind]: string = "ConfigurationError";
  override readonly name = "ConfigurationError";
}

/** The largest number of issues in a message; `issues` holds all of them. */
const maxIssues = 20;

/** Returns the issues for a message. An issue without a path is about the `whole`. */
function listIssues(issues: readonly Issue[], whole: string): string {
  const words = issues
    .slice(0, maxIssues)
    .map(({ path, message }) => (path || whole ? `${path || whole}: ${message}` : message));
  const more = issues.length > maxIssues ? ` (and ${issues.length - maxIssues} more)` : "";
  return words.join("; ") + more;
}

/** The request violates the contract. Nothing was sent. */
export class InvalidRequestError extends ShelfleetError {
  static override readonly [errorKind]: string = "InvalidRequestError";
  override readonly name = "InvalidRequestError";
  /** The issues, with paths in the server's notation: `limit`, `contacts.0.name`. */
  readonly issues: readonly Issue[];

  constructor(label: string, issues: readonly Issue[]) {
    super(`${label}: not sent: ${listIssues(issues, "the body")}`);
    this.issues = issues;
  }
}

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
  /** The request ID from the response headers (`x-request-id` and similar); undefined if there is none. */
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

/** Returns the request ID from the response headers, under the names in common use. */
export function requestIdOf(headers: Headers): string | undefined {
  for (const name of ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]) {
    const id = headers.get(name);
    if (id !== null && id !== "") return id;
  }
  return undefined;
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

/**
 * No complete response arrived: the connection was refused or reset, the host was not found, or the body was cut off.
 */
export class ConnectionError extends ShelfleetError {
  static override readonly [errorKind]: string = "ConnectionError";
  override readonly name = "ConnectionError";
  override retryable = false;
  method = "";
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  route = "";
  /** The number of requests that were sent. */
  attempts = 1;
}

/** A deadline passed before the response and its body were complete. */
export class TimeoutError extends ShelfleetError {
  static override readonly [errorKind]: string = "TimeoutError";
  override readonly name = "TimeoutError";
  override retryable = false;
  /** `attempt`: the `timeout` of one request; `total`: the `totalTimeout` of a request with its retries. */
  readonly kind: "attempt" | "total";
  /** The deadline in ms. */
  readonly after: number;
  method = "";
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  route = "";
  /** The number of requests that were sent. */
  attempts = 1;

  constructor(label: string, kind: "attempt" | "total", after: number) {
    super(
      `${label}: no complete response within ${after} ms (${kind === "total" ? "totalTimeout" : "timeout"})`,
    );
    this.kind = kind;
    this.after = after;
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
