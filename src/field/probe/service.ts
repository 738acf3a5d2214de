import type { Redactor } from "../../wire/redaction.ts";
import type { Budget } from "../sender/budget.ts";
import { NoEvidence } from "../sender/failures.ts";
import {
  type Query,
  type ReceivedResponse,
  type RequestSpec,
  Sender,
  type SenderOptions,
  type Target,
  lineOf,
  versionOf,
} from "../sender/sender.ts";
import { Creations, type Exchange, hasDocumentedShape, isEvidence } from "./exchange.ts";
import { findRoute } from "../routes.ts";
import { Negatives } from "./negatives.ts";
import { ResponseChecks, isRefusal, responseKindOf } from "./response-checks.ts";

/** The options of a request. */
export type ReadOptions = Pick<RequestSpec, "version"> & {
  /** Sends the request even if its response is known. */
  readonly fresh?: boolean;
};

/** The number of characters of all responses that are kept. A read of another one is sent again. */
const MAX_KNOWN_SIZE = 16 * 1024 * 1024;

/** The number of characters of a body that are kept as text. */
export const MAX_TEXT_LENGTH = 1_000;

/** Learns of the writes of an experiment. */
export interface WriteWatcher {
  afterWrite(exchange: Exchange): void;
}

/** The sender of a run, and what learns of its exchanges. */
export class Connection {
  readonly #sender: Sender;
  readonly #budget: Budget;
  readonly #redactor: Redactor;
  readonly #onExchange: (exchange: Exchange) => void;
  readonly #creations = new Creations();
  /** Whether each further request has its own connection. */
  isSeparate = false;
  /** Learns the numbers of exchanges that prove nothing, as a later control shows. */
  onVoid: (numbers: ReadonlySet<number>) => void = () => {};

  constructor(options: SenderOptions, onExchange: (exchange: Exchange) => void = () => {}) {
    this.#sender = new Sender(options);
    this.#budget = options.budget;
    this.#redactor = options.redactor;
    this.#onExchange = onExchange;
  }

  /**
   * Sends a request and returns its exchange, evidence or not.
   *
   * @throws {NoEvidence} if there was no response
   * @throws {RunEnded} if no further request may be sent
   */
  async send(
    target: Target,
    spec: RequestSpec,
    isGenuine?: (exchange: Exchange) => Promise<boolean>,
  ): Promise<Exchange> {
    // a 429 that is repeated decides the gaps about rate limits
    const received = await this.#sender.send(
      target,
      { ...spec, isLastOfConnection: this.isSeparate },
      (limited) => this.#onExchange(this.#describe(target, spec, limited)),
    );
    const sent = this.#describe(target, spec, received);
    const exchange = isGenuine === undefined ? sent : { ...sent, isEvidence: await isGenuine(sent) };
    this.#onExchange(exchange);
    return exchange;
  }

  #describe(target: Target, spec: RequestSpec, received: ReceivedResponse): Exchange {
    const { api, as } = target;
    const { status, text, json, date } = received;
    const version = versionOf(api, spec);
    const route = findRoute(api, spec.method, spec.path);
    return this.#creations.mark({
      n: this.#budget.total,
      failures: this.#budget.failed,
      connection: this.isSeparate ? this.#budget.total : 0,
      api,
      as,
      method: spec.method,
      path: spec.path,
      query: spec.query ?? {},
      ...route,
      version,
      ...(spec.body !== undefined && { body: spec.body, contentType: spec.contentType }),
      ...(date !== undefined && { date }),
      status,
      text: this.#redactor.redact(text.trimStart().slice(0, MAX_TEXT_LENGTH)),
      size: text.length,
      json,
      isEvidence:
        isEvidence(api, { ...received, method: spec.method }) &&
        (status >= 300 || hasDocumentedShape(responseKindOf(route.operation), json)),
    });
  }
}

/** One service with one set of credentials. */
export class Service {
  readonly target: Target;
  readonly #connection: Connection;
  readonly #known = new Map<string, Exchange>();
  #knownSize = 0;
  readonly #checks: ResponseChecks;
  readonly #negatives: Negatives;
  watcher: WriteWatcher | undefined;
  /** The last response, whether or not it is evidence. */
  last: Exchange | undefined;

  constructor(connection: Connection, target: Target) {
    this.#connection = connection;
    this.target = target;
    const sendControl = async (spec: RequestSpec): Promise<Exchange> => {
      const exchange = await connection.send(target, spec, async (got) => got.isEvidence && !isRefusal(got));
      this.#remember(exchange);
      return exchange;
    };
    this.#checks = new ResponseChecks(sendControl);
    this.#negatives = new Negatives(sendControl, (numbers) => connection.onVoid(new Set(numbers)));
  }

  /** Whether negative responses wait for their control. */
  get isPending(): boolean {
    return this.#negatives.isPending;
  }

  /** Sends the control for the last negative responses, at the end of a run. */
  async confirmNegatives(): Promise<void> {
    await this.#negatives.confirm(true);
  }

  /** The path whose responses do not depend on the query, although they must. */
  get ignoredQuery(): string | undefined {
    return this.#checks.ignoredQuery;
  }

  /**
   * Reads a path. A GET with a known response is not sent again.
   *
   * @throws {NoEvidence} if the response is not evidence
   */
  async get(
    path: string,
    query: Query = {},
    { version, fresh = false }: ReadOptions = {},
  ): Promise<Exchange> {
    const spec = { method: "GET", path, query, ...(version !== undefined && { version }) };
    const known = fresh ? undefined : this.#known.get(keyOf(this.target.api, spec));
    if (known !== undefined) return known;
    this.last = undefined;
    this.last = await this.#send(spec);
    const exchange = usable(this.last);
    this.#remember(exchange);
    return exchange;
  }

  /** Returns the known response to a GET. */
  known(path: string, query: Query): Exchange | undefined {
    return this.#known.get(keyOf(this.target.api, { method: "GET", path, query }));
  }

  #remember(exchange: Exchange): void {
    if (!exchange.isEvidence || this.#knownSize + exchange.size > MAX_KNOWN_SIZE) return;
    this.#knownSize += exchange.size;
    const { api, method, path, query, version = null } = exchange;
    this.#known.set(keyOf(api, { method, path, query, version }), exchange);
  }

  /** Sends a request and returns its exchange, evidence or not. */
  async send(spec: RequestSpec): Promise<Exchange> {
    const watcher = spec.method === "GET" || spec.isCleanup === true ? undefined : this.watcher;
    const exchange =
      spec.isCleanup === true ? await this.#connection.send(this.target, spec) : await this.#send(spec);
    watcher?.afterWrite(exchange);
    return exchange;
  }

  #send(spec: RequestSpec): Promise<Exchange> {
    return this.#connection.send(
      this.target,
      spec,
      async (exchange) =>
        (await this.#checks.isGenuine(exchange)) && (await this.#negatives.accept(exchange)),
    );
  }

  /** Sends each further request of the run over its own connection. */
  separateRequests(): void {
    this.#checks.isThorough = true;
    this.#connection.isSeparate = true;
  }

  /** Forgets the responses to some requests, or to all, so that they are sent again. */
  forget(numbers?: ReadonlySet<number>): void {
    this.#checks.forget();
    for (const [key, { n }] of this.#known) if (numbers?.has(n) ?? true) this.#known.delete(key);
  }
}

function keyOf(api: Target["api"], { method, path, query = {}, version }: RequestSpec): string {
  const sent = versionOf(api, version === undefined ? {} : { version });
  return `${lineOf({ method, path, query })} ${String(sent)}`;
}

function usable(exchange: Exchange): Exchange {
  if (exchange.isEvidence) return exchange;
  throw new NoEvidence(`${exchange.method} ${exchange.path}: status ${exchange.status} is not evidence`);
}
