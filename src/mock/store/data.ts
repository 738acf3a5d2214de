import * as z from "zod/mini";
import type { Contact, Expectation, Exposition, JsonObject, Store } from "../../../generated/store.ts";
import { zContact, zExpectation, zExposition } from "../../../generated/store.schemas.ts";
import { tableOf } from "../../wire/names.ts";
import { instantSchema } from "../server/clock.ts";
import { SeededMap } from "../server/rows.ts";
import { idSchema } from "../server/schemas.ts";

/** A stored protocol. The contract shows no property; these are a documented reading. gap protocols.meaning */
export interface ProtocolRow extends JsonObject {
  protocolId: string;
  status: string;
  createdAt: string;
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
}

/** The rows of each list that belongs to a store. */
export interface StoreRows {
  contacts: Contact;
  expectations: Expectation;
  expositions: Exposition;
  protocols: ProtocolRow;
  photos: PhotoRow;
}

export const storeLists = ["contacts", "expectations", "expositions", "protocols", "photos"] as const;

/** A list that belongs to a store. */
export type StoreList = (typeof storeLists)[number];

/** The state of the store API, by external ID. */
export type StoreData = {
  readonly stores: SeededMap<Store>;
  /** By their place among the external IDs. gaps stores.null-external-id, stores.null-cursor */
  readonly storesWithoutId: SeededMap<Store>;
} & { readonly [List in StoreList]: SeededMap<StoreRows[List][]> };

export function emptyStore(): StoreData {
  return tableOf(["stores", "storesWithoutId", ...storeLists], () => new SeededMap<never>(true));
}

/** Returns a list of all stores, for code that treats all lists alike. */
export function listOf(data: StoreData, list: StoreList): SeededMap<unknown[]> {
  return data[list];
}

/**
 * The schema of the rows of each list. Of protocols and photos it has the properties that the server interprets: the contract
 * leaves them open. Without `images`, the images of a protocol are its photos.
 */
export const rowSchemas = {
  contacts: zContact,
  expectations: zExpectation,
  expositions: zExposition,
  protocols: z.looseObject({
    createdAt: instantSchema,
    protocolId: z.union([idSchema, z.number(), z.boolean(), z.null()], "must not be a dot segment"),
    images: z.nullish(z.array(z.looseObject({}))),
  }),
  photos: z.looseObject({ createdAt: instantSchema }),
} as const;

/** A token of the store API. Changes of its expiry last until `reset()`. */
export interface StoreToken {
  readonly token: string;
  /** ISO 8601; the token is rejected from then on, by the server's clock. */
  expiresAt?: string;
}

/** Any string is allowed where the contract lists values, so that a test plays a service that sends another one. */
type AnyValue<Value> = Value extends string
  ? Value | (string & {})
  : Value extends readonly string[]
    ? string[]
    : Value;

/** A seeded row: the properties that are not needed are generated if they are missing. */
type Seed<Row, Needed extends keyof Row> = {
  [Name in keyof Row]?: AnyValue<Row[Name]> | undefined;
} & { [Name in Needed]: AnyValue<Row[Name]> };

/** A seeded contact. */
export interface ContactSeed extends Seed<Contact, "name" | "phone"> {}

/** A seeded expectation. */
export interface ExpectationSeed extends Seed<Expectation, "displayType"> {}

/** A seeded exposition. */
export interface ExpositionSeed extends Seed<Exposition, "expositionType"> {}

/**
 * A seeded store, for example a store that a client has read. Missing lists are empty. A store without an external ID
 * follows the store that precedes it in the array, and has no lists.
 */
export interface StoreSeed extends Seed<Store, "externalId"> {
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
  token?: string | null | undefined;
  /** The number of stores, with the IDs `S-1`, `S-2`, …, or the stores. Default: 250. */
  stores?: number | StoreSeed[] | undefined;
  /** The number of further stores, whose external ID is null. Default: 2 if `stores` is not given, else 0. */
  storesWithoutId?: number | undefined;
  /** The number of protocols of each generated store. Default: three to six. */
  protocolsPerStore?: number | undefined;
}
