import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import type { Scope } from "../../../generated/fleet.ts";
import { escapeLine } from "../../wire/message.ts";
import type { ErrorFacts } from "../core.ts";
import { ApiError, type ApiErrorDetails } from "../errors.ts";
import { isForeign, readErrorBody } from "../read.ts";
import type { Received } from "../response.ts";
import { isObject, type JsonObject, objectOf, objectsIn, stringsIn } from "../../wire/json.ts";
import type { Operation } from "../../wire/operation.ts";
import { otherScopes, type ScopeEntry } from "./scopes.ts";

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

type ScopeName = Scope | (string & {});

/** The key lacks a scope: a 403. Contract: fleet 5, Scopes, and 7. */
export class ScopeError extends FleetApiError {
  override readonly name = "ScopeError";
  /** The scopes that the server requires; empty if it did not name them (gap errors.forbidden-details). */
  declare readonly required: readonly ScopeName[];
  /** The scopes of the key, as the server lists them; empty if it did not. */
  declare readonly available: readonly ScopeName[];
  /** The required scopes that the key does not have. */
  declare readonly missing: readonly ScopeName[];
  /** The missing scopes one of which suffices, or may suffice if the contract leaves it open; otherwise empty. */
  declare readonly anyOf: readonly ScopeName[];
  /** The contract's statement about the request, and the scopes to request from an administrator. */
  declare readonly explanation: string;

  constructor(
    details: ApiErrorDetails,
    refusal: Pick<ScopeError, "required" | "available" | "missing" | "anyOf" | "explanation">,
  ) {
    super(details);
    Object.assign(this, refusal);
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
  const fallback = advice[status] ?? "without a message";
  if (errors.length === 0) return `(no code): ${fallback}`;
  return errors
    .slice(0, 5)
    .map(({ code, message }) => `${code ?? "(no code)"}: ${message ?? fallback}`)
    .join("; ")
    .slice(0, maxMessageLength);
}

/** Describes a response with the status of an error. */
export function describeError(received: Received): ErrorFacts {
  const hasForm = Array.isArray(objectOf(readErrorBody(received))["errors"]);
  return { isPermanent: false, isForeign: isForeign(received, hasForm) };
}

/**
 * Creates the error of a status, with any body. A 403 is about scopes only if it says so: others are about a rate limit, a
 * quota, an address, a proxy.
 */
export function fleetError({ id }: Operation, details: ApiErrorDetails): FleetApiError {
  const { status, body, headers } = details;
  const errors = objectsIn(objectOf(body)["errors"]);
  const isRefusal = status === 403 && headers.get("retry-after") === null && errors.some(isAboutScopes);
  return isRefusal ? scopeError(id as FleetOperationId, details) : new FleetApiError(details); // of the table of this API
}

/** Whether an error names scopes, or has the code that the contract gives to a missing one. */
function isAboutScopes({ code, message, details }: JsonObject): boolean {
  const { required } = objectOf(details);
  return (
    code === "FORBIDDEN" || required !== undefined || /scope/i.test(`${String(code)} ${String(message)}`)
  );
}

/** Reads `details` of the first error that has them (gap errors.forbidden-details), and says what to do. */
function scopeError(operation: FleetOperationId, details: ApiErrorDetails): ScopeError {
  const entry: ScopeEntry = fleetOperations[operation].scopes;
  const errors = objectsIn(objectOf(details.body)["errors"]);
  const refusal = errors.map((error) => error["details"]).find(isObject);
  const required = stringsIn(refusal?.["required"]);
  const available = stringsIn(refusal?.["available"]);
  const missing = required.filter((scope) => !available.includes(scope));
  // if the key has one of them and was rejected, the others are needed as well
  const hasNone = missing.length > 1 && missing.length === required.length;
  const anyOf = hasNone && (entry.rule === "any" || entry.gap !== undefined) ? missing : [];
  const isOneEnough = hasNone && entry.rule === "any";
  const shown = missing.slice(0, 9).join(isOneEnough ? " or " : ", ");
  const wanted = list(missing.length > 0 ? missing : entry.table, isOneEnough ? "or" : "and");
  const nextStep =
    required.length > 0 && missing.length === 0
      ? "The key has every scope that the server requires: ask the operator of the service for the reason."
      : `Scopes are fixed when a key is created: ask a company administrator for a new key that has ${wanted} as well.`;
  const hint = shown === "" ? undefined : `missing ${shown}`;
  const explanation = `${describeContract(entry)} ${nextStep}`;
  return new ScopeError({ ...details, hint }, { required, available, missing, anyOf, explanation });
}

/** Returns the statement of the scope table, and that of the text if it names others. */
function describeContract(entry: ScopeEntry): string {
  const others = list(otherScopes(entry), "or");
  const isOpen = entry.gap === undefined ? "" : `; which of them suffices is not stated (gap ${entry.gap})`;
  const text = others === "" ? "" : `, its text also names ${others}${isOpen}`;
  return `The contract's scope table requires ${list(entry.table, "and")}${text}.`;
}

/** Formats a list in words: `a, b or c`. */
function list(words: readonly string[], last: "and" | "or"): string {
  const listed = words.map(escapeLine); // a server may name any
  const parts = [listed.slice(0, -1).join(", "), ...listed.slice(-1)];
  return parts.filter((part) => part !== "").join(` ${last} `);
}
