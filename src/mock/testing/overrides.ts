import type * as z from "zod/mini";
import { Random } from "../server/random.ts";
import type { RequestView } from "../server/exchange.ts";
import { isList, type OperationId, operationSchema } from "../server/operations.ts";
import { parse } from "../server/schemas.ts";
import {
  countsSchema,
  type Delay,
  type FaultKind,
  type FaultOptions,
  type ForcedOptions,
  type ForcedResponse,
  MAX_DELAY,
  overrideSchema,
  type PagingFault,
  type PagingFaultKind,
  type ResponseChange,
} from "./effects.ts";
import { type Matcher, matches, type OverrideMatcher, parseMatcher, type RequestMatcher } from "./matcher.ts";

/** An active override, declared by `ref.on`, with its effect, as JSON. */
export interface PendingOverride extends Readonly<FaultOptions> {
  readonly id: number;
  readonly operation: OperationId | "*";
  readonly matcher?: Omit<RequestMatcher, "when"> & { readonly when?: true };
  readonly response?: ForcedResponse;
  readonly change?: true;
  readonly fault?: FaultKind;
  readonly delay?: Delay;
  readonly paging?: PagingFaultKind;
  /** The number of further requests that it applies to. Default: no limit. */
  readonly times?: number;
  /** The number of further requests that it skips. */
  readonly skip?: number;
  /** The probability that it applies. */
  readonly rate?: number;
}

/** An override in force. */
interface Rule extends z.infer<typeof overrideSchema> {
  readonly id: number;
  readonly matcher: Matcher | undefined;
  /** The number of requests that it has applied to. */
  applications: number;
  readonly random: Random;
}

/** The overrides that apply to one request. */
export interface AppliedOverride {
  readonly ids: number[];
  delay: number;
  readonly changes: ResponseChange[];
  /** The override with a response or a fault. */
  forced?: Pick<Rule, "response" | "fault" | "at" | "bytesPerSecond">;
  paging?: PagingFault;
}

export const NO_OVERRIDE: AppliedOverride = { ids: [], delay: 0, changes: [] };

/** The active overrides, declared by `ref.on`. */
export class Overrides {
  readonly #seed: number;
  /** In the order of their declaration. */
  readonly #rules = new Map<number, Rule>();
  #lastId = 0;
  /** Declarations since the last reset: the random numbers of the next one depend on it. */
  #declared = 0;

  /** @internal */
  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Returns the active overrides, oldest first. */
  all(): PendingOverride[] {
    return Array.from(this.#rules.values(), describeRule);
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

  /** @internal Declares an override. */
  declare(given: unknown): PendingOverride {
    const parsed = parse(overrideSchema, given, "override");
    const { operation } = parsed;
    const matcher = parsed.matcher === undefined ? undefined : parseMatcher(parsed.matcher, operation);
    this.#lastId += 1;
    this.#declared += 1;
    const random = new Random(this.#seed, "override", this.#declared);
    const rule: Rule = { ...parsed, id: this.#lastId, matcher, applications: 0, random };
    this.#rules.set(rule.id, rule);
    return describeRule(rule);
  }

  /** @internal Changes which requests an override applies to. Removes it if the counts are invalid. */
  refine(id: number | undefined, counts: z.infer<typeof countsSchema>): void {
    if (id === undefined)
      throw new Error(
        `${Object.keys(counts).join()} must follow once, always, change, delay, fault or paging`,
      );
    try {
      Object.assign(this.#rules.get(id) ?? {}, parse(countsSchema, counts, "override"));
    } catch (error) {
      this.#rules.delete(id);
      throw error;
    }
  }

  /**
   * @internal Returns what applies to a request, and counts it: every delay and change, one response or fault, and one
   * paging fault. Of those, rules with a count come first, oldest first; then the others, newest first.
   */
  take(operation: OperationId, view: () => RequestView): AppliedOverride {
    const rules = [...this.#rules.values()].filter(
      (rule) => rule.operation === operation || rule.operation === "*",
    );
    if (rules.length === 0) return NO_OVERRIDE;
    const request = view();
    const ordered = [
      ...rules.filter(({ times }) => times !== undefined),
      ...rules.filter(({ times }) => times === undefined).toReversed(),
    ];
    const override: AppliedOverride = { ids: [], delay: 0, changes: [] };
    for (const rule of ordered) {
      if (isTaken(rule, override, operation) || !applies(rule, request)) continue;
      rule.applications += 1;
      override.ids.push(rule.id);
      addEffect(rule, override);
      if (rule.times === undefined) continue;
      rule.times -= 1;
      if (rule.times === 0) this.#rules.delete(rule.id);
    }
    return override;
  }
}

function describeRule({ applications: _, random: __, change, matcher, ...rule }: Rule): PendingOverride {
  const described = {
    ...rule,
    matcher: matcher && { ...matcher, when: matcher.when && true },
    change: change && true,
  };
  return JSON.parse(JSON.stringify(described)) as PendingOverride; // it has the same properties
}

/** Whether a request has another response, fault or paging fault already. */
function isTaken(
  { response, fault, paging }: Rule,
  override: AppliedOverride,
  operation: OperationId,
): boolean {
  if (paging !== undefined) return !isList(operation) || override.paging !== undefined;
  return (response !== undefined || fault !== undefined) && override.forced !== undefined;
}

/** Whether a rule applies to a request; counts the requests that it skips. */
function applies(rule: Rule, request: RequestView): boolean {
  const { matcher, skip = 0, rate = 1 } = rule;
  if (matcher !== undefined && !matches(matcher, request)) return false;
  if (skip > 0) rule.skip = skip - 1;
  return skip === 0 && (rate === 1 || rule.random.chance(rate));
}

function addEffect(rule: Rule, override: AppliedOverride): void {
  const { change, delay, paging, applications, random } = rule;
  if (change !== undefined) override.changes.push(change);
  else if (paging !== undefined) override.paging = { kind: paging, applications };
  else if (delay === undefined) override.forced = rule;
  else {
    const { min, max } = typeof delay === "number" ? { min: delay, max: delay } : delay;
    const wait = min === max ? min : Math.round(min + (max - min) * random.fraction());
    override.delay = Math.min(override.delay + wait, MAX_DELAY);
  }
}

/**
 * Declares overrides of some requests. They apply before every check, like a proxy in front of the API. `times`,
 * `rate` and `skip` refine the declaration before them.
 */
export class OperationOverride {
  readonly #overrides: Overrides;
  readonly #target: { readonly operation: OperationId | "*"; readonly matcher: Matcher | undefined };
  readonly #declared: number[] = [];

  /** @internal */
  constructor(
    overrides: Overrides,
    operation: OperationId | "*",
    matcher: OverrideMatcher<never> | undefined,
  ) {
    parse(operationSchema, operation, "operation");
    this.#overrides = overrides;
    this.#target = { operation, matcher: matcher && parseMatcher(matcher, operation) };
  }

  /**
   * Forces the next response; several calls apply in order. `at: "after"`: the operation is executed first, as with
   * a gateway that loses the response.
   *
   * @example ref.on("createDamage").once({ status: 504 }, { at: "after" });
   */
  once(response: ForcedResponse, options: ForcedOptions = {}): this {
    return this.#declare({ response, times: 1, ...options });
  }

  /** Forces every response, until it is removed or reset. */
  always(response: ForcedResponse, options: ForcedOptions = {}): this {
    return this.#declare({ response, ...options });
  }

  /**
   * Changes every response: the function gets what would be sent, and returns what is sent instead, or nothing. Without a
   * body, 2xx keeps the body, and another status has its documented one.
   *
   * @example ref.on("getStore").change(({ status, body }) => ({ status, body: { ...Object(body), isNew: true } }));
   */
  change(change: ResponseChange): this {
    return this.#declare({ change });
  }

  /**
   * Delays every response, in milliseconds; several delays add up.
   *
   * @example ref.on("*").delay({ min: 20, max: 200 });
   */
  delay(delay: Delay): this {
    return this.#declare({ delay });
  }

  /**
   * Makes every response faulty, until it is removed or reset.
   *
   * `at`, for writes: `"before"` (nothing is written, the default) or `"after"`, as with `slow`; for `stall` and `truncate` also
   * `"head"` or `"body"`, the part of the response to an executed request.
   */
  fault(kind: FaultKind, options: FaultOptions = {}): this {
    return this.#declare({ fault: kind, ...options });
  }

  /** Makes the pages of a list faulty, until it is removed or reset. */
  paging(kind: PagingFaultKind): this {
    return this.#declare({ paging: kind });
  }

  /** Limits the last declaration to a number of requests. */
  times(count: number): this {
    return this.#refine({ times: count });
  }

  /**
   * Applies the last declaration with this probability, from 0 to 1. `times` counts only the requests that it
   * applies to. The server's seed determines them.
   */
  rate(probability: number): this {
    return this.#refine({ rate: probability });
  }

  /** Skips the first requests that the last declaration would apply to. */
  skip(count: number): this {
    return this.#refine({ skip: count });
  }

  /** Removes every override that was declared here. */
  remove(): void {
    for (const id of this.#declared) this.#overrides.remove(id);
  }

  /** The IDs of the active overrides that were declared here, as in `ref.overrides.all()`. */
  get ids(): number[] {
    return this.#overrides.all().flatMap(({ id }) => (this.#declared.includes(id) ? [id] : []));
  }

  #declare(effect: object): this {
    this.#declared.push(this.#overrides.declare({ ...this.#target, ...effect }).id);
    return this;
  }

  #refine(counts: z.infer<typeof countsSchema>): this {
    this.#overrides.refine(this.#declared.at(-1), counts);
    return this;
  }
}
