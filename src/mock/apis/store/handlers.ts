import type { StoreOperationId } from "../../../../generated/store.operations.ts";
import { getContacts, putContacts } from "./contacts.ts";
import type { StoreHandler } from "./context.ts";
import { getExpectations, putExpectations } from "./expectations.ts";
import { getExpositions, putExpositions } from "./expositions.ts";
import { getExpositionFillRate, getFillRates, getStoreFillRates } from "./fill-rates.ts";
import { listPhotos } from "./photos.ts";
import { getProtocol, listProtocols } from "./protocols.ts";
import { getStore, listStores, putStore } from "./stores.ts";

/** All operations of the store API. */
export const storeHandlers: Readonly<Record<StoreOperationId, StoreHandler>> = {
  listStores,
  getStore,
  putStore,
  getContacts,
  putContacts,
  getExpectations,
  putExpectations,
  getExpositions,
  putExpositions,
  listProtocols,
  getProtocol,
  listPhotos,
  getStoreFillRates,
  getExpositionFillRate,
  getFillRates,
};
