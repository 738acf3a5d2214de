import { type Exchange, type Query, lineOf } from "./exchange.ts";
import { NoEvidence } from "./failures.ts";
import type { RequestSpec, Target, HttpSender } from "./http-sender.ts";

/** The options of a request. */
export type ReadOptions = Pick<RequestSpec, "version"> & {
  /** Sends the request even if its response is known. */
  readonly fresh?: boolean;
};

/** The number of characters of all responses that are kept. A read of another one is sent again. */
const MAX_KNOWN_SIZE = 16 * 1024 * 1024;

/** Learns of the writes of an experiment. */
export interface WriteWatcher {
  afterWrite(exchange: Exchange): void;
}

/** One service with one set of credentials. */
export class Service {
  readonly target: Target;
  readonly #sender: HttpSender;
  readonly #known = new Map<string, Exchange>();
  #knownSize = 0;
  watcher: WriteWatcher | undefined;
  /** The last response, whether or not it is evidence. */
  last: Exchange | undefined;

  constructor(sender: HttpSender, target: Target) {
    this.#sender = sender;
    this.target = target;
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
    const key = `${lineOf({ method: "GET", path, query })} ${String(version)}`;
    const known = fresh ? undefined : this.#known.get(key);
    if (known !== undefined) return known;
    const spec = { method: "GET", path, query, ...(version !== undefined && { version }) };
    this.last = undefined;
    this.last = await this.#sender.send(this.target, spec);
    const exchange = usable(this.last);
    if (this.#knownSize + exchange.size <= MAX_KNOWN_SIZE) {
      this.#knownSize += exchange.size;
      this.#known.set(key, exchange);
    }
    return exchange;
  }

  /** Sends a request and returns its exchange, evidence or not. */
  async send(spec: RequestSpec): Promise<Exchange> {
    const watcher = spec.method === "GET" || spec.isCleanup === true ? undefined : this.watcher;
    const exchange = await this.#sender.send(this.target, spec);
    watcher?.afterWrite(exchange);
    return exchange;
  }

  /** Forgets all responses, so that they are read again. */
  forget(): void {
    this.#known.clear();
  }
}

function usable(exchange: Exchange): Exchange {
  if (exchange.isEvidence) return exchange;
  throw new NoEvidence(`${exchange.method} ${exchange.path}: status ${exchange.status} is not evidence`);
}
