import { type Fault, type FaultKind, type FaultPlace, checkedFault } from "./faults.ts";
import { type PagingFault, type PagingFaultKind, pagingFaults } from "./paging-fault.ts";

/** An answer of the test's own. A status alone has the body that the contract gives it. */
export interface ForcedAnswer {
  /** 200 where it is left out; 2xx without a body is the API's own answer. */
  status?: number;
  /** Sent as JSON; a text is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** What one request meets. */
export interface Encounter {
  delay: number;
  answer?: ForcedAnswer;
  fault?: Fault;
  paging?: PagingFault;
}

type Deed =
  | { do: "answer"; answer: ForcedAnswer }
  | { do: "fault"; fault: Fault }
  | { do: "delay"; ms: number }
  | { do: "paging"; kind: PagingFaultKind; turn: number };

/** `left`: for how many more requests. */
type Rule = Deed & { left: number };

/** Everything that `ref.on` was told, by operation. */
export class Overrides {
  readonly #rules = new Map<string, Rule[]>();

  add(operation: string, deed: Deed, left: number): Rule {
    const rule = { ...deed, left };
    const rules = this.#rules.get(operation);
    if (rules === undefined) this.#rules.set(operation, [rule]);
    else rules.push(rule);
    return rule;
  }

  clear(): void {
    this.#rules.clear();
  }

  /** What the next request of an operation meets; uses it up. */
  take(operation: string): Encounter | undefined {
    const rules = this.#rules.get(operation);
    if (rules === undefined) return undefined;
    const met = metBy(rules);
    const encounter: Encounter = { delay: 0 };
    for (const rule of met) {
      rule.left -= 1;
      act(rule, encounter);
    }
    const left = rules.filter((rule) => rule.left > 0);
    if (left.length === 0) this.#rules.delete(operation);
    else this.#rules.set(operation, left);
    return encounter;
  }
}

/** All delays, one adversary, and one answer or fault: first those that are counted, in their order, then the last that holds. */
function metBy(rules: readonly Rule[]): Rule[] {
  const outcomes = rules.filter((rule) => rule.do === "answer" || rule.do === "fault");
  const outcome = outcomes.find((rule) => rule.left !== Infinity) ?? outcomes.at(-1);
  const pagings = rules.filter((rule) => rule.do === "paging");
  const paging = pagings.find((rule) => rule.left !== Infinity) ?? pagings.at(-1);
  return rules.filter((rule) => rule.do === "delay" || rule === outcome || rule === paging);
}

function act(rule: Rule, encounter: Encounter): void {
  switch (rule.do) {
    case "answer":
      encounter.answer = rule.answer;
      return;
    case "fault":
      encounter.fault = rule.fault;
      return;
    case "delay":
      encounter.delay += rule.ms;
      return;
    case "paging":
      rule.turn += 1;
      encounter.paging = { kind: rule.kind, turn: rule.turn };
  }
}

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
    return this.#add({ do: "answer", answer: checkedAnswer(answer) }, 1);
  }

  /** Answers every request so, until `reset()`. */
  always(answer: ForcedAnswer): this {
    return this.#add({ do: "answer", answer: checkedAnswer(answer) }, Infinity);
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
    return this.#add({ do: "fault", fault: checkedFault(kind, at) }, Infinity);
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

  #add(deed: Deed, left: number): this {
    this.#last = this.#overrides.add(this.#operation, deed, left);
    return this;
  }
}

const ANSWER_MEMBERS = ["status", "body", "headers"];

function checkedAnswer(answer: ForcedAnswer): ForcedAnswer {
  const { status, headers } = answer;
  const unknown = Object.keys(answer).find((name) => !ANSWER_MEMBERS.includes(name));
  if (unknown !== undefined)
    throw new Error(`an answer has no "${unknown}"; it has ${ANSWER_MEMBERS.join(", ")}`);
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new Error(`status "${status}" cannot be answered; there are 200 to 599`);
  }
  return headers === undefined ? { ...answer } : { ...answer, headers: lowerCased(headers) };
}

/** With names as the API's own headers have them, so that one replaces the other. */
function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
