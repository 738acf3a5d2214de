import type { RequestSpec } from "../sender/sender.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "./exchange.ts";
import { NoEvidence } from "../sender/failures.ts";
import { isObject } from "../../wire/json.ts";

/** The number of negative responses in a row after which a request that worked is sent again. */
const MAX_PENDING = 3;

/** Responses from which a conclusion is drawn, but that a quota could also give to any request. */
interface Kind {
  readonly isNegative: (exchange: Exchange) => boolean;
  /** Whether a response shows that the service still does what it did. */
  readonly isPositive: (exchange: Exchange) => boolean;
}

/**
 * Rejections, as of a service that responds with 400 or 404 when a quota is used up. The control of a refused write is an
 * accepted one.
 */
const REJECTIONS: Kind = {
  isNegative: ({ method, status }) => method === "GET" && (status === 400 || status === 404),
  isPositive: isOk,
};

/** Empty lists, as of a service that returns them when a quota is used up. */
const EMPTY_LISTS: Kind = {
  isNegative: (exchange) => isOk(exchange) && isEmptyList(exchange),
  isPositive: (exchange) => isOk(exchange) && rowsOf(exchange).length > 0,
};

function isEmptyList(exchange: Exchange): boolean {
  const body = bodyOf(exchange);
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  return exchange.method === "GET" && isObject(exchange.json) && lists.length === 1 && lists[0]?.length === 0;
}

/** The negative responses of one kind since the last positive one. */
class Pending {
  readonly #kind: Kind;
  #numbers: number[] = [];
  #maximum = MAX_PENDING;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#numbers.length === 0;
  }

  /** Adds a response. Returns whether it needs no control now. */
  add(exchange: Exchange): boolean {
    if (this.#kind.isNegative(exchange)) this.#numbers.push(exchange.n);
    else if (this.#kind.isPositive(exchange)) this.#numbers = [];
    return this.#numbers.length < this.#maximum || !this.#kind.isNegative(exchange);
  }

  /** Compares them with the response to a request that worked. Returns those that prove nothing. */
  compare(control: Exchange): readonly number[] {
    const numbers = this.#numbers;
    this.#numbers = [];
    if (this.#kind.isPositive(control)) return [];
    // from now on, each negative response is followed by the control
    this.#maximum = 1;
    return numbers;
  }
}

/**
 * Sends a list that had rows again after several negative responses in a row: if it is refused or empty, all of them prove
 * nothing, because a quota may have been used up.
 */
export class Negatives {
  readonly #kinds = [new Pending(REJECTIONS), new Pending(EMPTY_LISTS)];
  readonly #send: (spec: RequestSpec) => Promise<Exchange>;
  readonly #onVoid: (numbers: readonly number[]) => void;
  /** The first list of each path that had rows. */
  readonly #controls = new Map<string, RequestSpec>();
  /** The path of the last response. */
  #path = "";

  constructor(send: (spec: RequestSpec) => Promise<Exchange>, onVoid: (numbers: readonly number[]) => void) {
    this.#send = send;
    this.#onVoid = onVoid;
  }

  /** Whether responses wait for their control. */
  get isPending(): boolean {
    return this.#controls.size > 0 && this.#kinds.some(({ isEmpty }) => !isEmpty);
  }

  /** A list of another path, because a service may remember what was asked of one list. gap lists.filters-across-pages */
  get #control(): RequestSpec | undefined {
    const controls = [...this.#controls.values()];
    return controls.find(({ path }) => path !== this.#path) ?? controls[0];
  }

  /** Whether a response counts. */
  async accept(exchange: Exchange): Promise<boolean> {
    const isSure = this.#kinds.map((kind) => kind.add(exchange)).every(Boolean);
    if (EMPTY_LISTS.isPositive(exchange) && exchange.method === "GET") {
      const { path, query, version = null } = exchange;
      if (!this.#controls.has(path)) this.#controls.set(path, { method: "GET", path, query, version });
    }
    this.#path = exchange.path;
    return isSure || this.confirm();
  }

  /** Sends the control for the responses without one. Returns whether it works. */
  async confirm(isCleanup = false): Promise<boolean> {
    const spec = this.#control;
    if (spec === undefined || !this.isPending) return true;
    const control = await this.#send({ ...spec, ...(isCleanup && { isCleanup }) });
    // a failed request shows nothing about the others
    if (!control.isEvidence)
      throw new NoEvidence(`GET ${control.path}: status ${control.status} is not evidence`);
    const numbers = this.#kinds.flatMap((kind) => kind.compare(control));
    this.#onVoid(numbers);
    return numbers.length === 0;
  }
}
