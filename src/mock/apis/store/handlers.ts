import type { StoreOperationId } from "../../../../generated/store.operations.ts";
import type { StoreHandler } from "./context.ts";
import { getExpositions, putExpositions } from "./expositions.ts";
import { getExpositionFillRate, getFillRates, getStoreFillRates } from "./fill-rates.ts";
import { listPhotos } from "./photos.ts";
import { getProtocol, listProtocols } from "./protocols.ts";
import { contacts, expectations } from "./replaced-lists.ts";
import { getStore, listStores, putStore } from "./stores.ts";

/** All operations of the store API. */
export const storeHandlers: Readonly<Record<StoreOperationId, StoreHandler>> = {
  listStores,
  getStore,
  putStore,
  getContacts: contacts.get,
  putContacts: contacts.put,
  getExpectations: expectations.get,
  putExpectations: expectations.put,
  getExpositions,
  putExpositions,
  listProtocols,
  getProtocol,
  listPhotos,
  getStoreFillRates,
  getExpositionFillRate,
  getFillRates,
};
