import { Clock } from "./clock.ts";
import { emptyFleet } from "./fleet/data.ts";
import type { FleetKey } from "./fleet/keys.ts";
import { defaultKeys, likeKeys, ownKeys } from "./fleet/own-keys.ts";
import { seedFleet } from "./fleet/seed.ts";
import { Front } from "./front.ts";
import { IdSequence } from "./id-sequence.ts";
import { Journal } from "./journal.ts";
import { type OperationId, checkedOperation, isList } from "./operation-ids.ts";
import { checkedOptions } from "./option-checks.ts";
import type { ReferenceServerOptions } from "./options.ts";
import { OperationOverride, Overrides } from "./overrides.ts";
import { Random } from "./random.ts";
import { type MockReadings, type ReadingsOption, chosenReadings } from "./readings.ts";
import { type ReferenceFetch, referenceFetch } from "./reference-fetch.ts";
import type { CoreAnswer, CoreRequest } from "./request.ts";
import { knownSecrets } from "./secrets.ts";
import type { SeedPlan } from "./seed-plan.ts";
import { Snapshot } from "./snapshot.ts";
import type { ReferenceState } from "./state.ts";
import { emptyStore, seedStore } from "./store/seed.ts";
import type { Tenant } from "./tenant.ts";
import { type Timers, ownTimers } from "./timers.ts";

const DEFAULT_SEED = 1;
const DEFAULT_NOW = "2026-01-01T00:00:00Z";
const DEFAULT_JOURNAL = 10_000;

/** The reference server of both APIs. Made by `createReferenceServer`. */
export class ReferenceServer {
  /** Address of the store API. */
  readonly storeUrl: string;
  /** Address of the fleet API's production. */
  readonly fleetUrl: string;
  /** Address of the fleet API's sandbox. */
  readonly sandboxUrl: string;
  /** The store API's token; `null` where the server was made without one. */
  readonly token: string | null;
  /** The keys of the fleet API; by default the first is a production key with every scope. */
  readonly keys: readonly FleetKey[];
  readonly state: ReferenceState;
  readonly clock: Clock;
  readonly journal: Journal;
  /** A `fetch` that ends here: it never reaches the network, and may be taken off the server. */
  readonly fetch: ReferenceFetch;
  /** @internal The timers that were there when the server was made. */
  readonly timers: Timers;
  readonly #front: Front;
  readonly #tenant: Tenant;
  readonly #initialKeys: readonly FleetKey[];
  readonly #options: ReferenceServerOptions;
  readonly #family: { tenants: number };

  /** @internal */
  constructor(
    options: ReferenceServerOptions,
    kin?: { front: Front; timers: Timers; family: { tenants: number } },
  ) {
    this.#options = options;
    const { storeUrl, fleetUrl, sandboxUrl } = checkedOptions(options);
    this.#front = kin?.front ?? new Front({ storeUrl, fleetUrl, sandboxUrl });
    this.#family = kin?.family ?? { tenants: 0 };
    this.timers = kin?.timers ?? ownTimers();
    this.storeUrl = storeUrl;
    this.fleetUrl = fleetUrl;
    this.sandboxUrl = sandboxUrl;
    this.#tenant = newTenant(options, this.#family.tenants);
    this.token = this.#tenant.token;
    this.keys = [...this.#tenant.keys.values()];
    this.#initialKeys = this.keys.map((key) => ({ ...key }));
    this.state = { store: this.#tenant.store, fleet: this.#tenant.fleet, sandbox: this.#tenant.sandbox };
    this.clock = this.#tenant.clock;
    this.journal = this.#tenant.journal;
    this.fetch = referenceFetch(this.#front, this.timers);
    this.#front.admit(this.#tenant);
    this.#sow();
  }

  /** Says what is to happen to the next requests of an operation. */
  on(operation: OperationId): OperationOverride {
    const id = checkedOperation(operation);
    return new OperationOverride(this.#tenant.overrides, id, isList(id));
  }

  /** The readings in force. */
  get readings(): Readonly<MockReadings> {
    return { ...this.#tenant.readings };
  }

  /** Switches readings from now until `reset()`; data that were looked at before stay as they are. */
  switchReadings(readings: ReadingsOption): void {
    this.#tenant.readings = chosenReadings({ ...this.#tenant.readings, ...readings });
  }

  /** A server of its own behind the same addresses, told apart by its token and keys: for parallel tests. */
  tenant(): ReferenceServer {
    this.#family.tenants += 1;
    return new ReferenceServer(this.#options, {
      front: this.#front,
      timers: this.timers,
      family: this.#family,
    });
  }

  /** A copy of the state, the clock and the id sequence. */
  snapshot(): Snapshot {
    return new Snapshot(this.#tenant);
  }

  /** Goes back to a snapshot of this server. */
  restore(snapshot: Snapshot): void {
    if (!(snapshot instanceof Snapshot)) throw new Error("restore: not a snapshot of a reference server");
    snapshot.restore(this.#tenant);
  }

  /** Goes back to the seed: state, id sequence, readings, `on`, clock and journal. */
  reset(): void {
    const tenant = this.#tenant;
    tenant.clock.offset = 0;
    tenant.ids.count = 0;
    for (const key of this.#initialKeys) restoreKey(tenant, key);
    tenant.overrides.clear();
    tenant.journal.clear();
    tenant.readings = chosenReadings(this.#options.readings);
    this.#sow();
  }

  /** The whole server as a plain function, for adapters of one's own: they wait `delay` and commit `fault`. */
  answer(request: CoreRequest): CoreAnswer {
    return this.#front.answer(request);
  }

  /** @internal Which base an absolute address belongs to. */
  locate(url: string): ReturnType<Front["locate"]> {
    return this.#front.locate(url);
  }

  #sow(): void {
    const { clock, readings, store, fleet, sandbox } = this.#tenant;
    const options = this.#options;
    const plan: SeedPlan = { seed: options.seed ?? DEFAULT_SEED, now: clock.start, options, readings };
    seedStore(store, plan);
    seedFleet(fleet, plan);
    seedFleet(sandbox, plan);
  }
}

function newTenant(options: ReferenceServerOptions, number: number): Tenant {
  const { seed = DEFAULT_SEED, now = DEFAULT_NOW } = options;
  const readings = chosenReadings(options.readings);
  const keys = keysOf(options, seed, number, readings);
  const token = tokenOf(options, seed, number);
  return {
    readings,
    clock: new Clock(now),
    ids: new IdSequence(seed),
    overrides: new Overrides(),
    journal: new Journal(options.journal?.limit ?? DEFAULT_JOURNAL),
    token,
    keys: new Map(keys.map((key) => [key.key, key])),
    secrets: knownSecrets([token, ...keys.map(({ key }) => key)]),
    store: emptyStore(),
    fleet: emptyFleet(),
    sandbox: emptyFleet(),
  };
}

/** Gives a key the end that it was made with. */
function restoreKey({ keys }: Tenant, initial: FleetKey): void {
  const key = keys.get(initial.key);
  if (key === undefined) return;
  delete key.expiresAt;
  delete key.revoked;
  Object.assign(key, initial);
}

function keysOf(
  options: ReferenceServerOptions,
  seed: number,
  number: number,
  readings: MockReadings,
): FleetKey[] {
  const keys = options.fleet?.keys === undefined ? defaultKeys(seed) : ownKeys(options.fleet.keys, readings);
  return number === 0 ? keys : likeKeys(keys, new Random(seed, "tenant keys", number));
}

function tokenOf(options: ReferenceServerOptions, seed: number, number: number): string | null {
  const token = options.store?.token;
  if (token === null || (token !== undefined && number === 0)) return token;
  return `ref-token-${new Random(seed, "token", number).uuid()}`;
}

/** Makes a reference server of both APIs; two without options are alike. */
export function createReferenceServer(options: ReferenceServerOptions = {}): ReferenceServer {
  return new ReferenceServer(options);
}
