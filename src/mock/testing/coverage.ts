/** The names that responses covered, and the names that they did not cover. */
export interface NameCoverage {
  covered: string[];
  uncovered: string[];
}

/** @deprecated Renamed to `NameCoverage`: see docs/upgrade.md. */
export type Split = NameCoverage;

/** The part of the contract that a server's tests have covered. */
export interface Coverage {
  operations: NameCoverage;
  /** `"getStore 404"`: a status of an operation that the contract documents, or another status of a response. */
  statuses: NameCoverage;
  /** The error codes of both APIs. */
  codes: NameCoverage;
}

/** The statuses and codes that the contracts document. */
export interface CoverageModel {
  readonly operations: readonly string[];
  readonly errorCodes: readonly string[];
  /** The documented statuses of an operation. */
  statuses(operation: string): number[];
}

/** Counts what the responses covered. */
export class CoverageCounter {
  readonly #model: CoverageModel;
  readonly #statuses = new Set<string>();
  readonly #operations = new Set<string>();
  readonly #codes = new Set<string>();

  constructor(model: CoverageModel) {
    this.#model = model;
  }

  add(operation: string, status: number | null, code: string | undefined): void {
    this.#operations.add(operation);
    if (status !== null) this.#statuses.add(`${operation} ${status}`);
    if (code !== undefined) this.#codes.add(code);
  }

  clear(): void {
    this.#statuses.clear();
    this.#operations.clear();
    this.#codes.clear();
  }

  coverage(): Coverage {
    const { operations, errorCodes } = this.#model;
    const statuses = operations.flatMap((id) => this.#model.statuses(id).map((status) => `${id} ${status}`));
    return {
      operations: split(operations, this.#operations),
      statuses: split(statuses, this.#statuses),
      codes: split(errorCodes, this.#codes),
    };
  }
}

function split(documented: readonly string[], covered: ReadonlySet<string>): NameCoverage {
  return { covered: [...covered], uncovered: documented.filter((name) => !covered.has(name)) };
}
