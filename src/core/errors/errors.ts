import { isObject } from "../../internal/json.ts";
import type { Issue } from "./issue.ts";

/**
 * Marks the classes, so that `instanceof` also holds for errors of another copy of the package. A class without a mark
 * of its own, such as one of a user, is compared as JavaScript compares.
 */
export const errorKind: unique symbol = Symbol.for("shelfleet.error");

/** The base class of every error that this package throws. */
export class ShelfleetError extends Error {
  static readonly [errorKind]: string = "ShelfleetError";
  override readonly name: string = "ShelfleetError";

  /** Also holds for errors of another copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
    return Object.hasOwn(this, errorKind) && isObject(value) && isOfKind(value.constructor, this[errorKind]);
  }

  /** What `JSON.stringify` writes: the name, the message and every member but the body of a response. */
  toJSON(): Record<string, unknown> {
    const members = Object.entries(this).filter(([member]) => member !== "body");
    return { name: this.name, message: this.message, ...Object.fromEntries(members) };
  }
}

function isOfKind(type: unknown, name: string): boolean {
  for (let at: unknown = type; typeof at === "function"; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, errorKind) && (at as typeof ShelfleetError)[errorKind] === name) return true;
  }
  return false;
}

/** A wrong option, token, key, address or environment. Never quotes a secret. */
export class ConfigurationError extends ShelfleetError {
  static override readonly [errorKind]: string = "ConfigurationError";
  override readonly name = "ConfigurationError";
}

/** A message is read by people; the rest stands in `issues`. */
const mostIssues = 20;

/** The request breaks the contract; nothing was sent. */
export class InvalidRequestError extends ShelfleetError {
  static override readonly [errorKind]: string = "InvalidRequestError";
  override readonly name = "InvalidRequestError";
  /** What is wrong, with paths as the server writes them: `limit`, `contacts.0.name`. */
  readonly issues: readonly Issue[];

  constructor(label: string, issues: readonly Issue[]) {
    const words = issues.slice(0, mostIssues).map(({ path, message }) => `${path}: ${message}`);
    const more = issues.length > mostIssues ? ` (and ${issues.length - mostIssues} more)` : "";
    super(`${label}: not sent: ${words.join("; ")}${more}`);
    this.issues = issues;
  }
}

/** What is known of the response that an error is about. */
export interface ResponseDetails {
  status: number;
  method: string;
  /** The path as the contract writes it, e.g. `/v1/stores/{externalId}`. */
  route: string;
  url: string;
  headers: Headers;
  /** How many requests were sent, the last one included. */
  attempts: number;
}

/** What a response with an error status carried, whatever its body was. */
export interface ApiErrorDetails extends ResponseDetails {
  body: unknown;
  /** One more sentence for the message. */
  hint?: string | undefined;
}

/** The server responded with an error status. */
export class ApiError extends ShelfleetError {
  static override readonly [errorKind]: string = "ApiError";
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly method: string;
  /** The path as the contract writes it, e.g. `/v1/stores/{externalId}`. */
  readonly route: string;
  readonly url: string;
  readonly headers: Headers;
  /** The ID that the server gave the request (`x-request-id` and the like); undefined where it gave none. */
  readonly requestId: string | undefined;
  /** The response's JSON, if it is at most 1 MiB long, or else its text, at most 64 KiB of it. */
  readonly body: unknown;
  /** How many requests were sent, the last one included. */
  readonly attempts: number;

  constructor(what: string, details: ApiErrorDetails) {
    const hint = details.hint === undefined ? "" : ` (${details.hint})`;
    super(`${details.method} ${details.route}: ${details.status} ${what}${hint}`);
    this.status = details.status;
    this.method = details.method;
    this.route = details.route;
    this.url = details.url;
    this.headers = details.headers;
    this.requestId = requestIdOf(details.headers);
    this.body = details.body;
    this.attempts = details.attempts;
  }
}

/** The ID that a server gave a request, under the names in common use. */
export function requestIdOf(headers: Headers): string | undefined {
  for (const name of ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]) {
    const id = headers.get(name);
    if (id !== null && id !== "") return id;
  }
  return undefined;
}

/** The beginning of a response, and what is wrong with it. */
export interface UnexpectedResponseDetails extends ResponseDetails {
  body: string;
  location?: string | undefined;
  issues?: readonly Issue[];
}

/**
 * The response is not what the contract says: HTML from a proxy, JSON cut short, a missing envelope, a body over
 * `maxResponseBytes`, a redirect of a write.
 */
export class UnexpectedResponseError extends ShelfleetError {
  static override readonly [errorKind]: string = "UnexpectedResponseError";
  override readonly name = "UnexpectedResponseError";
  readonly status: number;
  readonly method: string;
  /** The path as the contract writes it, e.g. `/v1/stores/{externalId}`. */
  readonly route: string;
  readonly url: string;
  readonly headers: Headers;
  /** The ID that the server gave the request; undefined where it gave none. */
  readonly requestId: string | undefined;
  /** How many requests were sent, the last one included. */
  readonly attempts: number;
  /** The beginning of the body. */
  readonly body: string;
  /** Where a redirect pointed to. */
  readonly location: string | undefined;
  readonly issues: readonly Issue[];

  constructor(message: string, details: UnexpectedResponseDetails) {
    super(message);
    this.status = details.status;
    this.method = details.method;
    this.route = details.route;
    this.url = details.url;
    this.headers = details.headers;
    this.requestId = requestIdOf(details.headers);
    this.attempts = details.attempts;
    this.body = details.body;
    this.location = details.location;
    this.issues = details.issues ?? [];
  }
}

/** No complete response came: the connection was refused, reset, not resolved, or cut off before the end of the body. */
export class ConnectionError extends ShelfleetError {
  static override readonly [errorKind]: string = "ConnectionError";
  override readonly name = "ConnectionError";
  method = "";
  /** The path as the contract writes it, e.g. `/v1/stores/{externalId}`. */
  route = "";
  /** How many requests were sent. */
  attempts = 1;
}

/** A deadline passed. It covers the body of the response too. */
export class TimeoutError extends ShelfleetError {
  static override readonly [errorKind]: string = "TimeoutError";
  override readonly name = "TimeoutError";
  /** `attempt`: the `timeout` of one request; `total`: the `totalTimeout` of a request with its retries. */
  readonly kind: "attempt" | "total";
  /** The deadline in ms. */
  readonly after: number;
  method = "";
  /** The path as the contract writes it, e.g. `/v1/stores/{externalId}`. */
  route = "";
  /** How many requests were sent. */
  attempts = 1;

  constructor(label: string, kind: "attempt" | "total", after: number) {
    super(
      `${label}: no complete response within ${after} ms (${kind === "total" ? "totalTimeout" : "timeout"})`,
    );
    this.kind = kind;
    this.after = after;
  }
}

/** A list cannot be walked on without losing or repeating something. */
export class PaginationError extends ShelfleetError {
  static override readonly [errorKind]: string = "PaginationError";
  override readonly name = "PaginationError";
  /** Why, in one sentence. */
  readonly reason: string;
  /** The cursor that fetched the last page delivered; begin again from there. Undefined: from the start. */
  readonly lastCursor: string | undefined;
  /** The number of the last page delivered; begin again from there. */
  readonly lastPage: number | undefined;

  constructor(
    label: string,
    reason: string,
    last: { cursor?: string | undefined; page?: number | undefined },
  ) {
    super(`${label}: ${reason}`);
    this.reason = reason;
    this.lastCursor = last.cursor;
    this.lastPage = last.page;
  }
}
