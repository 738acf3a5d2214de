import type { Redactor } from "../../wire/redaction.ts";
import {
  appliesTo,
  drawDelay,
  type Effect,
  type ForcedResponse,
  MAX_DELAY,
  type OtherWrite,
  type PagingFault,
  type ResponseChange,
  type Rule,
  sizeOf,
} from "./rule.ts";
import type { Fault } from "../http/faults.ts";
import { EVERY_OPERATION, type OperationModel } from "./operation-model.ts";
import { type PendingOverride, pendingOverride } from "./pending-override.ts";
import { Random } from "../../wire/random.ts";
import type { RequestView } from "../http/request-view.ts";

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

/** The active overrides, declared by `ref.on`. */
export class Overrides<Operation extends string = string> {
  readonly #options: OverridesOptions;
  /** In the order of their declaration. */
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
    return Array.from(this.#rules.values(), (rule) => this.#describe(rule));
  }

  get(id: number): PendingOverride<Operation> | undefined {
    const rule = this.#rules.get(id);
    return rule && this.#describe(rule);
  }

  #describe(rule: Rule): PendingOverride<Operation> {
    return pendingOverride(rule, this.#options.redactor) as PendingOverride<Operation>; // the model has its operation
  }

  remove(id: number): boolean {
    const rule = this.#rules.get(id);
    if (rule !== undefined) this.drop(rule);
    return rule !== undefined;
  }

  /** Removes every override. */
  clear(): void {
    for (const rule of this.#rules.values()) rule.group.delete(rule);
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
    return rule;
  }

  /** @internal */
  drop(rule: Rule): void {
    if (!this.#rules.delete(rule.id)) return;
    rule.group.delete(rule);
    this.#bytes -= rule.bytes;
  }

  /**
   * @internal Returns what applies to a request, and counts it: every delay, change and write, one response or fault,
   * and one paging fault. Of those, rules with a count come first, oldest first; then the others, newest first.
   */
  take(operation: string, viewOf: () => RequestView): AppliedOverride | undefined {
    const rules = this.#rulesOf(operation);
    if (rules.length === 0) return undefined;
    const view = viewOf();
    const applies = (rule: Rule): boolean => appliesTo(rule, view);
    const { isList } = this.#options.model.facts(operation);
    const applied = [
      ...rules.filter(isAddition).filter(applies),
      rules.filter(isOutcome).find(applies),
      isList ? rules.filter(isPaging).find(applies) : undefined,
    ].filter((rule) => rule !== undefined);
    if (applied.length === 0) return undefined;
    const override: AppliedOverride = { ids: [], delay: 0, writes: [], changes: [] };
    for (const rule of applied) this.#apply(rule, override);
    return override;
  }

  /** Returns the rules of an operation, those that apply first at the front. */
  #rulesOf(operation: string): Rule[] {
    const rules = [...this.#rules.values()].filter(
      (rule) => rule.operation === operation || rule.operation === EVERY_OPERATION,
    );
    const counted = rules.filter(({ remaining }) => remaining !== Infinity);
    const uncounted = rules.filter(({ remaining }) => remaining === Infinity);
    return [...counted, ...uncounted.toReversed()];
  }

  #apply(rule: Rule, override: AppliedOverride): void {
    rule.applications += 1;
    override.ids.push(rule.id);
    addEffect(rule, override);
    if (rule.remaining === 1) this.drop(rule);
    else rule.remaining -= 1; // stays Infinity without a count
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

const isPaging = ({ effect }: Rule): boolean => effect.do === "paging";
const isOutcome = ({ effect }: Rule): boolean => effect.do === "respond" || effect.do === "fault";
const isAddition = (rule: Rule): boolean => !isPaging(rule) && !isOutcome(rule);
