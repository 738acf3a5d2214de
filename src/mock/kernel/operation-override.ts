import { type FaultKind, type FaultPlace, validateFault } from "./faults.ts";
import type { Effect, ForcedAnswer, Overrides, Rule } from "./overrides.ts";
import { type PagingFaultKind, pagingFaults } from "./paging-fault.ts";

/**
 * Declares what happens to the requests of one operation. It acts before every check, like a proxy in front of the API.
 */
export class OperationOverride {
  readonly #overrides: Overrides;
  readonly #operation: string;
  readonly #isList: boolean;
  #last: Rule | undefined;

  constructor(overrides: Overrides, operation: string, isList: boolean) {
    this.#overrides = overrides;
    this.#operation = operation;
    this.#isList = isList;
  }

  /** Forces the next response; several calls apply in order. */
  once(answer: ForcedAnswer): this {
    return this.#add({ do: "answer", answer: validateForced(answer) }, 1);
  }

  /** Forces every response, until `reset()`. */
  always(answer: ForcedAnswer): this {
    return this.#add({ do: "answer", answer: validateForced(answer) }, Infinity);
  }

  /** Delays every response by this many milliseconds; several delays add up. */
  delay(ms: number): this {
    if (!Number.isFinite(ms) || ms < 0)
      throw new Error(`delay must be a non-negative number of milliseconds, not "${ms}"`);
    return this.#add({ do: "delay", ms }, Infinity);
  }

  /**
   * Makes every response faulty, until `reset()`.
   *
   * `at`, for writes: `"before"` (nothing is written, the default) or `"after"`; for `stall` and `truncate` also
   * `"head"` or `"body"`, the part of the response to an executed request.
   */
  fault(kind: FaultKind, { at }: { at?: FaultPlace } = {}): this {
    return this.#add({ do: "fault", fault: validateFault(kind, at) }, Infinity);
  }

  /** Makes the pages of a list faulty, until `reset()`. */
  paging(kind: PagingFaultKind): this {
    if (!pagingFaults.includes(kind)) {
      throw new Error(`Unknown paging fault "${kind}". Expected one of ${pagingFaults.join(", ")}`);
    }
    if (!this.#isList) throw new Error(`paging: ${this.#operation} is not a list`);
    return this.#add({ do: "paging", kind, turn: 0 }, Infinity);
  }

  /** Limits the last declaration to this many requests. */
  times(count: number): this {
    if (!Number.isSafeInteger(count) || count < 1)
      throw new Error(`times must be a positive integer, not "${count}"`);
    if (this.#last === undefined) throw new Error("times follows once, always, delay, fault or paging");
    this.#last.left = count;
    return this;
  }

  #add(deed: Effect, left: number): this {
    this.#last = this.#overrides.add(this.#operation, deed, left);
    return this;
  }
}

const FORCED_MEMBERS = ["status", "body", "headers"];

function validateForced(answer: ForcedAnswer): ForcedAnswer {
  const { status, headers } = answer;
  const unknown = Object.keys(answer).find((name) => !FORCED_MEMBERS.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown member "${unknown}" of a response. Expected ${FORCED_MEMBERS.join(", ")}`);
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new Error(`status must be an integer from 200 to 599, not "${status}"`);
  }
  return headers === undefined ? { ...answer } : { ...answer, headers: withLowerCaseNames(headers) };
}

/** Returns the headers with lower-case names, so that they replace those of the API. */
function withLowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
