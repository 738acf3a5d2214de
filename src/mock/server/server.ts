import { IdSequence, Random } from "./random.ts";
import { emptyFleet, type FleetData } from "../fleet/data.ts";
import { type FleetKey, initialKeys } from "../fleet/keys.ts";
import { seedFleet } from "../fleet/seed.ts";
import { emptyStore, type StoreData, type StoreToken } from "../store/data.ts";
import type { StorePlan } from "../store/generate.ts";
import { seedStore, storeKeys } from "../store/seed.ts";
import { Journal } from "../testing/journal.ts";
import { Overrides } from "../testing/overrides.ts";
import { Clock, createTimers, type Timers } from "./clock.ts";
import { RateLimiter } from "./limiter.ts";
import type { ReferenceServerOptions } from "./options.ts";
import { type Is, type MockReadings, type ReadingsOption, resolveReadings } from "./readings.ts";
import type { RowsCopy, SeedKeys, SeededMap } from "./rows.ts";
import { Secrets } from "./secrets.ts";
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
} from "./state.ts";

const DEFAULT_NOW = "2026-01-01T00:00:00Z";

/** The readings that limit the rate of requests. */
const LIMITED: ReadingsOption = {
  "limits.store-rate": "too-many-requests",
  "limits.fleet-rate": "too-many-requests",
};

/** The state of a reference server, and what changes it besides requests. */
export class Server {
  readonly #options: ReferenceServerOptions;
  readonly #seed: number;
  /** The external IDs of the generated stores. */
  readonly #storeKeys: SeedKeys;
  /** The keys as they were created, for `reset()`. */
  readonly #initialKeys: ReadonlyMap<string, FleetKey>;
  readonly #initialReadings: MockReadings;
  /** The state of the options, and the one that the data begin with instead of a seed. */
  readonly #given: ImportedState | undefined;
  #imported: ImportedState | undefined;
  #listOrigin: ListOrigin = { generator: undefined, isGenerated: () => false };
  readings: MockReadings;
  readonly is: Is = (gap, reading) => this.readings[gap] === reading;
  readonly isStrict: boolean;
  readonly change: ReferenceServerOptions["change"];
  readonly clock: Clock;
  readonly ids: IdSequence;
  readonly secrets = new Secrets();
  readonly overrides: Overrides;
  readonly journal: Journal;
  readonly timers: Timers;
  readonly limiter: RateLimiter;
  /** The number of resets: a request whose body comes after one belongs to the test before. */
  resets = 0;
  /** The first token, and whether one is configured; without one every response is 503. */
  readonly token: string;
  readonly isConfigured: boolean;
  readonly tokens = new Map<string, StoreToken>();
  readonly keys = new Map<string, FleetKey>();
  readonly store: StoreData = emptyStore();
  readonly fleet: FleetData = emptyFleet();
  readonly sandbox: FleetData = emptyFleet();

  constructor(options: ReferenceServerOptions) {
    const { seed = 1, store = {}, fleet = {}, limits, journal = {} } = options;
    this.#options = options;
    this.#seed = seed;
    this.#storeKeys = storeKeys(store);
    this.#initialReadings = resolveReadings(
      options.readings === undefined ? {} : options.readings,
      limits === undefined ? {} : LIMITED,
    );
    this.readings = { ...this.#initialReadings };
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
    for (const key of keys) this.keys.set(key.key, key);
    for (const secret of [this.token, ...this.keys.keys()]) this.secrets.add(secret);
    this.#restoreCredentials();
    this.#seedData();
  }

  switchReadings(readings: ReadingsOption): void {
    this.readings = resolveReadings(readings, this.readings);
  }

  switchLimits(limits: RateLimiter["limits"] | NonNullable<ReferenceServerOptions["limits"]>): void {
    this.limiter.switch(limits);
    this.switchReadings(LIMITED);
  }

  exportState(options: ExportOptions): ExportedState {
    return {
      version: 1,
      now: this.clock.now().toISOString(),
      generatedIds: this.ids.count,
      store: exportStores(this.store, this.#listOrigin, options.full ?? false),
      fleet: exportFleet(this.fleet, "state.fleet"),
      sandbox: exportFleet(this.sandbox, "state.sandbox"),
    };
  }

  importState(state: ExportedState): void {
    this.#imported = importState(state);
    this.#reseed();
  }

  reset(to: "seed" | "start"): void {
    if (to === "start") this.#imported = this.#given;
    this.resets += 1;
    this.clock.offset = 0;
    this.overrides.clear();
    this.journal.clear();
    this.limiter.switch();
    this.readings = { ...this.#initialReadings };
    this.#restoreCredentials();
    this.#reseed();
  }

  /** The collections that snapshots copy. */
  get collections(): SeededMap<unknown>[] {
    const all: object[] = [this.store, this.fleet, this.sandbox].flatMap((data) =>
      Object.values<object>(data),
    );
    return all as SeededMap<unknown>[]; // the data consist of them
  }

  /** Fills the data, and sets the clock if an imported state has a time. */
  #reseed(): void {
    const { now } = this.#imported ?? {};
    const isFirst = this.#imported === this.#given && this.#options.now !== undefined;
    if (now !== undefined && !isFirst) this.clock.set(now);
    this.#seedData();
  }

  #seedData(): void {
    const { store = {}, fleet = {} } = this.#options;
    const imported = this.#imported;
    this.ids.count = imported?.generatedIds ?? 0;
    if (imported !== undefined) {
      seedImportedStores(this.store, imported);
      seedImportedFleet(this.fleet, imported.fleet);
      seedImportedFleet(this.sandbox, imported.sandbox);
      const isGenerated: ListOrigin["isGenerated"] = (list, key) =>
        imported.stores.get(key)?.generated?.includes(list) === true;
      this.#listOrigin = { generator: imported.generator, isGenerated };
      return;
    }
    const plan: StorePlan = {
      seed: this.#seed,
      now: this.clock.start,
      protocolsPerStore: store.protocolsPerStore,
    };
    seedStore(this.store, plan, store, this.#storeKeys);
    for (const data of [this.fleet, this.sandbox])
      seedFleet(data, { seed: this.#seed, now: this.clock.start }, fleet);
    const { seed, now, protocolsPerStore } = plan;
    const generator = {
      version: 1 as const,
      seed,
      now: new Date(now).toISOString(),
      ...(protocolsPerStore !== undefined && { protocolsPerStore }),
    };
    this.#listOrigin = { generator, isGenerated: (_, key) => this.#storeKeys.set.has(key) };
  }

  /** Undoes every change of tokens and keys; a key that a test holds stays the same object. */
  #restoreCredentials(): void {
    const { tokenExpiresAt } = this.#options.store ?? {};
    this.tokens.clear();
    const expiry = tokenExpiresAt === undefined ? {} : { expiresAt: tokenExpiresAt };
    this.tokens.set(this.token, { token: this.token, ...expiry });
    for (const [secret, key] of this.keys) {
      const before = this.#initialKeys.get(secret);
      delete key.expiresAt;
      delete key.revoked;
      if (before === undefined) this.keys.delete(secret);
      else Object.assign(key, before);
    }
  }
}

/** A copy of a server's state, clock and ID sequence, for `restore`. */
export class Snapshot {
  readonly #server: Server;
  readonly #copies: readonly RowsCopy<unknown>[];
  readonly #offset: number;
  readonly #ids: number;

  /** @internal */
  constructor(server: Server) {
    this.#server = server;
    this.#copies = server.collections.map((rows) => rows.copy());
    this.#offset = server.clock.offset;
    this.#ids = server.ids.count;
  }

  /** @internal Restores the copy; a snapshot can be restored any number of times. */
  restore(server: Server): void {
    if (server !== this.#server) throw new Error("restore: the snapshot belongs to another reference server");
    for (const [index, rows] of server.collections.entries())
      rows.restore(this.#copies[index] as RowsCopy<unknown>); // the same collections
    server.clock.offset = this.#offset;
    server.ids.count = this.#ids;
  }
}
