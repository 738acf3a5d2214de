import type {
  ContactInput,
  ExpectationInput,
  ExpositionInput,
  ExpositionType,
  JsonObject,
  OpeningTime,
  StoreUpsert,
} from "../../../../generated/store.ts";

/** A seeded contact; a missing ID or time is generated. */
export interface ContactSeed extends ContactInput {
  contactId?: string | undefined;
  createdAt?: string | undefined;
}

/** A seeded expectation; every property except `displayType` is generated if missing. */
export interface ExpectationSeed extends Partial<ExpectationInput> {
  displayType: ExpositionType | (string & {});
  expectationId?: string | undefined;
  updatedAt?: string | undefined;
}

/** A seeded exposition; every property except `expositionType` is generated if missing. */
export interface ExpositionSeed extends Partial<ExpositionInput> {
  expositionType: ExpositionType | (string & {});
}

/**
 * A seeded store, for example a store that a client has read. Missing fields are generated; missing lists are
 * empty. A store without an external ID follows the store that precedes it in the array, and has no lists.
 */
export interface StoreSeed extends Omit<StoreUpsert, "openingTimes" | "externalId"> {
  externalId: string | null;
  storeId?: string | undefined;
  openingTimes?: OpeningTime[] | undefined;
  contacts?: ContactSeed[] | undefined;
  expectations?: ExpectationSeed[] | undefined;
  expositions?: ExpositionSeed[] | undefined;
  /** `protocolId`, `status` and `createdAt` are generated if missing. */
  protocols?: JsonObject[] | undefined;
  /** `photoId`, `status` and `createdAt` are generated if missing. */
  photos?: JsonObject[] | undefined;
}

/** The seed of the store API. */
export interface StoreOptions {
  /** `null`: no token is configured, and every response is 503. Default: a seeded token. */
  token?: string | null;
  /** The time at which the token expires, by the server's clock; ISO 8601. Default: never. */
  tokenExpiresAt?: string;
  /** The number of stores, with the IDs `S-1`, `S-2`, …, or the stores. Default: 250. */
  stores?: number | StoreSeed[];
  /** The number of further stores, whose external ID is null. Default: 2 if `stores` is not given, else 0. */
  storesWithoutId?: number;
  /** The number of protocols of each store. Default: three to six. */
  protocolsPerStore?: number;
}
