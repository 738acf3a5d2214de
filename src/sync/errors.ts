import { type Issue, ShelfleetError, WriteError } from "./clients.ts";
import { objectOf } from "../wire/json.ts";

/** The failure of one row. Its message names the row and the part, `cause` is the error of the client. */
export class RowError extends ShelfleetError {
  override readonly name = "RowError";
  /** The external ID, the ID or the key of the row. */
  readonly key: string;
  /** The part of the row, such as `contacts`, or what was done, such as `create`. */
  readonly part: string;
  /** The code of the cause, such as `not_found`. */
  readonly code: string | undefined;
  /** The issues of the cause. */
  readonly issues: readonly Issue[];

  constructor(key: string, part: string, cause: unknown, message?: string) {
    super(message ?? `${key}, ${part}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    const { code, issues } = objectOf(cause);
    this.key = key;
    this.part = part;
    this.code = typeof code === "string" ? code : undefined;
    this.issues = Array.isArray(issues) ? (issues as Issue[]) : []; // as all errors of the clients
  }
}

/** The list lacks so many of the saved entries that the mirror does not delete them, or the sink is that of another one. */
export class MirrorError extends ShelfleetError {
  override readonly name = "MirrorError";
}

/** The entity was changed by another program since it was read. */
export function conflict(label: string, paths: readonly string[], message: string): WriteError {
  const issues = paths.map((path) => ({ path, message }));
  return new WriteError(label, "conflict", "not sent: there is a conflict", issues);
}

/** The service kept other values than those that were sent. */
export function difference(label: string, issues: readonly Issue[]): WriteError {
  return new WriteError(label, "differs", "was sent, and the service returned other values", issues);
}
