import type { Issue } from "./issue.ts";

/** Everything that this package throws on its own account is one of these. */
export class ShelfleetError extends Error {
  override readonly name: string = "ShelfleetError";
}

/** A wrong option, token, key, address or environment. Never quotes a secret. */
export class ConfigurationError extends ShelfleetError {
  override readonly name = "ConfigurationError";
}

/** A message is read by people; the rest stands in `issues`. */
const mostIssues = 20;

/** The request breaks the contract; nothing was sent. */
export class InvalidRequestError extends ShelfleetError {
  override readonly name = "InvalidRequestError";
  /** What is wrong, with paths as the server writes them: `limit`, `contacts.0.name`. */
  readonly issues: readonly Issue[];

  constructor(doing: string, issues: readonly Issue[]) {
    const words = issues.slice(0, mostIssues).map(({ path, message }) => `${path}: ${message}`);
    const more = issues.length > mostIssues ? ` (and ${issues.length - mostIssues} more)` : "";
    super(`${doing}: not sent: ${words.join("; ")}${more}`);
    this.issues = issues;
  }
}

/** What an answer with an error status carried, whatever its body was. */
export interface ApiErrorDetails {
  status: number;
  method: string;
  /** The path as the contract writes it, e.g. `/v1/stores/{externalId}`. */
  route: string;
  url: string;
  headers: Headers;
  body: unknown;
  attempts: number;
  /** One more sentence for the message. */
  hint?: string | undefined;
}

/** The server answered with an error status. */
export class ApiError extends ShelfleetError {
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly method: string;
  /** The path as the contract writes it, e.g. `/v1/stores/{externalId}`. */
  readonly route: string;
  readonly url: string;
  readonly headers: Headers;
  /** The answer's JSON, or else its text, at most 64 KiB of it. */
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
    this.body = details.body;
    this.attempts = details.attempts;
  }
}

/** The answer is not what the contract says: a proxy's HTML, JSON cut short, a missing envelope, a redirect of a write. */
export class UnexpectedResponseError extends ShelfleetError {
  override readonly name = "UnexpectedResponseError";
  readonly status: number;
  /** The beginning of what was answered. */
  readonly body: string;
  /** Where a redirect pointed to. */
  readonly location: string | undefined;
  readonly issues: readonly Issue[];

  constructor(
    message: string,
    details: { status: number; body: string; location?: string | undefined; issues?: readonly Issue[] },
  ) {
    super(message);
    this.status = details.status;
    this.body = details.body;
    this.location = details.location;
    this.issues = details.issues ?? [];
  }
}

/** No answer came: refused, reset, not resolved, or cut off before its end. */
export class ConnectionError extends ShelfleetError {
  override readonly name = "ConnectionError";
  /** How many requests were sent. */
  attempts = 1;
}

/** A deadline passed. It covers the body of the answer too. */
export class TimeoutError extends ShelfleetError {
  override readonly name = "TimeoutError";
  /** `attempt`: the `timeout` of one request; `total`: the `totalTimeout` of a request with its retries. */
  readonly kind: "attempt" | "total";
  /** The deadline in ms. */
  readonly after: number;
  /** How many requests were sent. */
  attempts = 1;

  constructor(doing: string, kind: "attempt" | "total", after: number) {
    super(
      `${doing}: no complete answer within ${after} ms (${kind === "total" ? "totalTimeout" : "timeout"})`,
    );
    this.kind = kind;
    this.after = after;
  }
}

/** A list cannot be walked on without losing or repeating something. */
export class PaginationError extends ShelfleetError {
  override readonly name = "PaginationError";
  /** Why, in one sentence. */
  readonly reason: string;
  /** The cursor that fetched the last page delivered; begin again from there. Undefined: from the start. */
  readonly lastCursor: string | undefined;
  /** The number of the last page delivered; begin again from there. */
  readonly lastPage: number | undefined;

  constructor(
    doing: string,
    reason: string,
    last: { cursor?: string | undefined; page?: number | undefined },
  ) {
    super(`${doing}: ${reason}`);
    this.reason = reason;
    this.lastCursor = last.cursor;
    this.lastPage = last.page;
  }
}
