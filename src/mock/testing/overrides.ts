import * as z from "zod/mini";
import { Random } from "../server/random.ts";
import type { RequestView } from "../server/exchange.ts";
import { factsOf, type OperationId } from "../server/operations.ts";
import { parse, positiveInteger } from "../server/schemas.ts";
import type { Secrets } from "../server/secrets.ts";
import {
  type Delay,
  delaySchema,
  describeEffect,
  describeJson,
  type Effect,
  type Fault,
  type FaultKind,
  type FaultOptions,
  faultSchema,
  type ForcedOptions,
  forcedOptionsSchema,
  type ForcedResponse,
  MAX_DELAY,
  type OverrideEffect,
  type PagingFault,
  type PagingFaultKind,
  pagingSchema,
  parseResponse,
  type ResponseChange,
} from "./effects.ts";
import {
  type CompiledMatcher,
  compileMatcher,
  matches,
  type MatcherSummary,
  type RequestMatcher,
} from "./matcher.ts";

/** An active override, declared by `ref.on`. It is JSON and contains no token and no key. */
export interface PendingOverride {
  readonly id: number;
  readonly operation: OperationId | "*";
  readonly matcher?: MatcherSummary;
  readonly effect: OverrideEffect;
  /** The number of further requests that it applies to; `null` without a limit. */
  readonly remaining: number | null;
  /** The number of further requests that it skips. */
  readonly skip: number;
  /** The probability that it applies. */
  readonly rate: number;
}

/** An effect, and the requests that it applies to. */
interface Rule {
  readonly id: number;
  readonly operation: OperationId | "*";
  readonly matcher: CompiledMatcher | undefined;
  readonly effect: Effect;
  remaining: number;
  skip: number;
  rate: number;
  /** The number of requests that it has applied to. */
  applications: number;
  readonly random: Random;
}

/** The overrides that apply to one request. */
export interface AppliedOverride {
  readonly ids: number[];
  delay: number;
  response?: ForcedResponse;
  /** Whether the operation is executed although its response is forced. */
  isExecuted?: boolean;
  readonly changes: ResponseChange[];
  fault?: Fault;
  paging?: PagingFault;
}

/** The active overrides, declared by `ref.on`. */
export class Overrides {
  readonly #seed: number;
  readonly #secrets: Secrets;
  /** In the order of their declaration. */
  readonly #rules = new Map<number, Rule>();
  #lastId = 0;
  /** Declarations since the last reset: the random numbers of the next one depend on it. */
  #declared = 0;

  /** @internal */
  constructor(seed: number, secrets: Secrets) {
    this.#seed = seed;
    this.#secrets = secrets;
  }

  /** Returns the active overrides, oldest first, without secrets. */
  all(): PendingOverride[] {
    return Array.from(this.#rules.values(), (rule) => this.#describe(rule));
  }

  /** Returns the override with an ID; undefined if it has ended or was removed. */
  get(id: number): PendingOverride | undefined {
    const rule = this.#rules.get(id);
    return rule && this.#describe(rule);
  }

  /** Removes an override. Returns whether it existed. */
  remove(id: number): boolean {
    return this.#rules.delete(id);
  }

  /** Removes every override. */
  clear(): void {
    this.#rules.clear();
    this.#declared = 0;
  }

  /** @internal */
  declare(rule: Pick<Rule, "operation" | "matcher" | "effect" | "remaining">): Rule {
    this.#lastId += 1;
    this.#declared += 1;
    const random = new Random(this.#seed, "override", this.#declared);
    const declared = { ...rule, id: this.#lastId, skip: 0, rate: 1, applications: 0, random };
    this.#rules.set(declared.id, declared);
    return declared;
  }

  /**
   * @internal Returns what applies to a request, and counts it: every delay, change and write, one response or fault,
   * and one paging fault. Of those, rules with a count come first, oldest first; then the others, newest first.
   */
  take(operation: string, isList: boolean, view: () => RequestView): AppliedOverride | undefined {
    if (this.#rules.size === 0) return undefined;
    const rules = [...this.#rules.values()].filter(
      (rule) => rule.operation === operation || rule.operation === "*",
    );
    if (rules.length === 0) return undefined;
    const request = view();
    const ordered = [
      ...rules.filter(({ remaining }) => remaining !== Infinity),
      ...rules.filter(({ remaining }) => remaining === Infinity).toReversed(),
    ];
    const applied = [
      ...ordered.filter((rule) => kindOf(rule) === "every" && applies(rule, request)),
      ordered.find((rule) => kindOf(rule) === "one" && applies(rule, request)),
      isList ? ordered.find((rule) => kindOf(rule) === "paging" && applies(rule, request)) : undefined,
    ].filter((rule) => rule !== undefined);
    if (applied.length === 0) return undefined;
    const override: AppliedOverride = { ids: [], delay: 0, changes: [] };
    for (const rule of applied) {
      rule.applications += 1;
      override.ids.push(rule.id);
      addEffect(rule, override);
      rule.remaining -= 1; // stays Infinity without a count
      if (rule.remaining === 0) this.#rules.delete(rule.id);
    }
    return override;
  }

  #describe({ id, operation, matcher, effect, remaining, skip, rate }: Rule): PendingOverride {
    const { redact } = this.#secrets;
    return {
      id,
      operation,
      ...(matcher && { matcher: describeJson(matcher.summary, redact) }),
      effect: describeEffect(effect, redact),
      remaining: remaining === Infinity ? null : remaining,
      skip,
      rate,
    };
  }
}

/** One response or fault applies to a request, one paging fault, and every other effect. */
function kindOf({ effect: { type } }: Rule): "one" | "paging" | "every" {
  if (type === "response" || type === "fault") return "one";
  return type === "paging" ? type : "every";
}

/** Whether a rule applies to a request; counts the requests that it skips. */
function applies(rule: Rule, request: RequestView): boolean {
  if (rule.matcher !== undefined && !matches(rule.matcher, request)) return false;
  if (rule.skip > 0) {
    rule.skip -= 1;
    return false;
  }
  return rule.rate === 1 || rule.random.chance(rule.rate);
}

function addEffect({ effect, applications, random }: Rule, override: AppliedOverride): void {
  switch (effect.type) {
    case "response":
      override.response = effect.response;
      override.isExecuted = effect.at === "after";
      return;
    case "fault":
      override.fault = effect.fault;
      return;
    case "paging":
      override.paging = { kind: effect.paging, applications };
      return;
    case "change":
      override.changes.push(effect.change);
      return;
    case "delay": {
      const { delay } = effect;
      const { min, max } = typeof delay === "number" ? { min: delay, max: delay } : delay;
      const wait = min === max ? min : Math.round(min + (max - min) * random.fraction());
      override.delay = Math.min(override.delay + wait, MAX_DELAY);
    }
  }
}

/**
 * Declares overrides of some requests. They apply before every check, like a proxy in front of the API. `times`,
 * `rate` and `skip` refine the declaration before them.
 */
export class OperationOverride {
  readonly #overrides: Overrides;
  readonly #operation: OperationId | "*";
  readonly #matcher: CompiledMatcher | undefined;
  readonly #rules: Rule[] = [];

  /** @internal */
  constructor(
    overrides: Overrides,
    operation: OperationId | "*",
    matcher: RequestMatcher<never> | undefined,
  ) {
    factsOf(operation);
    this.#overrides = overrides;
    this.#operation = operation;
    this.#matcher = matcher === undefined ? undefined : compileMatcher(matcher, operation);
  }

  /**
   * Forces the next response; several calls apply in order. `at: "after"`: the operation is executed first, as with
   * a gateway that loses the response.
   *
   * @example ref.on("createDamage").once({ status: 504 }, { at: "after" });
   */
  once(response: ForcedResponse, options: ForcedOptions = {}): this {
    return this.#force(response, options, 1);
  }

  /** Forces every response, until it is removed or reset. */
  always(response: ForcedResponse, options: ForcedOptions = {}): this {
    return this.#force(response, options, Infinity);
  }

  /**
   * Changes every response: the function gets what would be sent, and returns what is sent instead, or nothing.
   *
   * @example ref.on("getStore").change(({ status, body }) => ({ status, body: { ...Object(body), isNew: true } }));
   */
  change(change: ResponseChange): this {
    if (typeof change !== "function") throw new Error("change must be a function");
    return this.#add({ type: "change", change });
  }

  /**
   * Delays every response, in milliseconds; several delays add up.
   *
   * @example ref.on("*").delay({ min: 20, max: 200 });
   */
  delay(delay: Delay): this {
    return this.#add({ type: "delay", delay: parse(delaySchema, delay, "delay") });
  }

  /**
   * Makes every response faulty, until it is removed or reset.
   *
   * `at`, for writes: `"before"` (nothing is written, the default) or `"after"`; for `stall` and `truncate` also
   * `"head"` or `"body"`, the part of the response to an executed request. `slow` needs `bytesPerSecond`.
   */
  fault(kind: FaultKind, options: FaultOptions = {}): this {
    return this.#add({ type: "fault", fault: parse<Fault>(faultSchema, { kind, ...options }, "fault") });
  }

  /** Makes the pages of a list faulty, until it is removed or reset. */
  paging(kind: PagingFaultKind): this {
    parse(pagingSchema, kind, "paging");
    if (!factsOf(this.#operation).isList) throw new Error(`paging: ${this.#operation} is not a list`);
    return this.#add({ type: "paging", paging: kind });
  }

  /** Limits the last declaration to a number of requests. */
  times(count: number): this {
    this.#last("times").remaining = parse(positiveInteger, count, "times");
    return this;
  }

  /**
   * Applies the last declaration with this probability, from 0 to 1. `times` counts only the requests that it
   * applies to. The server's seed determines them.
   */
  rate(probability: number): this {
    this.#last("rate").rate = parse(z.number().check(z.gte(0), z.lte(1)), probability, "rate");
    return this;
  }

  /** Skips the first requests that the last declaration would apply to. */
  skip(count: number): this {
    this.#last("skip").skip = parse(z.int().check(z.gte(0)), count, "skip");
    return this;
  }

  /** Removes every override that was declared here. */
  remove(): void {
    for (const { id } of this.#rules) this.#overrides.remove(id);
  }

  /** The IDs of the active overrides that were declared here, as in `ref.overrides.all()`. */
  get ids(): number[] {
    return this.#rules.map(({ id }) => id).filter((id) => this.#overrides.get(id) !== undefined);
  }

  #force(response: ForcedResponse, options: ForcedOptions, remaining: number): this {
    const { at } = parse(forcedOptionsSchema, options, "a forced response");
    const parsed = parseResponse(response, "response");
    return this.#add({ type: "response", response: parsed, ...(at === "after" && { at }) }, remaining);
  }

  #add(effect: Effect, remaining = Infinity): this {
    const [operation, matcher] = [this.#operation, this.#matcher];
    this.#rules.push(this.#overrides.declare({ operation, matcher, effect, remaining }));
    return this;
  }

  #last(name: string): Rule {
    const last = this.#rules.at(-1);
    if (last !== undefined) return last;
    throw new Error(`${name} must follow once, always, change, delay, fault or paging`);
  }
}
