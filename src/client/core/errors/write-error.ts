import { errorKind, ShelfleetError } from "./errors.ts";
import type { Issue } from "./issue.ts";

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
    const listed = issues
      .slice(0, maxIssues)
      .map(({ path, message }) => `${path}: ${message}`.replace(/^: /, ""));
    const more = issues.length > maxIssues ? ` (and ${issues.length - maxIssues} more)` : "";
    super(`${label}: ${summary}${listed.length > 0 ? `: ${listed.join("; ")}` : ""}${more}`);
    this.reason = reason;
    this.issues = issues;
  }
}

/** The largest number of issues in a message; `issues` holds all of them. */
const maxIssues = 20;
