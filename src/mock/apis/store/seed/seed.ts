import { SeedKeys } from "../../../seed/seed-keys.ts";
import { SeededMap } from "../../../seed/seeded-map.ts";
import type { ReferenceServerOptions } from "../../../options.ts";
import type { SeedPlan } from "../../../seed/seed-plan.ts";
import type { StoreData } from "../data.ts";
import { seededContacts, seededExpectations, seededExpositions } from "./lists.ts";
import { seededPhotos, seededProtocols } from "./protocols.ts";
import { seededStore } from "./stores.ts";
import { seedOwnStores } from "./own-stores.ts";

const DEFAULT_STORES = 250;

/** Sorts behind every external ID; the store under it has none. gap stores.null-external-id */
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

/** Fills the store API with its seed; everything but its keys is made when it is looked at. */
export function seedStore(data: StoreData, plan: SeedPlan): void {
  const keys = plan.storeKeys;
  data.stores.seed(keys, (key) => seededStore(plan, key));
  data.contacts.seed(keys, (key) => seededContacts(plan, key));
  data.expectations.seed(keys, (key) => seededExpectations(plan, key));
  data.expositions.seed(keys, (key) => seededExpositions(plan, key));
  data.protocols.seed(keys, (key) => seededProtocols(plan, key));
  data.photos.seed(keys, (key) => seededPhotos(plan, key));
  const own = plan.options.store?.stores;
  if (typeof own === "object") seedOwnStores(data, own, plan);
  if (keys.size > 0 && plan.readings["stores.null-external-id"] === "listed") {
    data.stores.set(NAMELESS_KEY, { ...seededStore(plan, NAMELESS_KEY), externalId: null });
  }
}

/** `S-1`, `S-2`, …, for as many stores as the options ask for by number. */
export function storeKeys({ store }: ReferenceServerOptions): SeedKeys {
  const wanted = store?.stores ?? DEFAULT_STORES;
  return new SeedKeys(
    Array.from({ length: typeof wanted === "number" ? wanted : 0 }, (_, index) => `S-${index + 1}`),
  );
}
