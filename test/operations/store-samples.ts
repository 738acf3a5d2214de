import type { StoreOperationId } from "../../generated/store.operations.ts";
import type { operations } from "../../generated/store.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import type { SampleOf } from "./sample.ts";

/** Contains every seeded protocol and photo. */
export const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:00:01Z" };

/** The IDs of a store that the seed determines. */
export interface StoreIds {
  expositionId: string;
  protocolId: string;
}

/** The ids of the first store. */
export function storeIdsOf({ state: { store } }: ReferenceServer): StoreIds {
  return {
    expositionId: store.expositions.get("S-1")?.[0]?.expositionId ?? "",
    protocolId: store.protocols.get("S-1")?.[0]?.protocolId ?? "",
  };
}

/** The IDs of samples that no server sees. */
export function anyStoreIds(id: string): StoreIds {
  return { expositionId: id, protocolId: id };
}

const path = { externalId: "S-1" };

/** One request of each operation of the store API. It succeeds on a reference server with its own seed. */
export function storeSamples(ids: StoreIds): { [Id in StoreOperationId]: SampleOf<operations[Id]> } {
  return {
    listStores: {},
    getStore: { path },
    putStore: { path, body: { name: "Kiosk", storeType: null, openingTimes: null } },
    getContacts: { path },
    putContacts: { path, body: { contacts: [{ name: "Ada", phone: "1" }] } },
    getExpectations: { path },
    putExpectations: {
      path,
      body: {
        expectations: [
          {
            productCategory: null,
            displayType: "FRIDGE_DRINKS",
            weekday: 0,
            protocolTime: "08:00",
            expectedFillRatio: 80,
          },
        ],
      },
    },
    getExpositions: { path },
    putExpositions: {
      path,
      body: {
        expositions: [{ label: "A", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" }],
      },
    },
    listProtocols: { path, query: range },
    getProtocol: { path: { ...path, protocolId: ids.protocolId } },
    listPhotos: { path, query: range },
    getStoreFillRates: { path, query: range },
    getExpositionFillRate: { path: { ...path, expositionId: ids.expositionId }, query: range },
    getFillRates: { query: range },
  };
}
