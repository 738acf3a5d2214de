import type { Clock } from "./clock.ts";
import type { Journal } from "../testing/journal.ts";
import type { Overrides } from "../testing/overrides.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { MockReadings } from "./readings.ts";
import type { ResponseChange } from "../testing/rule.ts";
import type { Redactor } from "../../wire/redaction.ts";
import { Random } from "../../wire/random.ts";

/** A part of a tenant's state that a snapshot can copy and restore. */
export interface Collection {
  /** Returns a copy that `restore` accepts. */
  copy(): unknown;
  /** Restores a copy of the same collection. */
  restore(copy: unknown): void;
}

/** One server behind the shared URLs; `State` belongs to the APIs, and the kernel never reads it. */
export interface Tenant<State> {
  readings: MockReadings;
  /** Whether a violation of the contract is a 400, also one that the readings tolerate. */
  readonly isStrict: boolean;
  readonly clock: Clock;
  readonly ids: IdSequence;
  readonly overrides: Overrides;
  readonly journal: Journal;
  readonly limiter: RateLimiter;
  /** The change of each response that the options give. */
  readonly change: ResponseChange | undefined;
  /** The base URLs of the data that may differ from the seed. */
  written: ReadonlySet<string>;
  /** The tenant's own secrets. */
  readonly secrets: Set<string>;
  /** Removes the tenant's secrets from strings. */
  readonly redactor: Redactor;
  readonly state: State;
  /** The parts of the state that snapshots copy, by name. */
  readonly collections: ReadonlyMap<string, Collection>;
}

/** Generates IDs for new resources: the same requests in the same order get the same IDs. */
export class IdSequence {
  readonly #seed: number;
  /** The number of generated IDs. */
  count: number;

  constructor(seed: number, count = 0) {
    this.#seed = seed;
    this.count = count;
  }

  uuid(): string {
    return this.next().uuid();
  }

  /** Returns random numbers for the next resource. */
  next(): Random {
    this.count += 1;
    return new Random(this.#seed, "made", this.count);
  }
}

/** A copy of a server's state, clock and ID sequence, for `restore`. */
export class Snapshot {
  readonly #tenant: object;
  readonly #copies = new Map<string, unknown>();
  readonly #offset: number;
  readonly #ids: number;
  readonly #written: ReadonlySet<string>;

  /** @internal */
  constructor(tenant: Tenant<unknown>) {
    this.#tenant = tenant;
    for (const [name, collection] of tenant.collections) this.#copies.set(name, collection.copy());
    this.#offset = tenant.clock.offset;
    this.#ids = tenant.ids.count;
    this.#written = tenant.written;
  }

  /** @internal Restores the copy; a snapshot can be restored any number of times. */
  restore(tenant: Tenant<unknown>): void {
    if (tenant !== this.#tenant)
      throw new Error("restore: the snapshot belongs to another reference server or tenant");
    for (const [name, collection] of tenant.collections) collection.restore(this.#copies.get(name));
    tenant.clock.offset = this.#offset;
    tenant.ids.count = this.#ids;
    tenant.written = this.#written;
  }
}
