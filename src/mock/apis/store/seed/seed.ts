import { SeededMap, SeedKeys } from "../../../seed/seeded-map.ts";
import { Random } from "../../../../wire/random.ts";
import type { StoreOptions, StoreSeed } from "../options.ts";
import { buildStore, type StoreSeedPlan } from "./generated-rows.ts";
import type { StoreData, StoreList } from "../data.ts";
import { emptyLists, isStoreList, listsOf, storeLists } from "./list-rules.ts";
import { zStore, zStoreUpsert } from "../../../../../generated/store.schemas.ts";
import type { Store } from "../../../../../generated/store.ts";
import { omitUndefined } from "../../../../wire/names.ts";
import type { RowContext } from "./own-rows.ts";
import { assertSchemaAt, idAt } from "../../../seed/state-checks.ts";

const DEFAULT_STORES = 250;

/** The default seed has stores without an external ID. gap stores.null-external-id */
const DEFAULT_WITHOUT_ID = 2;

/** A store API without any data. */
export function emptyStore(): StoreData {
  return {
    stores: new SeededMap(true),
    storesWithoutId: new SeededMap(true),
    ...emptyLists(),
  };
}

/** Seeds the store API; everything except the keys is created on first access. */
export function seedStore(data: StoreData, plan: StoreSeedPlan): void {
  const keys = plan.storeKeys;
  data.stores.seed(keys, (key) => buildStore(plan, key));
  for (const { map, rules } of listsOf(data)) map.seed(keys, (key) => rules.build(plan, key));
  const given = plan.options.stores;
  if (Array.isArray(given)) seedOwnStores(data, given, plan);
  const places = placesWithoutId(plan);
  data.storesWithoutId.seed(places, (place) => ({ ...buildStore(plan, place), externalId: null }));
  if (Array.isArray(given)) seedOwnStoresWithoutId(data, given, plan);
}

/** Returns `S-1`, `S-2`, …, for a number of stores in the options. */
export function storeKeys({ stores: wanted = DEFAULT_STORES }: StoreOptions): SeedKeys {
  return new SeedKeys(
    Array.from({ length: typeof wanted === "number" ? wanted : 0 }, (_, index) => `S-${index + 1}`),
  );
}

/** Returns the given token, or the default one. */
export function storeToken(seed: number, given: string | null | undefined): string {
  return given ?? `ref-token-${new Random(seed, "token").uuid()}`;
}

const SHARED_IDS = 8;

/** Returns the IDs that the stores of a server share. */
export function sharedIds(seed: number, name: string): string[] {
  return Array.from({ length: SHARED_IDS }, (_, index) => new Random(seed, name, index).uuid());
}

/** Returns the places of the stores without an external ID: each comes right after a store that has an external ID. */
function placesWithoutId({ options, storeKeys: keys }: StoreSeedPlan): string[] {
  const { stores, storesWithoutId = stores === undefined ? DEFAULT_WITHOUT_ID : 0 } = options;
  const given = Array.isArray(stores)
    ? stores.flatMap(({ externalId }) => externalId ?? []).toSorted()
    : keys.sorted();
  return Array.from({ length: storesWithoutId }, (_, index) => {
    const before = given[Math.floor(((index + 1) * given.length) / (storesWithoutId + 1)) - 1] ?? "";
    return placeAfter(before, index);
  });
}

/** Adds the given stores; throws an error that names a row that violates the contract. */
function seedOwnStores(data: StoreData, seeds: readonly StoreSeed[], plan: StoreSeedPlan): void {
  for (const [index, seed] of seeds.entries()) {
    const name = `store.stores[${index}]`;
    if (seed.externalId === null) continue;
    const key = idAt(seed.externalId, `${name}.externalId`);
    if (data.stores.has(key)) throw new Error(`${name}.externalId: duplicate store "${key}"`);
    seedOwnStore(data, structuredClone(seed), key, name, plan);
  }
}

/** Adds the given stores without an external ID, each after the store with an external ID that precedes it. */
function seedOwnStoresWithoutId(data: StoreData, seeds: readonly StoreSeed[], plan: StoreSeedPlan): void {
  let before = "";
  for (const [index, seed] of seeds.entries()) {
    if (seed.externalId !== null) {
      before = seed.externalId;
      continue;
    }
    const name = `store.stores[${index}]`;
    const list = storeLists.find((property) => seed[property] !== undefined);
    if (list !== undefined)
      throw new Error(`${name}.${list} cannot be given for a store without an external ID`);
    const place = placeAfter(before, index);
    const store = { ...buildStore(plan, place), ...structuredClone(seed), externalId: null } as Store; // checked below
    assertSchemaAt(store, name, zStore);
    data.storesWithoutId.set(place, store);
  }
}

/** Returns a place in the order of the external IDs that comes right after one of them. */
function placeAfter(externalId: string, index: number): string {
  return `${externalId}\u0000${String(index).padStart(6, "0")}`;
}

function seedOwnStore(
  data: StoreData,
  seed: StoreSeed,
  key: string,
  name: string,
  plan: StoreSeedPlan,
): void {
  const fields = Object.entries(seed).filter(([property]) => !isStoreList(property));
  const given = { ...Object.fromEntries(fields), externalId: key };
  data.stores.set(key, completeStore(given, name, plan));
  const random = new Random(plan.seed, "own", key);
  const context: RowContext = { name, key, random, now: new Date(plan.now).toISOString(), plan };
  for (const { name: list, map, rules } of listsOf(data)) map.set(key, rules.complete(seed[list], context));
}

function completeStore(
  fields: Omit<StoreSeed, StoreList | "externalId"> & { externalId: string },
  name: string,
  plan: StoreSeedPlan,
): Store {
  const store = { ...buildStore(plan, fields.externalId), ...omitUndefined(fields) };
  assertSchemaAt(store, name, zStoreUpsert, zStore);
  return store;
}
