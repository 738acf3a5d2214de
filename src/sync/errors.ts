import { objectOf } from "../wire/json.ts";
import { type Issue, ShelfleetError, WriteError } from "./clients.ts";

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
  override readonly retryable: boolean;
  /** Whether a write may have been processed although it failed. */
  readonly mayHaveBeenProcessed: boolean;

  /**
   * @param cause the error of the client, or an object with its properties
   * @param text the whole message, if it is another one
   */
  constructor(key: string, part: string, cause: unknown, text?: string) {
    const { message, code, issues, retryable, mayHaveBeenProcessed } = objectOf(cause);
    super(text ?? `${key}, ${part}: ${typeof message === "string" ? message : String(cause)}`, { cause });
    this.key = key;
    this.part = part;
    this.code = typeof code === "string" ? code : undefined;
    this.issues = Array.isArray(issues) ? (issues as Issue[]) : []; // as all errors of the clients
    this.retryable = retryable === true;
    this.mayHaveBeenProcessed = mayHaveBeenProcessed === true;
  }
}

/** The functions that reject with a `JobError`. */
export type JobName = "applyPlan" | "ensure" | "mirror" | "pull" | "pullStores" | "upsertExpositions";

/** What a job could not do. */
export interface JobFailure {
  /** The external ID, the ID or the key. */
  id: string;
  /** The index of the row in what was given; undefined if the job has no rows. */
  row?: number;
  error: RowError;
}

/** The number of failures in a message. */
const maxNamed = 5;

/**
 * A job has done all that can be done, and something was left. `results` is what the job would have returned. What ends a
 * whole job, such as a rejected token, is thrown as itself instead.
 */
export class JobError<Results = unknown> extends ShelfleetError {
  override readonly name = "JobError";
  readonly job: JobName;
  readonly failed: readonly JobFailure[];
  /** Whether each failure is retryable: the same call may be made again as it is. */
  override readonly retryable: boolean;
  /** Whether one of the writes that failed may have been processed. */
  readonly mayHaveBeenProcessed: boolean;
  /** The results of the job. They are not part of its JSON, because they may contain any number of rows. */
  declare readonly results: Results;

  constructor(job: JobName, failed: readonly JobFailure[], results: Results) {
    const named = failed.slice(0, maxNamed).map(({ error }) => error.message);
    const more = failed.length > maxNamed ? `; and ${failed.length - maxNamed} more` : "";
    super(`${job}: ${failed.length} failed: ${named.join("; ")}${more}`, { cause: failed[0]?.error });
    this.job = job;
    this.failed = failed;
    this.retryable = failed.every(({ error }) => error.retryable);
    this.mayHaveBeenProcessed = failed.some(({ error }) => error.mayHaveBeenProcessed);
    Object.defineProperty(this, "results", { value: results, enumerable: false });
  }
}

/** Returns the results of a job, or rejects because something failed. */
export function finishJob<Results>(job: JobName, failed: readonly JobFailure[], results: Results): Results {
  if (failed.length > 0) throw new JobError(job, failed, results);
  return results;
}

/**
 * A mirror deletes nothing, because the list lacks too many of the saved entries or is not the same twice; or the sink is that
 * of another mirror.
 */
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

/** The largest number of open failures of a run; one more ends it. */
const maxFailures = 1000;

/** What a run could not read, by ID. A later pass of the run may read it. */
export class Failures extends Map<string, RowError> {
  /** @throws the failure if there are too many of them */
  add(failure: RowError): void {
    this.set(failure.key, failure);
    const text = `${failure.key}, ${failure.part}: more than ${maxFailures} items could not be read`;
    if (this.size > maxFailures) throw new RowError(failure.key, failure.part, failure, text);
  }

  get all(): JobFailure[] {
    return [...this].map(([id, error]) => ({ id, error }));
  }
}
