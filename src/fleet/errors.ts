import type { Scope } from "../../generated/fleet.ts";
import { ApiError, type ApiErrorDetails, errorKind } from "../core/errors/errors.ts";
import { isObject, type JsonObject } from "../internal/json.ts";

/** The codes that the contract shows; those of 400 and 500 it does not. Contract: fleet 7. */
export type FleetErrorCode = "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND";

/** One error of an answer, as far as it could be read. Contract: fleet 7. */
export interface FleetApiErrorItem {
  code: FleetErrorCode | (string & {}) | undefined;
  message: string | undefined;
  details: JsonObject | undefined;
}

const advice: Readonly<Record<number, string>> = {
  401: "the key is missing, of the wrong form, expired or revoked",
  404: "no such resource",
};

/** A message is read by people; what is longer stands in `body`. */
const longestMessage = 2000;

/** An error that the fleet API answered, whatever its body was. Contract: fleet 7. */
export class FleetApiError extends ApiError {
  static override readonly [errorKind]: string = "FleetApiError";
  override readonly name: string = "FleetApiError";
  /** The code of the first error; undefined where the body had none (gap errors.unshown-bodies). */
  readonly code: FleetApiErrorItem["code"];
  /** What could be read of the body; empty where it is not of the API's form. */
  readonly errors: readonly FleetApiErrorItem[];

  constructor(details: ApiErrorDetails) {
    const errors = readItems(details.body);
    super(describe(details.status, errors), details);
    this.errors = errors;
    this.code = errors[0]?.code;
  }
}

/** What a 403 said about scopes, and what is known of them. */
export interface Refusal {
  /** The scopes that the server asked for; empty where it did not say (gap errors.forbidden-details). */
  readonly required: readonly (Scope | (string & {}))[];
  /** The scopes that the key has, as the server says; empty where it did not. */
  readonly available: readonly (Scope | (string & {}))[];
  /** What is required and not available. */
  readonly missing: readonly (Scope | (string & {}))[];
  /** Of the missing ones those of which one suffices (or may, where the contract disagrees with itself); else empty. */
  readonly anyOf: readonly (Scope | (string & {}))[];
  /** What was refused, what the contract says about it, and what to ask an administrator for. */
  readonly explanation: string;
}

/** The key lacks a scope: a 403. Contract: fleet 5, Scopes, and 7. */
export class ScopeError extends FleetApiError implements Refusal {
  static override readonly [errorKind]: string = "ScopeError";
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

/** The envelope's errors, or what stands in its place: `{ error }`, `{ code, message }`, a bare text. */
function readItems(body: unknown): FleetApiErrorItem[] {
  if (!isObject(body)) return [];
  const listed = Array.isArray(body.errors) ? body.errors : [body.error ?? body];
  return listed.map(readItem).filter(({ code, message }) => code !== undefined || message !== undefined);
}

function readItem(item: unknown): FleetApiErrorItem {
  const { code, message, details } = isObject(item) ? item : ({ message: item } satisfies JsonObject);
  return {
    code: text(code),
    message: text(message),
    details: isObject(details) ? details : undefined,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function describe(status: number, errors: readonly FleetApiErrorItem[]): string {
  const fallback = advice[status] ?? "without a body that the contract describes";
  if (errors.length === 0) return `(no code): ${fallback}`;
  return errors
    .slice(0, 5)
    .map(({ code, message }) => `${code ?? "(no code)"}: ${message ?? fallback}`)
    .join("; ")
    .slice(0, longestMessage);
}
