import { Clock } from "./clock.ts";
import { emptyFleet } from "../apis/fleet/data.ts";
import type { FleetKey } from "../apis/fleet/keys.ts";
import { defaultKeys, likeKeys, ownKeys } from "../apis/fleet/seed/keys.ts";
import { seedFleet } from "../apis/fleet/seed/seed.ts";
import { Front } from "./tenant-router.ts";
import { IdSequence } from "./id-sequence.ts";
import { Journal } from "./journal.ts";
import { checkedOptions } from "../option-checks.ts";
import type { ReferenceServerOptions } from "../options.ts";
import { Overrides } from "./overrides.ts";
import { Random } from "../seed/random.ts";
import { type MockReadings, chosenReadings } from "./readings.ts";
import { knownSecrets } from "./redaction.ts";
import type { SeedKeys } from "../seed/seed-keys.ts";
import { emptyStore, seedStore, storeKeys } from "../apis/store/seed/seed.ts";
import type { Tenant } from "./tenant.ts";
import { type Timers, ownTimers } from "./timers.ts";

const DEFAULT_SEED = 1;
const DEFAULT_NOW = "2026-01-01T00:00:00Z";
const DEFAULT_JOURNAL = 10_000;

/** A server and its tenants: what they share, and how each begins. */
export class Family {
  readonly front: Front;
  /** The timers that were there when the server was made. */
  readonly timers: Timers = ownTimers();
  readonly #options: ReferenceServerOptions;
  readonly #seed: number;
  readonly #storeKeys: SeedKeys;
  readonly #regionIds: readonly string[];
  readonly #scheduleIds: readonly string[];
  #members = 0;

  constructor(options: ReferenceServerOptions) {
    this.front = new Front(checkedOptions(options));
    this.#options = options;
    this.#seed = options.seed ?? DEFAULT_SEED;
    this.#storeKeys = storeKeys(options);
    this.#regionIds = uuids(this.#seed, "region");
    this.#scheduleIds = uuids(this.#seed, "schedule");
  }

  /** The server itself the first time, then one tenant after the other. */
  newMember(): Tenant {
    const readings = chosenReadings(this.#options.readings);
    const keys = this.#keys(readings);
    const token = this.#token();
    this.#members += 1;
    const tenant: Tenant = {
      readings,
      clock: new Clock(this.#options.now ?? DEFAULT_NOW),
      ids: new IdSequence(this.#seed),
      overrides: new Overrides(),
      journal: new Journal(this.#options.journal?.limit ?? DEFAULT_JOURNAL),
      token,
      isConfigured: this.#options.store?.token !== null,
      keys: new Map(keys.map((key) => [key.key, key])),
      secrets: knownSecrets([token, ...keys.map(({ key }) => key)]),
      store: emptyStore(),
      fleet: emptyFleet(),
      sandbox: emptyFleet(),
    };
    this.#sow(tenant);
    this.front.admit(tenant);
    return tenant;
  }

  /** Takes a tenant back to where it began; `keys` are its keys as they were then. */
  reset(tenant: Tenant, keys: readonly FleetKey[]): void {
    tenant.clock.offset = 0;
    tenant.ids.count = 0;
    tenant.overrides.clear();
    tenant.journal.clear();
    tenant.readings = chosenReadings(this.#options.readings);
    for (const key of keys) restoreKey(tenant, key);
    this.#sow(tenant);
  }

  #sow({ clock, readings, store, fleet, sandbox }: Tenant): void {
    const plan = {
      seed: this.#seed,
      now: clock.start,
      options: this.#options,
      readings,
      storeKeys: this.#storeKeys,
      regionIds: this.#regionIds,
      scheduleIds: this.#scheduleIds,
    };
    seedStore(store, plan);
    seedFleet(fleet, plan);
    seedFleet(sandbox, plan);
  }

  #keys(readings: MockReadings): FleetKey[] {
    const given = this.#options.fleet?.keys;
    const keys = given === undefined ? defaultKeys(this.#seed) : ownKeys(given, readings);
    return this.#members === 0 ? keys : likeKeys(keys, new Random(this.#seed, "tenant keys", this.#members));
  }

  #token(): string {
    const { token } = this.#options.store ?? {};
    if (typeof token === "string" && this.#members === 0) return token;
    return `ref-token-${new Random(this.#seed, "token", this.#members).uuid()}`;
  }
}

const SHARED_IDS = 8;

function uuids(seed: number, name: string): string[] {
  return Array.from({ length: SHARED_IDS }, (_, index) => new Random(seed, name, index).uuid());
}

/** Gives a key the end that it was made with. */
function restoreKey({ keys }: Tenant, initial: FleetKey): void {
  const key = keys.get(initial.key);
  if (key === undefined) return;
  delete key.expiresAt;
  delete key.revoked;
  Object.assign(key, initial);
}
