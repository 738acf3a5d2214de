import { isObject } from "../../wire/json.ts";
import { findJsonLoss } from "../../wire/json-loss.ts";
import { checkNames, describeValue } from "./checks.ts";
import { messageOf } from "../../wire/thrown.ts";
import {
  type Delay,
  type Effect,
  type ForcedResponse,
  type OtherWrite,
  type PagingFaultKind,
  pagingFaults,
  type ResponseChange,
  type Rule,
  validateDelay,
} from "./rule.ts";
import { type FaultKind, type FaultPlace, validateFault } from "../http/faults.ts";
import type { CompiledMatcher } from "./matcher.ts";
import type { Overrides } from "./overrides.ts";

interface OverriddenRequests {
  readonly operation: string;
  readonly matcher: CompiledMatcher | undefined;
  readonly isList: boolean;
}

/**
 * Declares overrides of some requests. They apply before every check, like a proxy in front of the API. `times`,
 * `rate` and `skip` refine the declaration before them.
 */
export class OperationOverride {
  readonly #overrides: Overrides;
  readonly #requests: OverriddenRequests;
  readonly #group = new Set<Rule>();
  #last: Rule | undefined;

  /** @internal */
  constructor(overrides: Overrides, requests: OverriddenRequests) {
    this.#overrides = overrides;
    this.#requests = requests;
  }

  /**
   * Forces the next response; several calls apply in order. `at: "after"`: the operation is executed first, as with
   * a gateway that loses the response.
   *
   * @example ref.on("createDamage").once({ status: 504 }, { at: "after" });
   */
  once(response: ForcedResponse, options: ForcedOptions = {}): this {
    return this.#add(forced(response, options), 1);
  }

  /** Forces every response, until it is removed or reset. */
  always(response: ForcedResponse, options: ForcedOptions = {}): this {
    return this.#add(forced(response, options), Infinity);
  }

  /**
   * Changes every response: the function gets what would be sent, and returns what is sent instead, or nothing.
   *
   * @example ref.on("getStore").change(({ status, body }) => ({ status, body: { ...Object(body), isNew: true } }));
   */
  change(change: ResponseChange): this {
    if (typeof change !== "function") throw new Error("change must be a function");
    return this.#add({ do: "change", change }, Infinity);
  }

  /**
   * Executes a request of another writer after every request, before the client gets the response. It needs no token
   * and is not in the journal.
   *
   * @example ref.on("getStore").write({ method: "PUT", path: "/v1/stores/S-1", body: { name: "New" } }).times(1);
   */
  write(write: OtherWrite): this {
    return this.#add({ do: "write", write: validateWrite(write) }, Infinity);
  }

  /**
   * Delays every response, in milliseconds; several delays add up.
   *
   * @example ref.on("*").delay({ median: 80, sigma: 0.5 });
   */
  delay(delay: Delay): this {
    return this.#add({ do: "delay", delay: validateDelay(delay) }, Infinity);
  }

  /**
   * Makes every response faulty, until it is removed or reset.
   *
   * `at`, for writes: `"before"` (nothing is written, the default) or `"after"`; for `stall` and `truncate` also
   * `"head"` or `"body"`, the part of the response to an executed request.
   */
  fault(kind: FaultKind, options: { at?: FaultPlace } = {}): this {
    checkNames("fault", options, ["at"]);
    return this.#add({ do: "fault", fault: validateFault(kind, options.at) }, Infinity);
  }

  /** Makes the pages of a list faulty, until it is removed or reset. */
  paging(kind: PagingFaultKind): this {
    if (!pagingFaults.includes(kind)) {
      throw new Error(`Unknown paging fault "${kind}". Expected one of ${pagingFaults.join(", ")}`);
    }
    if (!this.#requests.isList) throw new Error(`paging: ${this.#requests.operation} is not a list`);
    return this.#add({ do: "paging", kind }, Infinity);
  }

  /** Limits the last declaration to a number of requests. */
  times(count: number): this {
    if (!Number.isSafeInteger(count) || count < 1)
      throw new Error(`times must be a positive integer, not ${describeValue(count)}`);
    this.#lastRule("times").remaining = count;
    return this;
  }

  /**
   * Applies the last declaration with this probability, from 0 to 1. `times` counts only the requests that it
   * applies to. The server's seed determines them.
   */
  rate(probability: number): this {
    if (!(Number.isFinite(probability) && probability >= 0 && probability <= 1))
      throw new Error(`rate must be a number from 0 to 1, not ${describeValue(probability)}`);
    this.#lastRule("rate").rate = probability;
    return this;
  }

  /** Skips the first requests that the last declaration would apply to. */
  skip(count: number): this {
    if (!Number.isSafeInteger(count) || count < 0)
      throw new Error(`skip must be a non-negative integer, not ${describeValue(count)}`);
    this.#lastRule("skip").skip = count;
    return this;
  }

  /** Removes every override that was declared here. */
  remove(): void {
    for (const rule of this.#group) this.#overrides.drop(rule);
  }

  /** The IDs of the active overrides that were declared here, as in `ref.overrides.all()`. */
  get ids(): number[] {
    return Array.from(this.#group, ({ id }) => id);
  }

  #add(effect: Effect, remaining: number): this {
    const { operation, matcher } = this.#requests;
    this.#last = this.#overrides.declare({ operation, matcher, group: this.#group }, effect, remaining);
    return this;
  }

  #lastRule(name: string): Rule {
    if (this.#last === undefined)
      throw new Error(`${name} must follow once, always, change, write, delay, fault or paging`);
    return this.#last;
  }
}

/** When a forced response replaces the operation: `before` it is executed (the default) or `after`. */
export interface ForcedOptions {
  at?: "before" | "after";
}

function forced(response: ForcedResponse, options: ForcedOptions): Effect {
  checkNames("a forced response", options, ["at"]);
  const { at = "before" } = options;
  if (at !== "before" && at !== "after")
    throw new Error(`at must be before or after, not ${describeValue(at)}`);
  return { do: "respond", response: validateForced(response), isExecuted: at === "after" };
}

const WRITE_METHODS = ["POST", "PUT", "PATCH", "DELETE"];

function validateWrite(write: OtherWrite): OtherWrite {
  const { method, path, body, ...others } = write;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new Error(`Unknown property "${unknown}" of a write. Expected method, path, body`);
  if (!WRITE_METHODS.includes(method))
    throw new Error(`write.method must be one of ${WRITE_METHODS.join(", ")}, not ${describeValue(method)}`);
  if (typeof path !== "string" || !path.startsWith("/"))
    throw new Error('write.path must be a path below the base URL, such as "/v1/stores/S-1"');
  return { method, path, ...(body !== undefined && { body: structuredClone(body) }) };
}

const FORCED_PROPERTIES = ["status", "body", "headers"];

/** Validates a response that a test forces, or that a function of a test returns. */
export function validateForced(response: ForcedResponse): ForcedResponse {
  const given: unknown = response;
  if (!isObject(given) || "then" in given)
    throw new Error(`A response must be an object, not ${describeValue(given)}`);
  const { status, body, headers } = response;
  const [loss] = findJsonLoss(body, "body");
  if (loss !== undefined) throw new Error(`${loss.path} ${loss.message}`);
  const unknown = Object.keys(response).find((name) => !FORCED_PROPERTIES.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown property "${unknown}" of a response. Expected ${FORCED_PROPERTIES.join(", ")}`);
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new Error(`status must be an integer from 200 to 599, not ${describeValue(status)}`);
  }
  return headers === undefined ? { ...response } : { ...response, headers: withLowerCaseNames(headers) };
}

/** Returns the headers with lower-case names, so that they replace those of the API. */
function withLowerCaseNames(headers: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch (cause) {
    throw new Error(`headers: ${messageOf(cause)}`, { cause });
  }
}
