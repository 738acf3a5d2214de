import type { Fault } from "./faults.ts";
import type { PagingFault, PagingFaultKind } from "./paging-fault.ts";

/** A response that a test forces. Without a body it has the documented body of its status. */
export interface ForcedAnswer {
  /** Default: 200. With 2xx and no body, the body of the API's own response is kept; 204 has none. */
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

/** How many rules a server holds, and how many bytes their bodies and headers take. */
const MOST_RULES = 10_000;
const MOST_BYTES = 134_217_728;

/** The rules that `ref.on` declared, by operation. */
export class Overrides {
  readonly #operations = new Map<string, OperationRules>();
  #count = 0;
  #bytes = 0;

  add(operation: string, effect: Effect, left: number): Rule {
    const bytes = sizeOf(effect);
    if (this.#count >= MOST_RULES) throw new Error(`A server holds at most ${MOST_RULES} overrides`);
    if (this.#bytes + bytes > MOST_BYTES)
      throw new Error(`The overrides of a server hold at most ${MOST_BYTES} bytes`);
    const rule: Rule = { ...effect, left };
    const rules = this.#operations.get(operation) ?? new OperationRules((used) => this.#release(used));
    this.#operations.set(operation, rules);
    rules.add(rule);
    this.#count += 1;
    this.#bytes += bytes;
    return rule;
  }

  clear(): void {
    this.#operations.clear();
    this.#count = 0;
    this.#bytes = 0;
  }

  /** Returns what applies to the next request of an operation, and counts it. */
  take(operation: string): AppliedOverride | undefined {
    return this.#operations.get(operation)?.take();
  }

  #release(rule: Rule): void {
    this.#count -= 1;
    this.#bytes -= sizeOf(rule);
  }
}

/**
 * The rules of one operation. All delays apply, one paging fault, and one response or fault: counted rules first, in
 * order, then the last other rule. A request costs the same however many rules wait.
 */
class OperationRules {
  readonly #release: (rule: Rule) => void;
  readonly #outcomes: RuleQueue;
  readonly #pagings: RuleQueue;
  #delays: Rule[] = [];

  constructor(release: (rule: Rule) => void) {
    this.#release = release;
    this.#outcomes = new RuleQueue(release);
    this.#pagings = new RuleQueue(release);
  }

  add(rule: Rule): void {
    if (rule.do === "delay") this.#delays.push(rule);
    else if (rule.do === "paging") this.#pagings.add(rule);
    else this.#outcomes.add(rule);
  }

  take(): AppliedOverride | undefined {
    const rules = [this.#outcomes.take(), this.#pagings.take(), ...this.#delays];
    const applied = rules.filter((rule) => rule !== undefined);
    if (applied.length === 0) return undefined;
    const override: AppliedOverride = { delay: 0 };
    for (const rule of applied) apply(rule, override);
    this.#countDelays();
    return override;
  }

  #countDelays(): void {
    if (!this.#delays.some(({ left }) => left !== Infinity)) return;
    for (const rule of this.#delays) {
      rule.left -= 1;
      if (rule.left === 0) this.#release(rule);
    }
    this.#delays = this.#delays.filter(({ left }) => left > 0);
  }
}

/** Rules of which one applies to a request: the first counted one, else the last other one. */
class RuleQueue {
  readonly #release: (rule: Rule) => void;
  #waiting: Rule[] = [];
  #next = 0;
  #last: Rule | undefined;

  constructor(release: (rule: Rule) => void) {
    this.#release = release;
  }

  add(rule: Rule): void {
    this.#waiting.push(rule);
  }

  take(): Rule | undefined {
    while (this.#waiting[this.#next]?.left === Infinity) this.#replaceLast(this.#shift());
    const rule = this.#waiting[this.#next];
    if (rule === undefined) return this.#takeLast();
    rule.left -= 1;
    if (rule.left === 0) {
      this.#shift();
      this.#release(rule);
    }
    return rule;
  }

  /** `times` may have counted the rule after it was used. */
  #takeLast(): Rule | undefined {
    const rule = this.#last;
    if (rule === undefined || rule.left === Infinity) return rule;
    rule.left -= 1;
    if (rule.left === 0) this.#replaceLast(undefined);
    return rule;
  }

  #replaceLast(rule: Rule | undefined): void {
    if (this.#last !== undefined) this.#release(this.#last);
    this.#last = rule;
  }

  #shift(): Rule | undefined {
    const rule = this.#waiting[this.#next];
    this.#next += 1;
    if (this.#next < 100 || this.#next * 2 < this.#waiting.length) return rule;
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
    return rule;
  }
}

function apply(rule: Rule, override: AppliedOverride): void {
  switch (rule.do) {
    case "answer":
      override.answer = rule.answer;
      return;
    case "fault":
      override.fault = rule.fault;
      return;
    case "delay":
      override.delay += rule.ms;
      return;
    case "paging":
      rule.turn += 1;
      override.paging = { kind: rule.kind, turn: rule.turn };
  }
}

/** Estimates the bytes of a body and headers; values that are not JSON take nothing. */
function sizeOf(effect: Effect): number {
  if (effect.do !== "answer") return 0;
  const { body, headers } = effect.answer;
  try {
    const bodySize = typeof body === "string" ? body.length : (JSON.stringify(body)?.length ?? 0);
    return bodySize + JSON.stringify(headers ?? {}).length;
  } catch {
    return 0;
  }
}
