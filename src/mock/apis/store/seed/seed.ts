import { SeedKeys } from "../../../seed/seed-keys.ts";
import { SeededMap } from "../../../seed/seeded-map.ts";
import { Random } from "../../../kernel/random.ts";
import type { StoreOptions } from "../options.ts";
import type { StoreSeedPlan } from "./plan.ts";
import type { StoreData } from "../data.ts";
import { buildContacts, buildExpectations, buildExpositions } from "./lists.ts";
import { buildPhotos, buildProtocols } from "./protocols.ts";
import { buildStore } from "./stores.ts";
import { seedOwnStores } from "./own-stores.ts";

const DEFAULT_STORES = 250;

/** The key of the store without an external ID; it sorts after every external ID. gap stores.null-external-id */
export const NAMELESS_KEY = "\uffffstore without external ID";

/** A store API without any data. */
export function emptyStore(): StoreData {
  return {
    stores: new SeededMap(true),
    contacts: new SeededMap(true),
    expectations: new SeededMap(true),
    expositions: new SeededMap(true),
    protocols: new SeededMap(true),
    photos: new SeededMap(true),
  };
}

/** Seeds the store API; everything but the keys is created on first access. */
export function seedStore(data: StoreData, plan: StoreSeedPlan): void {
  const keys = plan.storeKeys;
  data.stores.seed(keys, (key) => buildStore(plan, key));
  data.contacts.seed(keys, (key) => buildContacts(plan, key));
  data.expectations.seed(keys, (key) => buildExpectations(plan, key));
  data.expositions.seed(keys, (key) => buildExpositions(plan, key));
  data.protocols.seed(keys, (key) => buildProtocols(plan, key));
  data.photos.seed(keys, (key) => buildPhotos(plan, key));
  const own = plan.options.stores;
  if (typeof own === "object") seedOwnStores(data, own, plan);
  if (keys.size > 0 && plan.readings["stores.null-external-id"] === "listed") {
    data.stores.set(NAMELESS_KEY, { ...buildStore(plan, NAMELESS_KEY), externalId: null });
  }
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
