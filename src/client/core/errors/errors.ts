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

  /** Whether the service may have processed a write although it failed. */
  get mayHaveBeenProcessed(): boolean {
    return this.message.includes("the service may have processed the request");
  }

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
    // only the classes of this package have the property
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
export function listIssues(issues: readonly Issue[], whole: string): string {
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
