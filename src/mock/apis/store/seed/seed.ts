import { SeedKeys } from "../../../seed/seed-keys.ts";
import { SeededMap } from "../../../seed/seeded-map.ts";
import { Random } from "../../../../wire/random.ts";
import type { StoreOptions } from "../options.ts";
import type { StoreSeedPlan } from "./plan.ts";
import type { StoreData } from "../data.ts";
import { emptyLists, listsOf } from "./list-rules.ts";
import { buildStore } from "./stores.ts";
import { placeAfter, seedOwnStores, seedOwnStoresWithoutId } from "./own-stores.ts";

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

/** Returns the token of the server (index 0) or of a tenant. */
export function storeToken(seed: number, index: number, given: string | null | undefined): string {
  if (typeof given === "string" && index === 0) return given;
  return `ref-token-${new Random(seed, "token", index).uuid()}`;
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
