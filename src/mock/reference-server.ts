import type { JsonObject } from "../../generated/fleet.ts";
import type { Store } from "../../generated/store.ts";
import { type Location, type ReferenceFetch, referenceFetch } from "./adapters/fetch.ts";
import { emptyFleet, type FleetKey, type FleetResource } from "./fleet/data.ts";
import { seedFleet } from "./fleet/seed.ts";
import { Clock, createTimers, type Timers } from "./server/clock.ts";
import { Credentials, initialKeys } from "./server/credentials.ts";
import type { Base, CoreRequest, CoreResponse } from "./server/exchange.ts";
import { handle } from "./server/handle.ts";
import { RateLimiter, type RateLimits, type ResolvedLimits } from "./server/limiter.ts";
import type { OperationId } from "./server/operations.ts";
import {
  type Is,
  type MockReadings,
  type ReadingsOption,
  type ReferenceServerOptions,
  resolveReadings,
  validateOptions,
} from "./server/options.ts";
import { IdSequence, Random } from "./server/random.ts";
import { deepCopy } from "./server/rows.ts";
import { Secrets } from "./server/secrets.ts";
import { type Data, type ExportedState, exportData, parseState, seedState } from "./server/state.ts";
import { emptyStore, type StoreList, type StoreRows } from "./store/data.ts";
import { seedStore } from "./store/seed.ts";
import { Journal } from "./testing/journal.ts";
import type { OverrideMatcher } from "./testing/matcher.ts";
import { OperationOverride, Overrides } from "./testing/overrides.ts";

/** The data of the store API, by external ID. */
export type StoreState = {
  readonly stores: Map<string, Store>;
  /** The stores without an external ID, which no path reaches, by their place in the order of the external IDs. */
  readonly storesWithoutId: Map<string, Store>;
} & { readonly [List in StoreList]: Map<string, StoreRows[List][]> };

/** The data of one environment of the fleet API, each resource by id. */
export type FleetState = { readonly [Resource in FleetResource]: Map<string, JsonObject> };

/** The state of a server. Tests read and change it; the next response shows the change. */
export interface ReferenceState {
  readonly store: StoreState;
  /** Production of the fleet API. */
  readonly fleet: FleetState;
  readonly sandbox: FleetState;
}

const DEFAULT_NOW = "2026-01-01T00:00:00Z";

/** The readings that limit the rate of requests. */
const LIMITED: ReadingsOption = {
  "limits.store-rate": "too-many-requests",
  "limits.fleet-rate": "too-many-requests",
};

/** The reference server of both APIs. Made by `createReferenceServer`. */
export class ReferenceServer {
  /** Base URL of the store API. */
  readonly storeUrl: string;
  /** Base URL of the fleet API's production. */
  readonly fleetUrl: string;
  /** Base URL of the fleet API's sandbox. */
  readonly sandboxUrl: string;
  /** The token of the store API. If the server has no configured token, every request gets 503, also with this one. */
  readonly token: string;
  /** Adds and lists tokens and keys, and lets them expire. */
  readonly credentials: Credentials;
  readonly state: ReferenceState;
  readonly clock: Clock;
  readonly journal: Journal;
  /** The active overrides, declared by `on`. */
  readonly overrides: Overrides;
  /** A `fetch` that the server responds to. It never reaches the network, and does not need the server as `this`. */
  readonly fetch: ReferenceFetch;
  /** @internal The timers of delays. */
  readonly timers: Timers;
  /** @internal The number of resets: a request whose body comes after one belongs to the test before. */
  resets = 0;
  /** @internal */
  readonly data: Data = { store: emptyStore(), fleet: emptyFleet(), sandbox: emptyFleet() };
  /** @internal */
  readonly is: Is = (gap, reading) => this.#readings[gap] === reading;
  /** @internal */
  readonly isStrict: boolean;
  /** @internal */
  readonly ids: IdSequence;
  /** @internal */
  readonly secrets = new Secrets();
  /** @internal */
  readonly limiter: RateLimiter;
  /** @internal Without a configured token every response of the store API is 503. */
  readonly isConfigured: boolean;
  readonly #options: ReferenceServerOptions;
  /** The state of the options. */
  readonly #state: ExportedState | undefined;
  /** The names and URLs of the bases, the longest first: one base may be below another. */
  readonly #bases: readonly (readonly [base: Base, url: string])[];
  readonly #initialReadings: MockReadings;
  #readings: MockReadings;

  /** @internal */
  constructor(options: ReferenceServerOptions) {
    const { storeUrl, fleetUrl, sandboxUrl } = validateOptions(options);
    const { seed = 1, limits, journal = {}, readings = {}, state } = options;
    // copies: what a test does to its rows later changes nothing
    const { store = {}, fleet = {} } = deepCopy({ store: options.store, fleet: options.fleet });
    this.#options = { ...options, store, fleet };
    this.storeUrl = storeUrl;
    this.fleetUrl = fleetUrl;
    this.sandboxUrl = sandboxUrl;
    const bases: [Base, string][] = [
      ["store", storeUrl],
      ["fleet", fleetUrl],
      ["sandbox", sandboxUrl],
    ];
    this.#bases = bases.toSorted(([, a], [, b]) => b.length - a.length);
    this.#initialReadings = resolveReadings(readings, limits === undefined ? {} : LIMITED);
    this.#readings = this.#initialReadings;
    this.isStrict = options.strict ?? false;
    this.#state = state === undefined ? undefined : parseState(state);
    this.clock = new Clock(options.now ?? this.#state?.now ?? DEFAULT_NOW);
    this.ids = new IdSequence(seed);
    this.overrides = new Overrides(seed);
    const { limit = 10_000, maxBytes = 33_554_432 } = journal;
    this.journal = new Journal({ limit, maxBytes }, this.secrets);
    this.timers = createTimers(options.timers ?? "captured");
    this.limiter = new RateLimiter(limits === undefined ? {} : limits, this.clock, this.timers);
    this.token = store.token ?? `ref-token-${new Random(seed, "token").uuid()}`;
    this.isConfigured = store.token !== null;
    const keys = initialKeys(seed, fleet.keys);
    this.credentials = new Credentials({ token: this.token, keys }, this.clock, this.secrets);
    this.state = this.data;
    this.fetch = referenceFetch(this, [storeUrl, fleetUrl, sandboxUrl]);
    this.reset();
  }

  /**
   * Declares overrides of an operation's next requests, or of all operations with `"*"`. A matcher selects
   * requests.
   *
   * @example ref.on("getStore", { path: { externalId: "S-2" } }).always({ status: 503 });
   */
  on<Id extends OperationId | "*">(operation: Id, matcher?: OverrideMatcher<Id>): OperationOverride {
    return new OperationOverride(this.overrides, operation, matcher);
  }

  /** The keys of the fleet API; by default the first is a production key with every scope. */
  get keys(): readonly FleetKey[] {
    return [...this.credentials.keyring.values()];
  }

  /** The first key of the fleet API; by default a production key with every scope. Throws if the server has no key. */
  get key(): string {
    const [first] = this.keys;
    if (first === undefined) throw new Error("key: the server has no key. Give it one with fleet.keys");
    return first.key;
  }

  /**
   * The options of a `StoreClient` of this server.
   * @example const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
   */
  get storeOptions(): { baseUrl: string; token: string; fetch: ReferenceFetch } {
    return { baseUrl: this.storeUrl, token: this.token, fetch: this.fetch };
  }

  /**
   * The options of a `FleetClient` of this server, with its first key. The prefix of the key selects the environment.
   * Throws if the server has no key.
   */
  get fleetOptions(): {
    environments: { production: string; sandbox: string };
    key: string;
    fetch: ReferenceFetch;
  } {
    const environments = { production: this.fleetUrl, sandbox: this.sandboxUrl };
    return { environments, key: this.key, fetch: this.fetch };
  }

  /** The current reading of every gap. */
  get readings(): Readonly<MockReadings> {
    return this.#readings;
  }

  /** Switches readings until `reset()`; rows that were read before do not change. */
  switchReadings(readings: ReadingsOption): void {
    this.#readings = resolveReadings(readings, this.#readings);
  }

  /** The current rate limits. They apply to an API if the reading of `limits.store-rate` or `limits.fleet-rate` says so. */
  get limits(): ResolvedLimits {
    return { ...this.limiter.limits };
  }

  /** Limits the rate of requests to both APIs until `reset()`. Every token and key begins with a full bucket. */
  switchLimits(limits: RateLimits): void {
    this.limiter.switch(limits);
    this.switchReadings(LIMITED);
  }

  /**
   * Returns the data as plain JSON, for the option `state` or a file: seed data and all changes (also of the
   * sandbox), the clock's time and the ID sequence, without tokens, keys, readings and overrides.
   */
  exportState(): ExportedState {
    const now = this.clock.now().toISOString();
    return { version: 1, now, generatedIds: this.ids.count, ...exportData(this.data) };
  }

  /**
   * Replaces the data by a state, as `exportState()` returns it, and sets the clock to its time. Tokens, keys, readings,
   * overrides and the journal stay.
   */
  importState(state: ExportedState): void {
    this.#import(parseState(state));
    if (state.now !== undefined) this.clock.set(state.now);
  }

  /** Resets the server to its start: data, tokens, keys, ID sequence, readings, limits, `on`, clock and journal. */
  reset(): void {
    const { seed = 1, store = {}, fleet = {} } = this.#options;
    this.resets += 1;
    this.clock.offset = 0;
    this.ids.restart(0, [store, fleet]);
    this.overrides.clear();
    this.journal.clear();
    this.limiter.switch();
    this.#readings = this.#initialReadings;
    this.credentials.reset();
    if (this.#state !== undefined) {
      this.#import(this.#state);
      return;
    }
    const plan = { seed, now: this.clock.start, protocolsPerStore: store.protocolsPerStore };
    seedStore(this.data.store, plan, store);
    seedFleet([this.data.fleet, this.data.sandbox], plan, fleet);
  }

  #import(state: ExportedState): void {
    this.ids.restart(state.generatedIds ?? 0, state.generatedIds === undefined && state);
    seedState(this.data, state);
  }

  /** @internal Returns the response to a request, for adapters, which wait `delay` and apply `fault`. */
  respond(request: CoreRequest): CoreResponse {
    return handle(this, request);
  }

  /** @internal Splits an absolute URL into base and target. */
  locate(url: string): Location | undefined {
    for (const [base, prefix] of this.#bases) {
      const target = url.slice(prefix.length);
      if (url.startsWith(prefix) && (target === "" || /^[/?#]/.test(target))) return { base, target };
    }
    return undefined;
  }
}

/**
 * Creates a reference server of both APIs. Two servers with the same options have the same data.
 * @example
 * const ref = createReferenceServer({ store: { stores: 3 } });
 * const store = new StoreClient(ref.storeOptions);
 */
export function createReferenceServer(options: ReferenceServerOptions = {}): ReferenceServer {
  return new ReferenceServer(options);
}
