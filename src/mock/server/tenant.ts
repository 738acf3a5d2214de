import type { Clock } from "./clock.ts";
import type { IdSequence } from "./id-sequence.ts";
import type { Journal } from "../testing/journal.ts";
import type { Overrides } from "../testing/overrides.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { MockReadings } from "./readings.ts";
import type { Redactor } from "../../wire/redaction.ts";

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
  /** The tenant's own secrets. */
  readonly secrets: Set<string>;
  /** Removes the tenant's secrets from strings. */
  readonly redactor: Redactor;
  readonly state: State;
  /** The parts of the state that snapshots copy, by name. */
  readonly collections: ReadonlyMap<string, Collection>;
}
