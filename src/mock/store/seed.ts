import * as z from "zod/mini";
import { zStore } from "../../../generated/store.schemas.ts";
import type { Contact, Expectation, Exposition, JsonObject, Store } from "../../../generated/store.ts";
import { omitUndefined } from "../../wire/names.ts";
import { Random, SEEDED_SPAN } from "../server/random.ts";
import { idSchema, parse } from "../server/schemas.ts";
import {
  listOf,
  type PhotoRow,
  type ProtocolRow,
  rowSchemas,
  type StoreData,
  type StoreList,
  storeLists,
  type StoreOptions,
  type StoreRows,
  type StoreSeed,
} from "./data.ts";
import {
  contactTypes,
  expositionTypes,
  imageStatuses,
  productCategories,
  protocolStatuses,
  storeTypes,
} from "../../../generated/store.enums.ts";

const DEFAULT_STORES = 250;

/** The default seed has stores without an external ID. gap stores.null-external-id */
const DEFAULT_WITHOUT_ID = 2;

/** Seeds the store API; everything except the keys is created on first access. */
export function seedStore(data: StoreData, plan: StorePlan, options: StoreOptions): void {
  const { stores = DEFAULT_STORES, storesWithoutId } = options;
  const given = typeof stores === "number" ? [] : stores;
  const length = typeof stores === "number" ? stores : 0;
  const keys = Array.from({ length }, (_, index) => `S-${index + 1}`);
  data.stores.seed(keys, (key) => buildStore(plan, key));
  for (const list of storeLists) listOf(data, list).seed(keys, (key) => builders[list](plan, key));
  const count = storesWithoutId ?? (options.stores === undefined ? DEFAULT_WITHOUT_ID : 0);
  const externalIds = [...keys, ...given.flatMap(({ externalId }) => externalId ?? [])];
  data.storesWithoutId.seed(placesAmong(externalIds, count), (place) => {
    return { ...buildStore(plan, place), externalId: null };
  });
  let before = "";
  for (const [index, seed] of given.entries()) {
    const place = `store.stores[${index}]`;
    const isNamed = seed.externalId !== null;
    if (isNamed) before = parse(idSchema, seed.externalId, `${place}.externalId`);
    if (isNamed && data.stores.has(before))
      throw new Error(`${place}.externalId: duplicate store "${before}"`);
    addStore(data, { key: isNamed ? before : placeAfter(before, index), seed, place }, plan);
  }
}

/** Returns the places of stores without an external ID: each comes right after a store that has an external ID. */
function placesAmong(externalIds: readonly string[], count: number): string[] {
  const sorted = externalIds.toSorted();
  return Array.from({ length: count }, (_, index) =>
    placeAfter(sorted[Math.floor(((index + 1) * sorted.length) / (count + 1)) - 1] ?? "", index),
  );
}

/** Returns a place in the order of the external IDs that comes right after one of them. */
function placeAfter(externalId: string, index: number): string {
  return `${externalId}\u0000${String(index).padStart(6, "0")}`;
}

/** A store of the options, its key in the data, and its path in the options. */
interface GivenStore {
  readonly seed: StoreSeed;
  readonly key: string;
  readonly place: string;
}

function addStore(data: StoreData, { seed, key, place }: GivenStore, plan: StorePlan): void {
  const { contacts, expectations, expositions, protocols, photos, ...fields } = structuredClone(seed);
  const lists = { contacts, expectations, expositions, protocols, photos };
  const store = { ...buildStore(plan, key), ...omitUndefined(fields) };
  parse(zStore, store, place);
  const stored = store as Store; // or with values that the contract does not list
  if (seed.externalId === null) {
    const list = storeLists.find((name) => lists[name] !== undefined);
    if (list !== undefined)
      throw new Error(`${place}.${list} cannot be given for a store without an external ID`);
    data.storesWithoutId.set(key, stored);
    return;
  }
  data.stores.set(key, stored);
  const random = new Random(plan.seed, "own", key);
  for (const list of storeLists) {
    const rows = lists[list];
    const isGenerated = plan.protocolsPerStore !== undefined && (list === "protocols" || list === "photos");
    const missing = isGenerated ? builders[list](plan, key) : [];
    const completed = completeRows(list, rows ?? [], `${place}.${list}`, (index, length) => {
      const createdAt = new Date(plan.now - (length - index) * 60_000).toISOString();
      return defaultsOf(key, random, index, createdAt)[list];
    });
    listOf(data, list).set(key, rows === undefined ? missing : completed);
  }
}

/** Completes and checks the rows of a list, each created before the next; an undefined property is a missing one. */
function completeRows(
  list: StoreList,
  rows: readonly object[],
  place: string,
  defaults: (index: number, length: number) => JsonObject,
): unknown[] {
  return parse(z.array(z.looseObject({})), rows, place).map((given, index) => {
    const row = { ...defaults(index, rows.length), ...omitUndefined(given) };
    if (list === "expositions" && row.label === undefined) row.label = row.expositionType;
    parse<unknown>(rowSchemas[list], row, `${place}[${index}]`);
    return row;
  });
}

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

/** The input of the generator: the same input gives the same rows. */
interface StorePlan {
  readonly seed: number;
  /** When the server was created, in milliseconds. */
  readonly now: number;
  readonly protocolsPerStore: number | undefined;
}

const STREETS = ["Aleje Jerozolimskie", "Długa", "Lipowa", "Piotrkowska"] as const;
const CITIES = ["Gdańsk", "Kraków", "Łódź", "Warszawa"] as const;
const NAMES = ["Anna Nowak", "Jan Mazur", "Katarzyna Lewandowska", "Zofia Wójcik"] as const;

/** Returns one of the eight regions or protocol schedules, which the stores share. */
function sharedId(seed: number, name: "region" | "schedule", random: Random): string {
  return new Random(seed, name, random.integer(0, 7)).uuid();
}

/** Builds the store of an external ID; the same ID always has the same store. */
function buildStore({ seed }: StorePlan, externalId: string): Store {
  const random = new Random(seed, "store", externalId);
  const storeType = random.chance(0.1) ? null : random.pick(storeTypes);
  const city = random.pick(CITIES);
  const street = `${random.pick(STREETS)} ${random.integer(1, 120)}`;
  const days = random.pick([0, 5, 6, 7]);
  return {
    storeId: random.uuid(),
    externalId,
    name: `${storeType ?? "Sklep"} ${street}`,
    location: random.chance(0.1) ? null : `${street}, ${city}`,
    regionId: random.chance(0.05) ? null : sharedId(seed, "region", random),
    storeType,
    openingTimes: Array.from({ length: days }, (_, weekday) => ({ weekday, from: "06:00", to: "21:30" })),
    protocolScheduleId: sharedId(seed, "schedule", random),
    protocolCronEnabled: random.chance(0.8),
    onboardingComplete: random.chance(0.9),
    loginCode: String(random.integer(100_000, 999_999)),
  };
}

/** Builds the contacts of a store: a store manager, and one or two with the other types. */
function buildContacts({ seed, now }: StorePlan, externalId: string): Contact[] {
  const random = new Random(seed, "contacts", externalId);
  return Array.from({ length: random.integer(2, 3) }, (_, index) => ({
    contactId: random.uuid(),
    contactType: contactTypes[index] ?? "store",
    name: random.pick(NAMES),
    phone: `+48 ${random.integer(500_000_000, 799_999_999)}`,
    email: random.chance(0.3) ? null : `contact-${index + 1}@example.com`,
    hasWhatsapp: random.chance(0.5),
    createdAt: random.timeBefore(now),
  }));
}

/** Builds two to five expositions. */
function buildExpositions({ seed }: StorePlan, externalId: string): Exposition[] {
  const random = new Random(seed, "expositions", externalId);
  return Array.from({ length: random.integer(2, 5) }, (_, index) => {
    const expositionType = random.pick(expositionTypes);
    return {
      expositionId: random.uuid(),
      label: `${expositionType} ${index + 1}`,
      friendlyTitle: random.chance(0.3) ? null : expositionType.toLowerCase().replaceAll("_", " "),
      productCategories: productCategories.filter((category) => expositionType.includes(category)),
      expositionType,
      status: random.chance(0.15) ? "disabled" : "active",
    };
  });
}

/** Builds the expectations of each exposition, for each day of the week. */
function buildExpectations(plan: StorePlan, externalId: string): Expectation[] {
  const random = new Random(plan.seed, "expectations", externalId);
  return buildExpositions(plan, externalId).flatMap(({ expositionType, productCategories: [category] }) => {
    const productCategory = random.chance(0.3) ? null : (category ?? null);
    const updatedAt = random.timeBefore(plan.now);
    return Array.from({ length: 7 }, (_, weekday) => ({
      expectationId: random.uuid(),
      productCategory,
      displayType: expositionType,
      weekday,
      protocolTime: "08:00",
      expectedFillRatio: random.integer(40, 90),
      updatedAt,
    }));
  });
}

/** Builds three to six protocols, or `protocolsPerStore`, spread over the 28 days before the server was created. */
function buildProtocols({ seed, now, protocolsPerStore }: StorePlan, externalId: string): ProtocolRow[] {
  const random = new Random(seed, "protocols", externalId);
  const count = protocolsPerStore ?? random.integer(3, 6);
  const step = SEEDED_SPAN / Math.max(count, 1);
  return Array.from({ length: count }, (_, index) => {
    const status = random.chance(0.6) ? "completed" : random.pick(protocolStatuses);
    const at = now - SEEDED_SPAN + Math.floor((index + random.fraction() * 0.9) * step);
    return {
      protocolId: `P-${externalId}-${index + 1}`,
      externalId,
      status,
      createdAt: new Date(at).toISOString(),
      submittedAt: status === "awaiting_submission" ? null : new Date(at + 60_000).toISOString(),
    };
  });
}

/** Builds a photo of each exposition for each protocol; completed ones have a fill rate. */
function buildPhotos(plan: StorePlan, externalId: string): PhotoRow[] {
  const expositions = buildExpositions(plan, externalId);
  const random = new Random(plan.seed, "photos", externalId);
  return buildProtocols(plan, externalId).flatMap(({ protocolId, status: progress, createdAt }) =>
    expositions.map(({ expositionId }, index) => {
      const photoId = `I-${protocolId.slice(2)}-${index + 1}`;
      const isDone = progress === "completed" && random.chance(0.8);
      const status = isDone ? "completed" : random.pick(imageStatuses);
      return {
        photoId,
        protocolId,
        expositionId,
        status,
        fillRate: status === "completed" ? random.integer(200, 1000) / 10 : null,
        createdAt: new Date(Date.parse(createdAt) + index * 1000).toISOString(),
        url: `https://images.reference.test/${encodeURIComponent(photoId)}.jpg`,
      };
    }),
  );
}

const builders: { readonly [List in StoreList]: (plan: StorePlan, externalId: string) => StoreRows[List][] } =
  {
    contacts: buildContacts,
    expectations: buildExpectations,
    expositions: buildExpositions,
    protocols: buildProtocols,
    photos: buildPhotos,
  };
