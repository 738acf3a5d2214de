import * as z from "zod/mini";
import type { JsonObject } from "../../generated/fleet.ts";
import type { Store } from "../../generated/store.ts";
import { type Location, type ReferenceFetch, referenceFetch } from "./adapters/fetch.ts";
import { emptyFleet, type FleetData, type FleetResource } from "./fleet/data.ts";
import { type FleetKey, initialKeys } from "./fleet/keys.ts";
import { seedFleet } from "./fleet/seed.ts";
import { Clock, createTimers, type Timers } from "./server/clock.ts";
import { Credentials } from "./server/credentials.ts";
import {
  type Base,
  BODY_LIMIT,
  type CoreRequest,
  type CoreResponse,
  type RequestHeaders,
} from "./server/exchange.ts";
import { handle } from "./server/handle.ts";
import { RateLimiter, type RateLimits, type ResolvedLimits } from "./server/limiter.ts";
import type { OperationId } from "./server/operations.ts";
import { type ReferenceServerOptions, validateOptions } from "./server/options.ts";
import { IdSequence, Random } from "./server/random.ts";
import { type Is, type MockReadings, type ReadingsOption, resolveReadings } from "./server/readings.ts";
import type { RowsCopy, SeedKeys, SeededMap } from "./server/rows.ts";
import { parse } from "./server/schemas.ts";
import { Secrets } from "./server/secrets.ts";
import {
  exportFleet,
  exportStores,
  type ExportedState,
  type ExportOptions,
  importState,
  type ImportedState,
  type ListOrigin,
  seedImportedFleet,
  seedImportedStores,
} from "./server/state.ts";
import { emptyStore, type StoreData, type StoreList, type StoreRows, type StoreToken } from "./store/data.ts";
import { seedStore, storeKeys } from "./store/seed.ts";
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

/** The same data, as the handlers of requests see it. */
interface Data {
  readonly store: StoreData;
  readonly fleet: FleetData;
  readonly sandbox: FleetData;
}

const DEFAULT_NOW = "2026-01-01T00:00:00Z";

/** The readings that limit the rate of requests. */
const LIMITED: ReadingsOption = {
  "limits.store-rate": "too-many-requests",
  "limits.fleet-rate": "too-many-requests",
};

const resetSchema = z.strictObject({ to: z.optional(z.enum(["seed", "start"])) });
const exportSchema = z.strictObject({ full: z.optional(z.boolean()) });

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
  /** Adds, lists, revokes and expires tokens and keys. */
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
  /** @internal The number of bytes of a body that an adapter reads: gap limits.body-size. */
  readonly bodyLimit = BODY_LIMIT;
  /** @internal The number of resets: a request whose body comes after one belongs to the test before. */
  resets = 0;
  /** @internal */
  readonly data: Data = { store: emptyStore(), fleet: emptyFleet(), sandbox: emptyFleet() };
  /** @internal */
  readonly is: Is = (gap, reading) => this.#readings[gap] === reading;
  /** @internal */
  readonly isStrict: boolean;
  /** @internal */
  readonly change: ReferenceServerOptions["change"];
  /** @internal */
  readonly ids: IdSequence;
  /** @internal */
  readonly secrets = new Secrets();
  /** @internal */
  readonly limiter: RateLimiter;
  /** @internal Without a configured token every response of the store API is 503. */
  readonly isConfigured: boolean;
  /** @internal */
  readonly tokens = new Map<string, StoreToken>();
  /** @internal The keys by their secrets. */
  readonly keyring = new Map<string, FleetKey>();
  readonly #options: ReferenceServerOptions;
  /** The names and URLs of the bases, the longest first: one base may be below another. */
  readonly #bases: readonly (readonly [base: Base, url: string])[];
  /** The external IDs of the generated stores. */
  readonly #storeKeys: SeedKeys;
  /** The keys as they were created, for `reset()`. */
  readonly #initialKeys: ReadonlyMap<string, FleetKey>;
  readonly #initialReadings: MockReadings;
  #readings: MockReadings;
  /** The state of the options, and the one that the data begin with instead of a seed. */
  readonly #given: ImportedState | undefined;
  #imported: ImportedState | undefined;
  #listOrigin: ListOrigin = { generator: undefined, isGenerated: () => false };

  /** @internal */
  constructor(options: ReferenceServerOptions) {
    const { storeUrl, fleetUrl, sandboxUrl } = validateOptions(options);
    const { seed = 1, store = {}, fleet = {}, limits, journal = {} } = options;
    this.#options = options;
    this.storeUrl = storeUrl;
    this.fleetUrl = fleetUrl;
    this.sandboxUrl = sandboxUrl;
    const bases = [
      ["store", storeUrl] as const,
      ["fleet", fleetUrl] as const,
      ["sandbox", sandboxUrl] as const,
    ];
    this.#bases = bases.toSorted(([, a], [, b]) => b.length - a.length);
    this.#storeKeys = storeKeys(store);
    this.#initialReadings = resolveReadings(
      options.readings === undefined ? {} : options.readings,
      limits === undefined ? {} : LIMITED,
    );
    this.#readings = this.#initialReadings;
    this.isStrict = options.strict ?? false;
    this.change = options.change;
    this.#given = options.state === undefined ? undefined : importState(options.state);
    this.#imported = this.#given;
    this.clock = new Clock(options.now ?? this.#given?.now ?? DEFAULT_NOW);
    this.ids = new IdSequence(seed);
    this.overrides = new Overrides(seed, this.secrets);
    const { limit = 10_000, maxBytes = 8_388_608 } = journal;
    this.journal = new Journal({ limit, maxBytes }, this.secrets);
    this.timers = createTimers(options.timers ?? "captured");
    this.limiter = new RateLimiter(limits === undefined ? {} : limits, this.clock, this.timers);
    this.token = store.token ?? `ref-token-${new Random(seed, "token").uuid()}`;
    this.isConfigured = store.token !== null;
    const keys = initialKeys(seed, fleet.keys);
    this.#initialKeys = new Map(keys.map((key) => [key.key, { ...key }]));
    for (const key of keys) this.keyring.set(key.key, key);
    for (const secret of [this.token, ...this.keyring.keys()]) this.secrets.add(secret);
    this.credentials = new Credentials(this);
    this.state = this.data;
    this.fetch = referenceFetch(this);
    this.#restoreCredentials();
    this.#seedData();
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
    return [...this.keyring.values()];
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

  /** Copies the state, the clock and the ID sequence. */
  snapshot(): Snapshot {
    return new Snapshot(this);
  }

  /** Restores a snapshot of this server. */
  restore(snapshot: Snapshot): void {
    if (!(snapshot instanceof Snapshot)) throw new Error("restore: not a snapshot of a reference server");
    snapshot.restore(this);
  }

  /**
   * Returns the data as plain JSON, for the option `state` or a file: seed data and all changes (also of the
   * sandbox), the clock's time and the ID sequence, without tokens, keys, readings and overrides.
   */
  exportState(options: ExportOptions = {}): ExportedState {
    const { full = false } = parse(exportSchema, options, "exportState");
    const { store, fleet, sandbox } = this.data;
    return {
      version: 1,
      now: this.clock.now().toISOString(),
      generatedIds: this.ids.count,
      store: exportStores(store, this.#listOrigin, full),
      fleet: exportFleet(fleet, "state.fleet"),
      sandbox: exportFleet(sandbox, "state.sandbox"),
    };
  }

  /**
   * Replaces the data by a state, as `exportState()` returns it, and sets the clock to its time. `reset()` returns to this
   * state. Tokens, keys, readings, overrides and the journal stay.
   */
  importState(state: ExportedState): void {
    this.#imported = importState(state);
    this.#reseed();
  }

  /**
   * Resets the server to its seed: state, keys, ID sequence, readings, `on`, clock and journal. After `importState`
   * this is the imported state; with `{ to: "start" }` it is the data that the server was created with.
   */
  reset(options: { to?: "seed" | "start" | undefined } = {}): void {
    if (parse(resetSchema, options, "reset").to === "start") this.#imported = this.#given;
    this.resets += 1;
    this.clock.offset = 0;
    this.overrides.clear();
    this.journal.clear();
    this.limiter.switch();
    this.#readings = this.#initialReadings;
    this.#restoreCredentials();
    this.#reseed();
  }

  /** Returns the response to a request, for custom adapters, which wait `delay` and apply `fault`. */
  respond(request: CoreRequest): CoreResponse {
    return handle(this, request);
  }

  /** @internal Removes the server's secrets and those in the headers of a request from a string. */
  redact(text: string, headers: RequestHeaders): string {
    return this.secrets.redactionFor(headers)(text);
  }

  /** @internal Splits an absolute URL into base and target. */
  locate(url: string): Location | undefined {
    for (const [base, prefix] of this.#bases) {
      const target = url.slice(prefix.length);
      if (url.startsWith(prefix) && (target === "" || /^[/?#]/.test(target))) return { base, target };
    }
    return undefined;
  }

  /** Fills the data, and sets the clock if an imported state has a time. */
  #reseed(): void {
    const { now } = this.#imported ?? {};
    const isFirst = this.#imported === this.#given && this.#options.now !== undefined;
    if (now !== undefined && !isFirst) this.clock.set(now);
    this.#seedData();
  }

  #seedData(): void {
    const { seed = 1, store = {}, fleet = {} } = this.#options;
    const imported = this.#imported;
    this.ids.count = imported?.generatedIds ?? 0;
    const { store: stores, fleet: production, sandbox } = this.data;
    if (imported !== undefined) {
      seedImportedStores(stores, imported);
      seedImportedFleet(production, imported.fleet);
      seedImportedFleet(sandbox, imported.sandbox);
      const isGenerated: ListOrigin["isGenerated"] = (list, key) =>
        imported.stores.get(key)?.generated?.includes(list) === true;
      this.#listOrigin = { generator: imported.generator, isGenerated };
      return;
    }
    const plan = { seed, now: this.clock.start, protocolsPerStore: store.protocolsPerStore };
    seedStore(stores, plan, store, this.#storeKeys);
    seedFleet([production, sandbox], plan, fleet);
    const generator = { version: 1 as const, ...plan, now: new Date(plan.now).toISOString() };
    this.#listOrigin = { generator, isGenerated: (_, key) => this.#storeKeys.set.has(key) };
  }

  /** Undoes every change of tokens and keys; a key that a test holds stays the same object. */
  #restoreCredentials(): void {
    const { tokenExpiresAt } = this.#options.store ?? {};
    this.tokens.clear();
    const expiry = tokenExpiresAt === undefined ? {} : { expiresAt: tokenExpiresAt };
    this.tokens.set(this.token, { token: this.token, ...expiry });
    for (const [secret, key] of this.keyring) {
      const before = this.#initialKeys.get(secret);
      delete key.expiresAt;
      delete key.revoked;
      if (before === undefined) this.keyring.delete(secret);
      else Object.assign(key, before);
    }
  }
}

/** A copy of a server's state, clock and ID sequence, for `restore`. */
export class Snapshot {
  readonly #server: ReferenceServer;
  readonly #copies: readonly RowsCopy<unknown>[];
  readonly #offset: number;
  readonly #ids: number;

  /** @internal */
  constructor(server: ReferenceServer) {
    this.#server = server;
    this.#copies = collectionsOf(server).map((rows) => rows.copy());
    this.#offset = server.clock.offset;
    this.#ids = server.ids.count;
  }

  /** @internal Restores the copy; a snapshot can be restored any number of times. */
  restore(server: ReferenceServer): void {
    if (server !== this.#server) throw new Error("restore: the snapshot belongs to another reference server");
    for (const [index, rows] of collectionsOf(server).entries())
      rows.restore(this.#copies[index] as RowsCopy<unknown>); // the same collections
    server.clock.offset = this.#offset;
    server.ids.count = this.#ids;
  }
}

function collectionsOf({ data }: ReferenceServer): SeededMap<unknown>[] {
  const { store, fleet, sandbox } = data;
  const all: object[] = [store, fleet, sandbox].flatMap((part) => Object.values<object>({ ...part }));
  return all as SeededMap<unknown>[]; // the data consist of them
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
