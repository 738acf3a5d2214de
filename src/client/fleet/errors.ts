import type { Scope } from "../../../generated/fleet.ts";
import { ApiError, type ApiErrorDetails } from "../errors.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";

/** The codes that the contract shows. It does not show those of 400 and 500. Contract: fleet 7. */
export type FleetErrorCode = "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND";

/** One error of a response, as far as it could be parsed. Contract: fleet 7. */
export interface FleetApiErrorItem {
  code: FleetErrorCode | (string & {}) | undefined;
  message: string | undefined;
  details: JsonObject | undefined;
}

const advice: Readonly<Record<number, string>> = {
  401: "the key is missing, malformed, expired or revoked",
  404: "the resource does not exist",
};

/** The largest length of the server's text in a message; `body` holds all of it. */
const maxMessageLength = 2000;

/** An error response of the fleet API, with any body. Contract: fleet 7. */
export class FleetApiError extends ApiError {
  override readonly name: string = "FleetApiError";
  /** The code of the first error; undefined if the body has no code (gap errors.undocumented-bodies). */
  readonly code: FleetApiErrorItem["code"];
  /** The parsed errors of the body; empty if it does not have the API's form. */
  readonly errors: readonly FleetApiErrorItem[];

  constructor(details: ApiErrorDetails) {
    const errors = readItems(details.body);
    super(describe(details.status, errors), details);
    this.errors = errors;
    this.code = errors[0]?.code;
  }
}

/** The scopes in a 403, and the contract's statement about them. */
export interface Refusal {
  /** The scopes that the server requires; empty if it did not name them (gap errors.forbidden-details). */
  readonly required: readonly (Scope | (string & {}))[];
  /** The scopes of the key, as the server lists them; empty if it did not. */
  readonly available: readonly (Scope | (string & {}))[];
  /** The required scopes that the key does not have. */
  readonly missing: readonly (Scope | (string & {}))[];
  /**
   * The missing scopes one of which suffices, or may suffice if the contract's table and text disagree; otherwise
   * empty.
   */
  readonly anyOf: readonly (Scope | (string & {}))[];
  /** The rejected request, the contract's statement about it, and the scopes to request from an administrator. */
  readonly explanation: string;
}

/** The key lacks a scope: a 403. Contract: fleet 5, Scopes, and 7. */
export class ScopeError extends FleetApiError implements Refusal {
  override readonly name = "ScopeError";
  readonly required: Refusal["required"];
  readonly available: Refusal["available"];
  readonly missing: Refusal["missing"];
  readonly anyOf: Refusal["anyOf"];
  readonly explanation: string;

  constructor(details: ApiErrorDetails, refusal: Refusal) {
    super(details);
    this.required = refusal.required;
    this.available = refusal.available;
    this.missing = refusal.missing;
    this.anyOf = refusal.anyOf;
    this.explanation = refusal.explanation;
  }
}

/** Returns the envelope's errors, or errors of another form: `{ error }`, `{ code, message }`, a plain string. */
function readItems(body: unknown): FleetApiErrorItem[] {
  if (!isObject(body)) return [];
  const listed = Array.isArray(body.errors) ? body.errors : [body.error ?? body];
  return listed.map(readItem).filter(({ code, message }) => code !== undefined || message !== undefined);
}

function readItem(item: unknown): FleetApiErrorItem {
  const { code, message, details } = isObject(item) ? item : ({ message: item } satisfies JsonObject);
  return {
    code: stringOf(code),
    message: stringOf(message),
    details: isObject(details) ? details : undefined,
  };
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function describe(status: number, errors: readonly FleetApiErrorItem[]): string {
  const fallback = advice[status] ?? "without a body that the contract describes";
  if (errors.length === 0) return `(no code): ${fallback}`;
  return errors
    .slice(0, 5)
    .map(({ code, message }) => `${code ?? "(no code)"}: ${message ?? fallback}`)
    .join("; ")
    .slice(0, maxMessageLength);
}
