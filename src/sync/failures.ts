import { type JobFailure, RowError } from "./errors.ts";

/** The largest number of open failures of a run; one more ends it. */
const maxFailures = 1000;

/** What a run could not read, by ID. A later pass of the run may read it. */
export class Failures {
  readonly #errors = new Map<string, { error: RowError; pass: number }>();

  /** @throws the failure if there are too many of them */
  add(id: string, part: string, cause: unknown, pass = 0): void {
    const error = new RowError(id, part, cause);
    this.#errors.set(id, { error, pass });
    if (this.#errors.size > maxFailures)
      throw new RowError(id, part, {
        ...flagsOf(error),
        message: `more than ${maxFailures} items could not be read`,
      });
  }

  delete(id: string): void {
    this.#errors.delete(id);
  }

  has(id: string): boolean {
    return this.#errors.has(id);
  }

  get ids(): string[] {
    return [...this.#errors.keys()];
  }

  get all(): JobFailure[] {
    return [...this.#errors].map(([id, { error }]) => ({ id, error }));
  }

  /** Forgets those of earlier passes: the list does not have them any more. */
  endPass(pass: number): void {
    for (const [id, failure] of this.#errors) if (failure.pass !== pass) this.#errors.delete(id);
  }
}

function flagsOf({ retryable, mayHaveBeenProcessed }: RowError): object {
  return { retryable, mayHaveBeenProcessed };
}
