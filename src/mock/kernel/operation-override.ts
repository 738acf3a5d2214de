import { type FaultKind, type FaultPlace, validateFault } from "./faults.ts";
import type { Effect, ForcedAnswer, Overrides, Rule } from "./overrides.ts";
import { type PagingFaultKind, pagingFaults } from "./paging-fault.ts";

/** What a test says about one operation; it stands in front of the API like a proxy, before any check. */
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

  /** Answers the next request so; called several times, first in, first out. */
  once(answer: ForcedAnswer): this {
    return this.#add({ do: "answer", answer: validateForced(answer) }, 1);
  }

  /** Answers every request so, until `reset()`. */
  always(answer: ForcedAnswer): this {
    return this.#add({ do: "answer", answer: validateForced(answer) }, Infinity);
  }

  /** Answers every request that many milliseconds later; several delays add up. */
  delay(ms: number): this {
    if (!Number.isFinite(ms) || ms < 0)
      throw new Error(`delay: "${ms}" is no number of milliseconds from 0 on`);
    return this.#add({ do: "delay", ms }, Infinity);
  }

  /**
   * Spoils every answer, until `reset()`.
   *
   * `at`, for writes: `"before"` (nothing is written, the default) or `"after"`; for `stall` and `truncate` also
   * `"head"` or `"body"`, the part of the answer of a request that was carried out.
   */
  fault(kind: FaultKind, { at }: { at?: FaultPlace } = {}): this {
    return this.#add({ do: "fault", fault: validateFault(kind, at) }, Infinity);
  }

  /** Makes the pages of a list misleading, until `reset()`. */
  paging(kind: PagingFaultKind): this {
    if (!pagingFaults.includes(kind)) {
      throw new Error(`paging: no adversary "${kind}"; there are ${pagingFaults.join(", ")}`);
    }
    if (!this.#isList) throw new Error(`paging: ${this.#operation} is no list`);
    return this.#add({ do: "paging", kind, turn: 0 }, Infinity);
  }

  /** Limits what was said last to that many requests. */
  times(count: number): this {
    if (!Number.isSafeInteger(count) || count < 1) throw new Error(`times: "${count}" is no count from 1 on`);
    if (this.#last === undefined)
      throw new Error("times: say first what is to happen: once, always, delay, fault or paging");
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
    throw new Error(`an answer has no "${unknown}"; it has ${FORCED_MEMBERS.join(", ")}`);
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new Error(`status "${status}" cannot be answered; there are 200 to 599`);
  }
  return headers === undefined ? { ...answer } : { ...answer, headers: withLowerCaseNames(headers) };
}

/** With names as the API's own headers have them, so that one replaces the other. */
function withLowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
