import type { JsonObject, Store } from "../../../../../generated/store.ts";
import type { MockReadings } from "../../../server/readings.ts";
import type { StoreList, StoreRows } from "../data.ts";

/** The readings that generated lists depend on. */
export const listReadings = ["protocols.id-format"] as const;

/**
 * The version of the generator of lists. It changes when the generated lists change, because a state of another
 * version would get other lists.
 */
export const LIST_GENERATOR = 1;

/** The input of the generator of lists. */
export interface ListGenerator {
  /** The version of the generator. */
  version: typeof LIST_GENERATOR;
  seed: number;
  /** When the server was created, ISO 8601. */
  now: string;
  /** The number of protocols of each store. Default: three to six. */
  protocolsPerStore?: number;
  /** The readings with which the lists were generated. */
  readings: Pick<MockReadings, "protocols.id-format">;
}

/** The lists of a store; a missing list is empty. */
export type ExportedLists = {
  [List in StoreList]?: (StoreRows[List] extends JsonObject ? JsonObject : StoreRows[List])[];
};

/** A store with its lists. */
export interface ExportedStore extends ExportedLists {
  store: Store;
  /** The unchanged generated lists. They are left out because the generator creates them again. */
  generated?: StoreList[];
}

/** A store without an external ID. */
export interface ExportedStoreWithoutId {
  /** Its place in the order of the external IDs. */
  place: string;
  store: Store;
}

/** The data of the store API as JSON. */
export interface ExportedStores {
  /** The generator. Required if a store has generated lists. */
  generator?: ListGenerator;
  /** In the order of their external IDs. */
  stores?: ExportedStore[];
  storesWithoutId?: ExportedStoreWithoutId[];
}
