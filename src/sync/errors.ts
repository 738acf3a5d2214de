import { type Issue, ShelfleetError, WriteError } from "./clients.ts";

/** The failure of one row. Its message names the row and the part, `cause` is the error of the client. */
export class RowError extends ShelfleetError {
  override readonly name = "RowError";
  /** The external ID, the ID or the key of the row. */
  readonly key: string;
  /** The part of the row, such as `contacts`, or what was done, such as `create`. */
  readonly part: string;
  /** The issues of the cause. */
  readonly issues: readonly Issue[];

  constructor(key: string, part: string, cause: unknown) {
    super(`${key}, ${part}: ${messageOf(cause)}`, { cause });
    this.key = key;
    this.part = part;
    this.issues = issuesOf(cause);
  }
}

/** The list lacks so many of the saved entries that the mirror does not delete them. */
export class MirrorError extends ShelfleetError {
  override readonly name = "MirrorError";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function issuesOf(error: unknown): readonly Issue[] {
  return error instanceof Error && "issues" in error && Array.isArray(error.issues)
    ? (error.issues as Issue[])
    : [];
}

/** The entity was changed by another program since it was read. */
export function conflict(label: string, paths: readonly string[], message: string): WriteError {
  return new WriteError(
    label,
    "conflict",
    "not sent: there is a conflict",
    paths.map((path) => ({ path, message })),
  );
}

/** The service kept other values than those that were sent. */
export function difference(label: string, issues: readonly Issue[]): WriteError {
  return new WriteError(label, "differs", "was sent, and the service returned other values", issues);
}

/** The response is not a whole entity: sending it back would lose something. */
export function malformed(label: string, issues: readonly Issue[]): WriteError {
  return new WriteError(label, "malformed", "not sent: the response is not a whole entity", issues);
}

/** The response is about another entity. */
export function otherEntity(label: string, path: string, message: string): WriteError {
  return new WriteError(label, "other-entity", "the response is about another entity", [{ path, message }]);
}
