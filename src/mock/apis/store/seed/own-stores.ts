import { zStore, zStoreUpsert } from "../../../../../generated/store.schemas.ts";
import type { Store } from "../../../../../generated/store.ts";
import { Random } from "../../../../wire/random.ts";
import type { StoreData, StoreList } from "../data.ts";
import type { StoreSeed } from "../options.ts";
import { isStoreList, listsOf, storeLists } from "./list-rules.ts";
import { omitUndefined, type RowContext } from "./own-rows.ts";
import { assertSchemaAt, idAt } from "../../../seed/state-checks.ts";
import type { StoreSeedPlan } from "./plan.ts";
import { buildStore } from "./stores.ts";

/** Adds the given stores; throws an error that names a row that violates the contract. */
export function seedOwnStores(data: StoreData, seeds: readonly StoreSeed[], plan: StoreSeedPlan): void {
  for (const [index, seed] of seeds.entries()) {
    const name = `store.stores[${index}]`;
    if (seed.externalId === null) continue;
    const key = idAt(seed.externalId, `${name}.externalId`);
    if (data.stores.has(key)) throw new Error(`${name}.externalId: duplicate store "${key}"`);
    seedOwnStore(data, structuredClone(seed), key, name, plan);
  }
}

/** Adds the given stores without an external ID, each after the store with an external ID that precedes it. */
export function seedOwnStoresWithoutId(
  data: StoreData,
  seeds: readonly StoreSeed[],
  plan: StoreSeedPlan,
): void {
  let before = "";
  for (const [index, seed] of seeds.entries()) {
    if (seed.externalId !== null) {
      before = seed.externalId;
      continue;
    }
    const name = `store.stores[${index}]`;
    const list = storeLists.find((one) => seed[one] !== undefined);
    if (list !== undefined)
      throw new Error(`${name}.${list} cannot be given for a store without an external ID`);
    const place = placeAfter(before, index);
    const store = { ...buildStore(plan, place), ...structuredClone(seed), externalId: null } as Store; // checked below
    assertSchemaAt(store, name, zStore);
    data.storesWithoutId.set(place, store);
  }
}

/** Returns a place in the order of the external IDs that comes right after one of them. */
export function placeAfter(externalId: string, index: number): string {
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
