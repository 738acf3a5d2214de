import type * as z from "zod/mini";
import { storeContract } from "../../../generated/store.contract.ts";
import { type JsonObject, objectsIn } from "../../wire/json.ts";

/** The lists of a store. */
export type StoreLists = "contacts" | "expectations" | "expositions" | "protocols" | "photos";

/** The data of a store in the responses. */
export interface ObservedStore {
  fields: JsonObject | undefined;
  readonly lists: Partial<Record<StoreLists, JsonObject[]>>;
  /** The images of its protocols, by protocol. */
  readonly images: Map<string, unknown>;
}

/** Returns the seed of a store; `undefined` if its fields violate the contract. */
export function storeSeed(
  externalId: string,
  { fields, lists, images }: ObservedStore,
): JsonObject | undefined {
  const store = { ...fields, externalId };
  const { putStore, getStore, putContacts, putExpectations, putExpositions } = storeContract;
  const isValid = fits(putStore.body, store) && fits(getStore.responses[200].schema, store);
  if (fields === undefined || !isValid) return undefined;
  const { contacts, expectations, expositions, protocols = [] } = lists;
  return {
    ...store,
    contacts: validRows(contacts, { email: null }, (rows) => fits(putContacts.body, { contacts: rows })),
    expectations: validRows(expectations, { productCategory: null }, (rows) =>
      fits(putExpectations.body, { expectations: rows }),
    ),
    expositions: validRows(expositions, { friendlyTitle: null }, (rows) =>
      fits(putExpositions.body, { expositions: rows }),
    ),
    protocols: protocols.map((row) => protocolSeed(withCreationTime(row), images)),
    photos: (lists.photos ?? [...images.values()].flatMap(objectsIn)).map((row) =>
      photoSeed(withCreationTime(row)),
    ),
  };
}

/**
 * Returns the rows that are valid input. `nulls`: properties that a response may leave out. gap
 * responses.nullable-properties
 */
function validRows(
  rows: readonly JsonObject[] = [],
  nulls: JsonObject,
  isValid: (rows: JsonObject[]) => boolean,
): JsonObject[] {
  return rows.map((row) => ({ ...nulls, ...withOffsets(row) })).filter((row) => isValid([row]));
}

/** Properties that a service does not return must not be generated. */
function photoSeed({ id, ...row }: JsonObject): JsonObject {
  const photoId = row["photoId"] ?? id;
  return { fillRate: undefined, expositionId: undefined, ...row, ...(photoId !== undefined && { photoId }) };
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** The server leaves offsets out if its reading says so. gap date-times.forms */
function withOffsets(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" && LOCAL_TIME.test(value) ? `${value}Z` : value,
    ]),
  );
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** The server cannot use a creation time of another form, such as a number, and generates one in its place. */
function withCreationTime(given: JsonObject): JsonObject {
  const row = withOffsets(given);
  const { createdAt, ...others } = row;
  const isUsable =
    typeof createdAt === "string" && DATE_TIME.test(createdAt) && !Number.isNaN(Date.parse(createdAt));
  return isUsable ? row : others;
}

/** gap protocols.id-property */
function protocolSeed({ id, ...row }: JsonObject, images: ReadonlyMap<string, unknown>): JsonObject {
  const protocolId = row["protocolId"] ?? id;
  const own = images.get(String(protocolId));
  return {
    externalId: undefined,
    ...row,
    ...(protocolId !== undefined && { protocolId }),
    ...(Array.isArray(own) && { images: objectsIn(own).map(withOffsets) }),
  };
}

function fits(schema: z.ZodMiniType, value: unknown): boolean {
  return schema.safeParse(value).success;
}
