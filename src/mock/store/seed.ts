import * as z from "zod/mini";
import {
  zContactInput,
  zExpectationInput,
  zExpositionInput,
  zStore,
  zStoreUpsert,
} from "../../../generated/store.schemas.ts";
import type { JsonObject } from "../../../generated/store.ts";
import { omitUndefined } from "../../wire/names.ts";
import { Random } from "../server/random.ts";
import { idSchema, parse, type Schema } from "../server/schemas.ts";
import {
  listOf,
  rowSchemas,
  type StoreData,
  type StoreList,
  storeLists,
  type StoreOptions,
  type StoreSeed,
} from "./data.ts";
import { buildRows, buildStore, type StorePlan } from "./generate.ts";

const DEFAULT_STORES = 250;

/** The default seed has stores without an external ID. gap stores.null-external-id */
const DEFAULT_WITHOUT_ID = 2;

/** Returns `S-1`, `S-2`, …, for a number of stores in the options. */
function storeKeys({ stores = DEFAULT_STORES }: StoreOptions): readonly string[] {
  const length = typeof stores === "number" ? stores : 0;
  return Array.from({ length }, (_, index) => `S-${index + 1}`);
}

/** Seeds the store API; everything except the keys is created on first access. */
export function seedStore(data: StoreData, plan: StorePlan, options: StoreOptions): void {
  const keys = storeKeys(options);
  const given = Array.isArray(options.stores) ? options.stores : [];
  data.stores.seed(keys, (key) => buildStore(plan, key));
  for (const list of storeLists) listOf(data, list).seed(keys, (key) => buildRows(list, plan, key));
  data.storesWithoutId.seed(placesWithoutId(options, keys), (place) => ({
    ...buildStore(plan, place),
    externalId: null,
  }));
  let before = "";
  for (const [index, seed] of given.entries()) {
    const place = `store.stores[${index}]`;
    if (seed.externalId === null) addStoreWithoutId(data, seed, placeAfter(before, index), place, plan);
    else {
      before = parse(idSchema, seed.externalId, `${place}.externalId`);
      if (data.stores.has(before)) throw new Error(`${place}.externalId: duplicate store "${before}"`);
      addStore(data, seed, before, place, plan);
    }
  }
}

/** Returns the places of the stores without an external ID: each comes right after a store that has an external ID. */
function placesWithoutId({ stores, storesWithoutId }: StoreOptions, keys: readonly string[]): string[] {
  const count = storesWithoutId ?? (stores === undefined ? DEFAULT_WITHOUT_ID : 0);
  const given = Array.isArray(stores)
    ? stores.flatMap(({ externalId }) => externalId ?? []).toSorted()
    : keys.toSorted();
  return Array.from({ length: count }, (_, index) =>
    placeAfter(given[Math.floor(((index + 1) * given.length) / (count + 1)) - 1] ?? "", index),
  );
}

/** Returns a place in the order of the external IDs that comes right after one of them. */
function placeAfter(externalId: string, index: number): string {
  return `${externalId}\u0000${String(index).padStart(6, "0")}`;
}

function addStoreWithoutId(
  data: StoreData,
  seed: StoreSeed,
  key: string,
  place: string,
  plan: StorePlan,
): void {
  const list = storeLists.find((name) => seed[name] !== undefined);
  if (list !== undefined)
    throw new Error(`${place}.${list} cannot be given for a store without an external ID`);
  const store = { ...buildStore(plan, key), ...omitUndefined(structuredClone(seed)), externalId: null };
  parse(zStore, store, place);
  data.storesWithoutId.set(key, store);
}

function addStore(data: StoreData, seed: StoreSeed, key: string, place: string, plan: StorePlan): void {
  const { contacts, expectations, expositions, protocols, photos, ...fields } = structuredClone(seed);
  const lists = { contacts, expectations, expositions, protocols, photos };
  const store = { ...buildStore(plan, key), ...omitUndefined(fields), externalId: key };
  parse(zStoreUpsert, store, place);
  parse(zStore, store, place);
  data.stores.set(key, store);
  const random = new Random(plan.seed, "own", key);
  for (const list of storeLists) {
    const rows = lists[list];
    const isGenerated = plan.protocolsPerStore !== undefined && (list === "protocols" || list === "photos");
    const missing = isGenerated ? buildRows(list, plan, key) : [];
    const defaults = (index: number, createdAt: string) => defaultsOf(key, random, index, createdAt)[list];
    const completed = completeRows(list, rows ?? [], `${place}.${list}`, plan.now, defaults);
    listOf(data, list).set(key, rows === undefined ? missing : completed);
  }
}

/** Completes and checks the rows of a list, each created before the next; an undefined property is a missing one. */
function completeRows(
  list: StoreList,
  rows: readonly object[],
  place: string,
  now: number,
  defaults: (index: number, createdAt: string) => JsonObject,
): unknown[] {
  return parse(z.array(z.looseObject({})), rows, place).map((given, index) => {
    const createdAt = new Date(now - (rows.length - index) * 60_000).toISOString();
    const row = { ...defaults(index, createdAt), ...omitUndefined(given) };
    if (list === "expositions" && row.label === undefined) row.label = row.expositionType;
    // also as input: enums are open in responses, but the seed must be valid input
    for (const schema of [rowSchemas[list], inputSchemas[list]])
      if (schema !== undefined) parse<unknown>(schema, row, `${place}[${index}]`);
    return row;
  });
}

const inputSchemas: { readonly [List in StoreList]?: Schema } = {
  contacts: zContactInput,
  expectations: zExpectationInput,
  expositions: zExpositionInput,
};

/** Returns the properties that a given row of each list may leave out. */
function defaultsOf(
  key: string,
  random: Random,
  index: number,
  createdAt: string,
): Record<StoreList, JsonObject> {
  const id = random.uuid();
  const none = { productCategory: null, weekday: 0, protocolTime: "12:00", expectedFillRatio: 50 };
  const done = { status: "completed", createdAt };
  return {
    contacts: { contactId: id, contactType: "store", email: null, hasWhatsapp: false, createdAt },
    expectations: { expectationId: id, ...none, updatedAt: createdAt },
    expositions: { expositionId: id, friendlyTitle: null, status: "active", productCategories: [] },
    protocols: { protocolId: `P-${key}-${index + 1}`, externalId: key, ...done },
    photos: {
      photoId: `I-${key}-${index + 1}`,
      protocolId: `P-${key}-1`,
      expositionId: null,
      fillRate: null,
      ...done,
    },
  };
}
