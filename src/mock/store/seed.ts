import * as z from "zod/mini";
import {
  contactTypes,
  expositionTypes,
  imageStatuses,
  productCategories,
  protocolStatuses,
  storeTypes,
} from "../../../generated/store.enums.ts";
import { contactInput, expectationInput, expositionInput } from "../../../generated/store.inputs.ts";
import { zStore } from "../../../generated/store.schemas.ts";
import type { JsonObject, Store } from "../../../generated/store.ts";
import { omitUndefined, tableOf } from "../../wire/names.ts";
import { Random, SEEDED_SPAN, type SeedPlan } from "../server/random.ts";
import { idSchema, parse } from "../server/schemas.ts";
import {
  listOf,
  rowSchemas,
  type StoreData,
  type StoreList,
  storeLists,
  type StoreOptions,
  type StoreRows,
  type StoreSeed,
} from "./data.ts";
import { newStore } from "./stores.ts";

interface StorePlan extends SeedPlan {
  readonly protocolsPerStore: number | undefined;
}

/** Seeds the store API; generated rows are created on first access. gap stores.null-external-id */
export function seedStore(data: StoreData, plan: StorePlan, options: StoreOptions): void {
  const { stores = 250, storesWithoutId = options.stores === undefined ? 2 : 0 } = options;
  const length = typeof stores === "number" ? stores : 0;
  const keys = Array.from({ length }, (_, index) => `S-${index + 1}`);
  data.stores.seed(keys, (key) => generateStore(plan, key));
  for (const list of storeLists) listOf(data, list).seed(keys, (key) => generateRows(plan, key, list));
  data.storesWithoutId.clear();
  if (typeof stores !== "number") addStores(data, plan, stores);
  for (let index = 0; index < storesWithoutId; index += 1) {
    const ids = data.stores.keyList();
    const place = placeAfter(ids[Math.floor(((index + 1) * ids.length) / (storesWithoutId + 1)) - 1], index);
    data.storesWithoutId.set(place, { ...generateStore(plan, place), externalId: null });
  }
}

/** Returns a place in the order of the external IDs that comes right after one of them. */
function placeAfter(externalId: string | undefined, index: number): string {
  return `${externalId ?? ""}\u0000${String(index).padStart(6, "0")}`;
}

/** What a store of the options must have so that it can be completed. */
const givenSchema = z.looseObject({
  externalId: z.nullable(idSchema),
  ...tableOf(storeLists, () => z.optional(z.array(z.looseObject({})))),
});

/** Adds the stores of the options and completes them; throws an error that names what violates the contract. */
function addStores(data: StoreData, plan: StorePlan, stores: readonly StoreSeed[]): void {
  let before = "";
  for (const [index, given] of stores.entries()) {
    const place = `store.stores[${index}]`;
    const checked = parse(givenSchema, given, place);
    const { contacts, expectations, expositions, protocols, photos, ...fields } = checked;
    const { externalId } = checked;
    if (externalId !== null && data.stores.has(externalId))
      throw new Error(`${place}.externalId: duplicate store "${externalId}"`);
    before = externalId ?? before;
    const key = externalId ?? placeAfter(before, index);
    const store = { ...generateStore(plan, key), ...omitUndefined(fields) };
    parse(zStore, store, place);
    data[externalId === null ? "storesWithoutId" : "stores"].set(key, store);
    if (externalId === null) continue;
    const lists = { contacts, expectations, expositions, protocols, photos };
    for (const list of storeLists) {
      const rows = completeRows(plan, key, list, lists[list] ?? []);
      parse<unknown>(z.array(rowSchemas[list]), rows, `${place}.${list}`);
      listOf(data, list).set(key, rows);
    }
  }
}

/** Completes the rows of a list, each created before the next; an undefined property is a missing one. */
function completeRows<List extends StoreList>(
  { seed, now }: StorePlan,
  key: string,
  list: List,
  rows: readonly JsonObject[],
): StoreRows[List][] {
  const random = new Random(seed, "own", list, key);
  return rows.map((row, index) => {
    const createdAt = new Date(now - (rows.length - index) * 60_000).toISOString();
    const defaults = defaultsOf(key, index + 1, random.uuid(), createdAt);
    const label = list === "expositions" && { label: row.expositionType };
    return { ...defaults[list], ...label, ...omitUndefined(row) } as StoreRows[List]; // generated, or checked later
  });
}

/** Returns the properties that a row of each list of a store may leave out; `number` counts from 1. */
function defaultsOf(
  key: string,
  number: number,
  uuid: string,
  createdAt: string,
): Record<StoreList, JsonObject> {
  const done = { status: "completed", createdAt };
  const noon = { weekday: 0, protocolTime: "12:00", expectedFillRatio: 50 };
  return {
    contacts: { contactId: uuid, ...contactInput.defaults, createdAt },
    expectations: { expectationId: uuid, ...expectationInput.defaults, ...noon, updatedAt: createdAt },
    expositions: { expositionId: uuid, productCategories: [], ...expositionInput.defaults },
    protocols: { protocolId: `P-${key}-${number}`, externalId: key, ...done },
    photos: {
      photoId: `I-${key}-${number}`,
      protocolId: `P-${key}-1`,
      expositionId: null,
      fillRate: null,
      ...done,
    },
  };
}

/** Generates a list of a store; always the same rows. */
function generateRows<List extends StoreList>(plan: StorePlan, key: string, list: List): StoreRows[List][] {
  return completeRows(plan, key, list, generators[list](plan, key));
}

const STREETS = ["Aleje Jerozolimskie", "Długa", "Lipowa", "Piotrkowska"] as const;
const CITIES = ["Gdańsk", "Kraków", "Łódź", "Warszawa"] as const;
const NAMES = ["Anna Nowak", "Jan Mazur", "Katarzyna Lewandowska", "Zofia Wójcik"] as const;

/** Generates the store of an external ID; the same ID always has the same store. */
function generateStore({ seed }: StorePlan, externalId: string): Store {
  const random = new Random(seed, "store", externalId);
  const street = `${random.pick(STREETS)} ${random.integer(1, 120)}`;
  const days = random.pick([0, 5, 7]);
  return {
    ...newStore(externalId, random),
    name: `Sklep ${street}`,
    location: random.chance(0.1) ? null : `${street}, ${random.pick(CITIES)}`,
    // stores share eight regions
    regionId: random.chance(0.05) ? null : new Random(seed, "region", random.integer(0, 7)).uuid(),
    storeType: random.chance(0.1) ? null : random.pick(storeTypes),
    openingTimes: Array.from({ length: days }, (_, weekday) => ({ weekday, from: "06:00", to: "21:30" })),
    protocolCronEnabled: random.chance(0.8),
    onboardingComplete: random.chance(0.9),
  };
}

type Generator<List extends StoreList> = (plan: StorePlan, key: string) => Partial<StoreRows[List]>[];

/** Return the rows of a generated store without the properties that are the same for each row. */
const generators: { readonly [List in StoreList]: Generator<List> } = {
  contacts: ({ seed }, key) => {
    const random = new Random(seed, "contacts", key);
    return contactTypes.map((contactType) => ({
      contactType,
      name: random.pick(NAMES),
      phone: `+48 ${random.integer(500_000_000, 799_999_999)}`,
      email: random.chance(0.3) ? null : `${contactType}@example.com`,
      hasWhatsapp: random.chance(0.5),
    }));
  },
  expositions: ({ seed }, key) => {
    const random = new Random(seed, "expositions", key);
    return Array.from({ length: random.integer(2, 5) }, (_, index) => {
      const expositionType = random.pick(expositionTypes);
      return {
        label: `${expositionType} ${index + 1}`,
        productCategories: productCategories.filter((category) => expositionType.includes(category)),
        expositionType,
        status: random.chance(0.15) ? "disabled" : "active",
      };
    });
  },
  expectations: (plan, key) => {
    const random = new Random(plan.seed, "expectations", key);
    return generateRows(plan, key, "expositions").flatMap(
      ({ expositionType, productCategories: [category] }) =>
        Array.from({ length: 7 }, (_, weekday) => ({
          productCategory: category ?? null,
          displayType: expositionType,
          weekday,
          expectedFillRatio: random.integer(40, 90),
        })),
    );
  },
  /** Three to six, or `protocolsPerStore`, spread over the 28 days before the server was created. */
  protocols: ({ seed, now, protocolsPerStore }, key) => {
    const random = new Random(seed, "protocols", key);
    const count = protocolsPerStore ?? random.integer(3, 6);
    const step = SEEDED_SPAN / Math.max(count, 1);
    return Array.from({ length: count }, (_, index) => {
      const status = random.chance(0.6) ? "completed" : random.pick(protocolStatuses);
      const at = now - SEEDED_SPAN + Math.floor((index + random.fraction() * 0.9) * step);
      return {
        status,
        createdAt: new Date(at).toISOString(),
        submittedAt: status === "awaiting_submission" ? null : new Date(at + 60_000).toISOString(),
      };
    });
  },
  /** One of each exposition for each protocol; completed ones have a fill rate. */
  photos: (plan, key) => {
    const random = new Random(plan.seed, "photos", key);
    const expositions = generateRows(plan, key, "expositions");
    return generateRows(plan, key, "protocols").flatMap(({ protocolId, status: progress, createdAt }) =>
      expositions.map(({ expositionId }, index) => {
        const isDone = progress === "completed" && random.chance(0.8);
        return {
          protocolId,
          expositionId,
          status: isDone ? "completed" : random.pick(imageStatuses),
          fillRate: isDone ? random.integer(200, 1000) / 10 : null,
          createdAt,
          url: `https://images.reference.test/${encodeURIComponent(protocolId)}/${index + 1}.jpg`,
        };
      }),
    );
  },
};
