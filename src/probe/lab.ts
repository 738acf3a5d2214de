import type { Budget } from "./budget.ts";
import { type Exchange, type Query, lineOf } from "./exchange.ts";
import { NoEvidence } from "./failures.ts";
import type { Sandbox } from "./sandbox.ts";
import type { ScratchStore } from "./scratch.ts";
import type { RequestSpec, Target, Wire } from "./wire.ts";

/** A request without its path. */
export type ReadOptions = Pick<RequestSpec, "version"> & {
  /** Sends the request even where its response is known. */
  readonly fresh?: boolean;
};

/** One service with one set of credentials. */
export class Service {
  readonly target: Target;
  readonly #wire: Wire;
  readonly #known = new Map<string, Exchange>();
  /** The last response, whether or not it is evidence. */
  last: Exchange | undefined;

  constructor(wire: Wire, target: Target) {
    this.#wire = wire;
    this.target = target;
  }

  /**
   * Reads a path. A read that was answered before is not sent again.
   *
   * @throws {NoEvidence} if the response proves nothing
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
    this.last = await this.#wire.send(this.target, spec);
    const exchange = usable(this.last);
    this.#known.set(key, exchange);
    return exchange;
  }

  /** Sends a request and returns its exchange, evidence or not. */
  send(spec: RequestSpec): Promise<Exchange> {
    return this.#wire.send(this.target, spec);
  }
}

/** What experiments work with. */
export interface Lab {
  readonly store: Service | undefined;
  /** The fleet API with the main key. */
  readonly fleet: Service | undefined;
  readonly sandbox: Service | undefined;
  readonly narrow: readonly Service[];
  /** The store that writes may change. */
  readonly scratch: ScratchStore | undefined;
  /** Writes to the sandbox. */
  readonly sandboxWrites: Sandbox | undefined;
  readonly budget: Budget;
  /** A text that nobody else uses, for names and ids of this run. */
  readonly marker: string;
  /** A UUID that nobody else uses. */
  uuid(): string;
  /** The reading of a gap as far as it is known. */
  reading(gap: string): string | undefined;
}

function usable(exchange: Exchange): Exchange {
  if (exchange.isEvidence) return exchange;
  throw new NoEvidence(`${exchange.method} ${exchange.path}: status ${exchange.status} proves nothing`);
}

/** The store API. @throws {NoEvidence} if the run has none */
export function storeOf({ store }: Lab): Service {
  if (store === undefined) throw new NoEvidence("no store API");
  return store;
}

/** The fleet API. @throws {NoEvidence} if the run has none */
export function fleetOf({ fleet }: Lab): Service {
  if (fleet === undefined) throw new NoEvidence("no fleet API");
  return fleet;
}
