import type { Redactor } from "../../wire/redaction.ts";
import { MAX_DELAY, drawDelay } from "./delay.ts";
import type { Fault } from "../http/faults.ts";
import { EVERY_OPERATION, type OperationModel } from "./operation-model.ts";
import { type PendingOverride, pendingOverride } from "./pending-override.ts";
import type { PagingFault } from "./paging-fault.ts";
import { Random } from "../../wire/random.ts";
import type { RequestView } from "../http/request-view.ts";
import {
  type Effect,
  type ForcedResponse,
  type OtherWrite,
  type ResponseChange,
  type Rule,
  sizeOf,
} from "./rule.ts";
import { RuleIndex, type RuleLists, allApplying, firstApplying } from "./rule-index.ts";

/** The overrides that apply to one request. */
export interface AppliedOverride {
  /** The IDs of the overrides. */
  readonly ids: number[];
  delay: number;
  response?: ForcedResponse;
  /** Whether the operation is executed although its response is forced. */
  isExecuted?: boolean;
  /** The requests of other writers, which are executed after this one. */
  readonly writes: OtherWrite[];
  /** The functions that change the response. */
  readonly changes: ResponseChange[];
  fault?: Fault;
  paging?: PagingFault;
}

/** The limits of a server: the number of its rules, and the bytes of their bodies, headers and matchers. */
const MAX_RULES = 10_000;
const MAX_BYTES = 134_217_728;

interface OverridesOptions {
  readonly seed: number;
  readonly model: OperationModel;
  readonly redactor: Redactor;
}

/** The requests that a rule applies to, and the rules that are declared together. */
export type RuleTarget = Pick<Rule, "operation" | "matcher" | "group">;

/** The rules of one operation, by kind. Only one outcome and one paging fault applies, but all of the others. */
interface OperationRules {
  readonly outcomes: RuleIndex;
  readonly pagings: RuleIndex;
  readonly additions: RuleIndex;
}

/** The active overrides, declared by `ref.on`. */
export class Overrides<Operation extends string = string> {
  readonly #options: OverridesOptions;
  readonly #operations = new Map<string, OperationRules>();
  readonly #rules = new Map<number, Rule>();
  #lastId = 0;
  /** Declarations since the last reset: the random numbers of the next one depend on it. */
  #declared = 0;
  #bytes = 0;

  /** @internal */
  constructor(options: OverridesOptions) {
    this.#options = options;
  }

  /** Returns the active overrides, oldest first, without secrets. */
  all(): PendingOverride<Operation>[] {
    const { redactor } = this.#options;
    const rules = [...this.#rules.values()];
    // the operations of the rules are those of the model
    return rules.map((rule) => pendingOverride(rule, redactor) as PendingOverride<Operation>);
  }

  /** Returns one active override. */
  get(id: number): PendingOverride<Operation> | undefined {
    const rule = this.#rules.get(id);
    if (rule === undefined) return undefined;
    return pendingOverride(rule, this.#options.redactor) as PendingOverride<Operation>; // as in `all`
  }

  /** Removes one override; returns whether it was active. */
  remove(id: number): boolean {
    const rule = this.#rules.get(id);
    if (rule !== undefined) this.drop(rule);
    return rule !== undefined;
  }

  /** Removes every override. */
  clear(): void {
    for (const rule of this.#rules.values()) rule.group.delete(rule);
    this.#operations.clear();
    this.#rules.clear();
    this.#declared = 0;
    this.#bytes = 0;
  }

  /** @internal */
  declare({ operation, matcher, group }: RuleTarget, effect: Effect, remaining: number): Rule {
    const bytes = sizeOf(effect, matcher);
    if (this.#rules.size >= MAX_RULES) throw new Error(`A server holds at most ${MAX_RULES} overrides`);
    if (this.#bytes + bytes > MAX_BYTES)
      throw new Error(`The overrides of a server hold at most ${MAX_BYTES} bytes`);
    this.#lastId += 1;
    this.#declared += 1;
    const random = new Random(this.#options.seed, "override", this.#declared);
    const target = { operation, matcher, group };
    const rule = {
      id: this.#lastId,
      ...target,
      effect,
      remaining,
      skip: 0,
      rate: 1,
      applications: 0,
      random,
      bytes,
    };
    group.add(rule);
    this.#rules.set(rule.id, rule);
    this.#bytes += bytes;
    this.#indexOf(rule).add(rule);
    return rule;
  }

  /** @internal Limits a rule to a number of requests. */
  limit(rule: Rule, count: number): void {
    const isHeld = this.#rules.has(rule.id);
    if (isHeld) this.#indexOf(rule).delete(rule);
    rule.remaining = count;
    if (isHeld) this.#indexOf(rule).add(rule);
  }

  /** @internal */
  drop(rule: Rule): void {
    if (!this.#rules.delete(rule.id)) return;
    rule.group.delete(rule);
    this.#bytes -= rule.bytes;
    this.#indexOf(rule).delete(rule);
  }

  /** @internal Returns what applies to a request, and counts it. */
  take(operation: string, viewOf: () => RequestView): AppliedOverride | undefined {
    const own = this.#operations.get(operation);
    const every = this.#operations.get(EVERY_OPERATION);
    if (own === undefined && every === undefined) return undefined;
    const view = viewOf();
    const candidates = (kind: keyof OperationRules): RuleLists[] => {
      const lists: RuleLists[] = [];
      own?.[kind].collect(view, lists);
      every?.[kind].collect(view, lists);
      return lists;
    };
    const rules = allApplying(candidates("additions"), view);
    const outcome = firstApplying(candidates("outcomes"), view);
    if (outcome !== undefined) rules.push(outcome);
    const { isList } = this.#options.model.facts(operation);
    const paging = isList ? firstApplying(candidates("pagings"), view) : undefined;
    if (paging !== undefined) rules.push(paging);
    if (rules.length === 0) return undefined;
    const override: AppliedOverride = { ids: [], delay: 0, writes: [], changes: [] };
    for (const rule of rules) this.#apply(rule, override);
    return override;
  }

  #apply(rule: Rule, override: AppliedOverride): void {
    rule.applications += 1;
    override.ids.push(rule.id);
    addEffect(rule, override);
    if (rule.remaining === 1) this.drop(rule);
    else rule.remaining -= 1; // stays Infinity without a count
  }

  #indexOf({ operation, effect }: Rule): RuleIndex {
    const rules = this.#operations.get(operation) ?? {
      outcomes: new RuleIndex(),
      pagings: new RuleIndex(),
      additions: new RuleIndex(),
    };
    this.#operations.set(operation, rules);
    if (effect.do === "respond" || effect.do === "fault") return rules.outcomes;
    return effect.do === "paging" ? rules.pagings : rules.additions;
  }
}

function addEffect({ effect, applications, random }: Rule, override: AppliedOverride): void {
  switch (effect.do) {
    case "respond":
      override.response = effect.response;
      override.isExecuted = effect.isExecuted;
      return;
    case "fault":
      override.fault = effect.fault;
      return;
    case "paging":
      override.paging = { kind: effect.kind, applications };
      return;
    case "write":
      override.writes.push(effect.write);
      return;
    case "change":
      override.changes.push(effect.change);
      return;
    case "delay":
      override.delay = Math.min(override.delay + drawDelay(effect.delay, random), MAX_DELAY);
  }
}
