import { fleetApi, type FleetApiState } from "./apis/fleet/api.ts";
import { emptyFleet } from "./apis/fleet/data.ts";
import type { FleetKey } from "./apis/fleet/keys.ts";
import { initialKeys, restoreKeys } from "./apis/fleet/seed/keys.ts";
import { seedFleet } from "./apis/fleet/seed/seed.ts";
import { seedImportedFleet } from "./apis/fleet/exported-fleet.ts";
import { storeApi, type StoreApiState } from "./apis/store/api.ts";
import type { StoreSeedPlan } from "./apis/store/seed/generated-rows.ts";
import {
  generatedListOrigin,
  importedListOrigin,
  type ListOrigin,
  seedImportedStores,
} from "./apis/store/exported-stores.ts";
import { type ImportedState, importState } from "./exported-state.ts";
import { emptyStore, sharedIds, seedStore, storeKeys, storeToken } from "./apis/store/seed/seed.ts";
import { mountApi } from "./server/request-handling.ts";
import { type MockReadings, type ReadingsOption, resolveReadings } from "./server/readings.ts";
import { operationModel } from "./apis/operations.ts";
import { type Collection, Server, type StateModel } from "./server/server.ts";
import type { MockBaseUrls, ReferenceServerOptions } from "./options.ts";

/** The state of a reference server. */
export interface ServerState extends StoreApiState, FleetApiState {
  /** The keys as they were created, for `reset()`. */
  readonly initialKeys: readonly FleetKey[];
  readonly given: ImportedState | undefined;
  /** The state that the options or `importState` give, instead of a seed. */
  imported: ImportedState | undefined;
  /** Whether `importState` gave the state, whose time then replaces that of the options. */
  isReplaced: boolean;
  /** The origin of the seeded lists of stores. */
  listOrigin: ListOrigin;
}

/** Creates the state of a server, without data. */
function createState(
  seed: number,
  { store = {}, fleet = {}, ...options }: ReferenceServerOptions,
  readings: MockReadings,
): ServerState {
  const given = options.state === undefined ? undefined : importState(options.state);
  const keys = initialKeys(seed, fleet.keys, readings);
  return {
    token: storeToken(seed, store.token),
    tokens: new Map(),
    isConfigured: store.token !== null,
    keys: new Map(keys.map((key) => [key.key, key])),
    initialKeys: keys.map((key) => ({ ...key })),
    store: emptyStore(),
    fleet: emptyFleet(),
    sandbox: emptyFleet(),
    given,
    imported: given,
    isReplaced: false,
    listOrigin: NO_LISTS,
  };
}

/** Creates the state of a server, with the functions that fill and reset it. */
function serverStateModel(
  seed: number,
  options: ReferenceServerOptions,
  initialReadings: MockReadings,
): StateModel<ServerState> {
  const { store = {}, fleet = {}, shapes } = options;
  const state = createState(seed, options, initialReadings);
  const shared = {
    storeKeys: storeKeys(store),
    regionIds: sharedIds(seed, "region"),
    scheduleIds: sharedIds(seed, "schedule"),
  };
  return {
    state,
    start: () => ({
      now: state.isReplaced ? state.imported?.now : (options.now ?? state.imported?.now),
      generatedIds: state.imported?.generatedIds ?? 0,
      isReplaced: state.isReplaced,
    }),
    seed(now, readings) {
      const plan = { seed, now, readings, shapes };
      const storePlan = { ...plan, ...shared, options: store };
      if (state.imported !== undefined) {
        seedImported(state, state.imported, storePlan);
        return;
      }
      seedStore(state.store, storePlan);
      state.listOrigin = generatedListOrigin(storePlan);
      seedFleet(state.fleet, { ...plan, options: fleet });
      seedFleet(state.sandbox, { ...plan, options: fleet });
    },
    restoreCredentials() {
      restoreKeys(state.keys, state.initialKeys);
      restoreToken(state, store.tokenExpiresAt);
    },
    secrets: [state.token, ...state.keys.keys()],
    collections: collectionsOf(state),
  };
}

/** Undoes every change of the token, and removes added tokens. */
function restoreToken({ token, tokens }: ServerState, expiresAt: string | undefined): void {
  tokens.clear();
  tokens.set(token, { token, ...(expiresAt !== undefined && { expiresAt }) });
}

const NO_LISTS: ListOrigin = { generator: undefined, isGenerated: () => false };

function seedImported(state: ServerState, imported: ImportedState, plan: StoreSeedPlan): void {
  seedImportedStores(state.store, imported.store, plan);
  state.listOrigin = importedListOrigin(imported.store);
  seedImportedFleet(state.fleet, imported.fleet);
  seedImportedFleet(state.sandbox, imported.sandbox);
}

function collectionsOf({ store, fleet, sandbox }: ServerState): ReadonlyMap<string, Collection> {
  const parts: Record<string, Record<string, Collection>> = { store: { ...store }, fleet, sandbox };
  const named = Object.entries(parts).flatMap(([part, collections]) =>
    Object.entries(collections).map(([name, collection]): [string, Collection] => [
      `${part}.${name}`,
      collection,
    ]),
  );
  return new Map(named);
}

const DEFAULT_SEED = 1;
const DEFAULT_NOW = "2026-01-01T00:00:00Z";
const DEFAULT_JOURNAL = { limit: 10_000, maxBytes: 8_388_608 };

/** The readings that limit the rate of requests. */
export const LIMITED: ReadingsOption = {
  "limits.store-rate": "too-many-requests",
  "limits.fleet-rate": "too-many-requests",
};

export function createServer(options: ReferenceServerOptions, baseUrls: MockBaseUrls): Server<ServerState> {
  const seed = options.seed ?? DEFAULT_SEED;
  const readings = resolveReadings(options.readings, options.limits === undefined ? {} : LIMITED);
  return new Server<ServerState>({
    seed,
    now: options.now ?? DEFAULT_NOW,
    readings,
    isStrict: options.strict ?? false,
    limits: options.limits === undefined ? {} : options.limits,
    change: options.change,
    timers: options.timers,
    journal: {
      limit: options.journal?.limit ?? DEFAULT_JOURNAL.limit,
      maxBytes: options.journal?.maxBytes ?? DEFAULT_JOURNAL.maxBytes,
    },
    mounts: [
      mountApi("store", baseUrls.storeUrl, storeApi),
      mountApi("fleet", baseUrls.fleetUrl, fleetApi),
      mountApi("sandbox", baseUrls.sandboxUrl, fleetApi),
    ],
    operations: operationModel,
    model: serverStateModel(seed, options, readings),
  });
}
