import { type OperationId, operationIds, operations } from "../apis/operations.ts";

/** What was met, and what was not. */
export interface Split {
  met: string[];
  unmet: string[];
}

/** What a server's tests have met of the contract. */
export interface Coverage {
  operations: Split;
  /** `"getStore 404"`: a status of an operation that the contract documents, or that was answered beyond it. */
  statuses: Split;
  /** The error codes of both APIs. */
  codes: Split;
}

const STORE_CODES = ["not_configured", "unauthorized", "validation_failed", "not_found"];
const FLEET_CODES = ["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND"];

/** Counts what was answered. */
export class CoverageCount {
  readonly #statuses = new Set<string>();
  readonly #operations = new Set<OperationId>();
  readonly #codes = new Set<string>();

  add(operation: OperationId, status: number | null, code: string | undefined): void {
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
    const statuses = operationIds.flatMap((id) => documentedStatuses(id).map((status) => `${id} ${status}`));
    return {
      operations: split(operationIds, this.#operations),
      statuses: split(statuses, this.#statuses),
      codes: split([...STORE_CODES, ...FLEET_CODES], this.#codes),
    };
  }
}

function split(documented: readonly string[], met: ReadonlySet<string>): Split {
  return { met: [...met], unmet: documented.filter((name) => !met.has(name)) };
}

/** The statuses that the contract gives an operation, those of its section on errors included. */
export function documentedStatuses(id: OperationId): number[] {
  const { method, path } = operations[id];
  const store = path.startsWith("/v1/");
  const success = method === "POST" ? 201 : 200;
  if (!store) return [success, 401, 403, ...(path.includes("{") ? [404] : [])];
  const takesInput =
    method === "PUT" || id.startsWith("list") || id.endsWith("FillRates") || id.endsWith("FillRate");
  const namesThings = path.includes("{") && id !== "putStore";
  return [success, ...(takesInput ? [400] : []), 401, ...(namesThings ? [404] : []), 503];
}
