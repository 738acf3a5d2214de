import type { Fault } from "./faults.ts";
import type { PagingFault, PagingFaultKind } from "./paging-fault.ts";

/** A response that a test forces. Without a body it has the documented body of its status. */
export interface ForcedAnswer {
  /** Default: 200. With 2xx and no body, the response of the API is kept. */
  status?: number;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Everything that applies to one request. */
export interface AppliedOverride {
  delay: number;
  answer?: ForcedAnswer;
  fault?: Fault;
  paging?: PagingFault;
}

/** What a rule does to the requests that it applies to. */
export type Effect =
  | { do: "answer"; answer: ForcedAnswer }
  | { do: "fault"; fault: Fault }
  | { do: "delay"; ms: number }
  | { do: "paging"; kind: PagingFaultKind; turn: number };

/** An effect and the number of requests that it still applies to. */
export type Rule = Effect & { left: number };

/** The rules that `ref.on` declared, by operation. */
export class Overrides {
  readonly #rules = new Map<string, Rule[]>();

  add(operation: string, deed: Effect, left: number): Rule {
    const rule = { ...deed, left };
    const rules = this.#rules.get(operation);
    if (rules === undefined) this.#rules.set(operation, [rule]);
    else rules.push(rule);
    return rule;
  }

  clear(): void {
    this.#rules.clear();
  }

  /** Returns what applies to the next request of an operation, and counts it. */
  take(operation: string): AppliedOverride | undefined {
    const rules = this.#rules.get(operation);
    if (rules === undefined) return undefined;
    const met = selectRules(rules);
    const encounter: AppliedOverride = { delay: 0 };
    for (const rule of met) {
      rule.left -= 1;
      applyRule(rule, encounter);
    }
    const left = rules.filter((rule) => rule.left > 0);
    if (left.length === 0) this.#rules.delete(operation);
    else this.#rules.set(operation, left);
    return encounter;
  }
}

/**
 * Selects all delays, one paging fault, and one response or fault: counted rules first, in order, then the last other
 * rule.
 */
function selectRules(rules: readonly Rule[]): Rule[] {
  const outcomes = rules.filter((rule) => rule.do === "answer" || rule.do === "fault");
  const outcome = outcomes.find((rule) => rule.left !== Infinity) ?? outcomes.at(-1);
  const pagings = rules.filter((rule) => rule.do === "paging");
  const paging = pagings.find((rule) => rule.left !== Infinity) ?? pagings.at(-1);
  return rules.filter((rule) => rule.do === "delay" || rule === outcome || rule === paging);
}

function applyRule(rule: Rule, encounter: AppliedOverride): void {
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
