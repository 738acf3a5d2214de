import type { Contact, Expectation, Exposition, JsonObject, Store } from "../../../../generated/store.ts";
import type { SeededMap } from "../../seed/seeded-map.ts";

/** The recorded responses of a service for a row, which the server returns. */
export interface RecordedRow {
  readonly list: JsonObject;
  /** The response of `getProtocol`. */
  readonly detail?: JsonObject;
  /** Whether the list contains the row, by `sortedQuery`. */
  readonly queries: Readonly<Record<string, boolean>>;
}

/** A stored protocol. The contract shows no property; these are a documented reading. gap protocols.meaning */
export interface ProtocolRow extends JsonObject {
  protocolId: string;
  status: string;
  createdAt: string;
  $recorded?: RecordedRow;
}

/** A stored photo; the images of a protocol are its photos. gap protocols.image-properties */
export interface PhotoRow extends JsonObject {
  photoId: string;
  protocolId: string;
  expositionId: string | null;
  /** An image status. */
  status: string;
  /** 0 to 100; `null` while the image is not evaluated. */
  fillRate: number | null;
  createdAt: string;
  $recorded?: RecordedRow;
}

/** The rows of each list that belongs to a store. */
export interface StoreRows {
  contacts: Contact;
  expectations: Expectation;
  expositions: Exposition;
  protocols: ProtocolRow;
  photos: PhotoRow;
}

/** A list that belongs to a store. */
export type StoreList = keyof StoreRows;

/** The state of the store API, by external ID. */
export type StoreData = {
  readonly stores: SeededMap<Store>;
  /** By their place among the external IDs. gaps stores.null-external-id, stores.null-cursor */
  readonly storesWithoutId: SeededMap<Store>;
} & { readonly [List in StoreList]: SeededMap<StoreRows[List][]> };

/** A token of the store API. Changes of its expiry last until `reset()`. */
export interface StoreToken {
  readonly token: string;
  /** ISO 8601; the token is rejected from then on, by the server's clock. */
  expiresAt?: string;
  revoked?: boolean;
}
