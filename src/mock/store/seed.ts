import * as z from "zod/mini";
import {
  zContactInput,
  zExpectationInput,
  zExpositionInput,
  zStore,
  zStoreUpsert,
} from "../../../generated/store.schemas.ts";
import { omitUndefined } from "../../wire/names.ts";
import { Random } from "../server/random.ts";
import { SeedKeys } from "../server/rows.ts";
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
export function storeKeys({ stores = DEFAULT_STORES }: StoreOptions): SeedKeys {
  const length = typeof stores === "number" ? stores : 0;
  return new SeedKeys(Array.from({ length }, (_, index) => `S-${index + 1}`));
}

/** Seeds the store API; everything except the keys is created on first access. */
export function seedStore(data: StoreData, plan: StorePlan, options: StoreOptions, keys: SeedKeys): void {
  const { stores } = options;
  data.stores.seed(keys, (key) => buildStore(plan, key));
  for (const list of storeLists) listOf(data, list).seed(keys, (key) => buildRows(list, plan, key));
  const given = Array.isArray(stores) ? stores : [];
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
      addStore(data, structuredClone(seed), before, place, plan);
    }
  }
}

/** Returns the places of the stores without an external ID: each comes right after a store that has an external ID. */
function placesWithoutId({ stores, storesWithoutId }: StoreOptions, keys: SeedKeys): string[] {
  const count = storesWithoutId ?? (stores === undefined ? DEFAULT_WITHOUT_ID : 0);
  const given = Array.isArray(stores)
    ? stores.flatMap(({ externalId }) => externalId ?? []).toSorted()
    : keys.sorted();
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
  const { contacts: _c, expectations: _t, expositions: _x, protocols: _p, photos: _i, ...fields } = seed;
  const store = { ...buildStore(plan, key), ...omitUndefined(fields), externalId: key };
  parse(zStoreUpsert, store, place);
  parse(zStore, store, place);
  data.stores.set(key, store);
  const random = new Random(plan.seed, "own", key);
  for (const list of storeLists)
    listOf(data, list).set(key, completeRows(list, seed, { key, place, random, plan }));
}

interface RowContext {
  /** The external ID of the store, and its place in the options. */
  readonly key: string;
  readonly place: string;
  readonly random: Random;
  readonly plan: StorePlan;
}

/** Completes and checks the rows of a list; an undefined property is a missing one. */
function completeRows(list: StoreList, seed: StoreSeed, context: RowContext): unknown[] {
  const { key, place, plan } = context;
  const rows = seed[list];
  if (rows === undefined) {
    const isGenerated = plan.protocolsPerStore !== undefined && (list === "protocols" || list === "photos");
    return isGenerated ? buildRows(list, plan, key) : [];
  }
  const rowPlace = `${place}.${list}`;
  return parse(z.array(z.looseObject({})), rows, rowPlace).map((given, index) => {
    const before = rows.length - index;
    const row = { ...defaultsOf(list, given, context, index, before), ...omitUndefined(given) };
    // also as input: enums are open in responses, but the seed must be valid input
    for (const schema of [rowSchemas[list], inputSchemas[list]])
      if (schema !== undefined) parse<unknown>(schema, row, `${rowPlace}[${index}]`);
    return row;
  });
}

const inputSchemas: { readonly [List in StoreList]?: Schema } = {
  contacts: zContactInput,
  expectations: zExpectationInput,
  expositions: zExpositionInput,
};

/** The properties that a given row may leave out. `before` is its number from the end of the list. */
function defaultsOf(
  list: StoreList,
  { expositionType }: { readonly expositionType?: unknown },
  { key, random, plan }: RowContext,
  index: number,
  before: number,
): object {
  const now = new Date(plan.now).toISOString();
  const timeBefore = (step: number) => new Date(plan.now - before * step).toISOString();
  switch (list) {
    case "contacts":
      return {
        contactId: random.uuid(),
        contactType: "store",
        email: null,
        hasWhatsapp: false,
        createdAt: now,
      };
    case "expectations":
      return {
        expectationId: random.uuid(),
        productCategory: null,
        weekday: 0,
        protocolTime: "12:00",
        expectedFillRatio: 50,
        updatedAt: now,
      };
    case "expositions":
      return {
        expositionId: random.uuid(),
        label: expositionType,
        friendlyTitle: null,
        status: "active",
        productCategories: [],
      };
    case "protocols":
      return {
        protocolId: `P-${key}-${index + 1}`,
        externalId: key,
        status: "completed",
        createdAt: timeBefore(3_600_000),
      };
    case "photos":
      return {
        photoId: `I-${key}-${index + 1}`,
        protocolId: `P-${key}-1`,
        expositionId: null,
        status: "completed",
        fillRate: null,
        createdAt: timeBefore(60_000),
      };
  }
}
