/** The data of the store model, and its seeds. All of it is plain JSON. */
import {
  expositionTypes,
  imageStatuses,
  productCategories,
  protocolStatuses,
  storeTypes,
} from "../generate/contract-table.ts";
import type { JsonObject } from "./exchange.ts";
import { createRandom, type Random, uuidAt } from "./random.ts";

export { expositionTypes, imageStatuses, productCategories, protocolStatuses, storeTypes };

export interface OpeningTime {
  weekday: number;
  from: string;
  to: string;
}

export interface Store {
  storeId: string;
  externalId: string | null;
  name: string;
  location: string | null;
  regionId: string | null;
  storeType: string | null;
  openingTimes: OpeningTime[];
  protocolScheduleId: string;
  protocolCronEnabled: boolean;
  onboardingComplete: boolean;
  loginCode: string;
}

/** Instants are microseconds. */
export interface Contact {
  contactId: string;
  contactType: string;
  name: string;
  phone: string;
  email: string | null;
  hasWhatsapp: boolean;
  createdAt: number;
}

export interface Expectation {
  expectationId: string;
  productCategory: string | null;
  displayType: string;
  weekday: number;
  protocolTime: string;
  expectedFillRatio: number;
  updatedAt: number;
}

export interface Exposition {
  expositionId: string;
  label: string;
  friendlyTitle: string | null;
  productCategories: string[];
  expositionType: string;
  status: string;
}

export interface Photo {
  photoId: string;
  expositionId: string;
  status: string;
  takenAt: number;
  /** 0 to 100, null where nothing was evaluated. */
  fillRate: number | null;
}

export interface Protocol {
  /** The ID under the reading `uuid`; under `text` it is derived from this one. */
  protocolId: string;
  status: string;
  createdAt: number;
  submittedAt: number | null;
  photos: Photo[];
  /** Lists show no ID of it and of its photos. */
  isNameless?: true;
  /** Further properties of the summary. */
  extra?: JsonObject;
}

export interface StoreRecord {
  /** The place of a store without external ID among the others when the list is not sorted by external ID. */
  place: string;
  store: Store;
  contacts: Contact[];
  expectations: Expectation[];
  expositions: Exposition[];
  /** In order of creation. */
  protocols: Protocol[];
}

export interface StoreState {
  seed: number;
  /** The number of IDs created. */
  ids: number;
  /** The number of requests handled. */
  requests: number;
  stores: StoreRecord[];
}

export interface StoreSeed {
  readonly seed?: number | undefined;
  /** Stores with an external ID. Default 3. */
  readonly stores?: number | undefined;
  /** Stores without one. Default: one, and one more for each 40 stores; none beside no stores. */
  readonly unnamed?: number | undefined;
  /** Protocols of the first store. Default 13. */
  readonly protocols?: number | undefined;
  /** Smallest unit of the instants of protocols and photos. Default `millisecond`. */
  readonly precision?: "second" | "millisecond" | "microsecond" | undefined;
  /** Protocols of the first store come in pairs that differ in their ID only. Default: the second pair does. */
  readonly equalPairs?: boolean | undefined;
  /** All protocols of the first store have one instant. */
  readonly oneInstant?: boolean | undefined;
}

export const defaultScheduleId = "5c4ed01e-0000-4000-a000-000000000001";
const minute = 60_000_000;
const day = 1440 * minute;
/** Noon before the night in which daylight saving begins in 2026. */
const firstInstant = Date.UTC(2026, 2, 28, 12) * 1000;
const units = { second: 1_000_000, millisecond: 1000, microsecond: 1 };

export function nextId(state: StoreState): string {
  state.ids += 1;
  return uuidAt(state.seed, state.ids);
}

interface Seeding {
  readonly state: StoreState;
  readonly random: Random;
  readonly unit: number;
}

function seedStore({ state, random }: Seeding, index: number, externalId: string | null): Store {
  return {
    storeId: nextId(state),
    externalId,
    name: `Store ${index + 1}`,
    location: random.chance(0.8) ? `Ulica ${random.integer(1, 90)}, Warszawa` : null,
    regionId: random.chance(0.7) ? uuidAt(state.seed, -1 - random.integer(1, 3)) : null,
    storeType: random.chance(0.9) ? random.pick(storeTypes) : null,
    openingTimes: [0, 1, 2].map((weekday) => ({ weekday, from: "06:30", to: "22:00" })),
    protocolScheduleId: defaultScheduleId,
    protocolCronEnabled: random.chance(0.5),
    onboardingComplete: random.chance(0.5),
    loginCode: String(random.integer(100_000, 999_999)),
  };
}

function seedContact({ state }: Seeding, index: number): Contact {
  return {
    contactId: nextId(state),
    contactType: index === 0 ? "store" : "regional_manager",
    name: `Contact ${index + 1}`,
    phone: `+48 22 555 01 ${10 + index}`,
    email: index % 2 === 0 ? null : `contact${index + 1}@example.com`,
    hasWhatsapp: index % 2 === 1,
    createdAt: firstInstant - day + index * minute,
  };
}

/** The expositions of a store have different types. */
function seedExposition({ state, random }: Seeding, index: number, firstType: number): Exposition {
  return {
    expositionId: nextId(state),
    label: `Exposition ${index + 1}`,
    friendlyTitle: index % 2 === 0 ? null : `Counter ${index + 1}`,
    productCategories: [random.pick(productCategories.slice(0, 4)), random.pick(productCategories.slice(4))],
    expositionType: expositionTypes[(firstType + 11 * index) % expositionTypes.length] ?? "",
    status: index === 2 ? "disabled" : "active",
  };
}

/** One expectation for each display and weekday, half of them for all categories. Every second store expects nothing. */
function seedExpectations(
  { state }: Seeding,
  expositions: readonly Exposition[],
  store: number,
): Expectation[] {
  return expositions.flatMap((exposition, index) =>
    [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
      expectationId: nextId(state),
      productCategory: (weekday + index) % 2 === 0 ? null : (exposition.productCategories[0] ?? null),
      displayType: exposition.expositionType,
      weekday,
      protocolTime: `${String(6 + weekday).padStart(2, "0")}:30`,
      expectedFillRatio: store % 2 === 1 ? 0 : 20 + ((weekday * 37 + index * 29) % 70),
      updatedAt: firstInstant - day,
    })),
  );
}

/** Most photos have the status of their protocol; some differ, in both directions. */
function photoStatus({ random }: Seeding, protocolStatus: string, index: number, at: number): string {
  const isOdd = at === 0 && index % 3 === 1;
  if (protocolStatus === "completed") return isOdd ? "failed" : "completed";
  return ["completed", "failed"][at] ?? random.pick(imageStatuses);
}

function seedPhoto(seeding: Seeding, exposition: Exposition, createdAt: number, status: string): Photo {
  const { state, random, unit } = seeding;
  const taken = random.integer(1, 40) * minute + random.integer(0, 999) * unit;
  return {
    photoId: nextId(state),
    expositionId: exposition.expositionId,
    status,
    takenAt: createdAt + taken,
    fillRate: status === "completed" ? random.integer(0, 100) : null,
  };
}

function seedProtocol(
  seeding: Seeding,
  createdAt: number,
  index: number,
  expositions: readonly Exposition[],
): Protocol {
  const { state, random } = seeding;
  const status = index % 3 === 2 ? (protocolStatuses[((index / 3) % 5) | 0] ?? "failed") : "completed";
  return {
    protocolId: nextId(state),
    status,
    createdAt,
    submittedAt: status === "awaiting_submission" ? null : createdAt + random.integer(60, 240) * minute,
    photos: expositions.map((exposition, at) =>
      seedPhoto(seeding, exposition, createdAt, photoStatus(seeding, status, index, at)),
    ),
  };
}

/** Makes the second protocol of a pair equal to the first, IDs excepted. */
function pair(protocols: Protocol[], index: number): void {
  const [first, second] = [protocols[index], protocols[index + 1]];
  if (!first || !second) return;
  const { status, createdAt, submittedAt } = first;
  Object.assign(second, { status, createdAt, submittedAt });
}

/** The next instant at 22:40 UTC, which in Warsaw belongs to the next day. */
function nextLateEvening(at: number): number {
  const today = Math.floor(at / day) * day + 1360 * minute;
  return today > at ? today : today + day;
}

function seedProtocols(seeding: Seeding, count: number, expositions: readonly Exposition[]): Protocol[] {
  const { random, unit } = seeding;
  let at = firstInstant + random.integer(0, 86_399) * 1_000_000;
  return Array.from({ length: count }, (_, index) => {
    const step = random.integer(3, 40) * 30 * minute + random.integer(0, 999) * unit;
    at = index % 6 === 1 ? nextLateEvening(at) + (step % minute) : at + (index % 4 === 3 ? unit : step);
    return seedProtocol(seeding, at, index, expositions);
  });
}

function seedFirstStore(protocols: Protocol[], seed: StoreSeed): void {
  const last = seed.equalPairs ? protocols.length : 4;
  for (let index = seed.equalPairs ? 0 : 2; index < last; index += 2) pair(protocols, index);
  if (!seed.oneInstant) return;
  for (const protocol of protocols) protocol.createdAt = protocols[0]?.createdAt ?? 0;
}

function protocolCount(index: number, seed: StoreSeed): number {
  if (index === 0) return seed.protocols ?? 13;
  return index % 5 === 2 ? 0 : (index * 7) % 4;
}

function seedRecord(
  seeding: Seeding,
  index: number,
  externalId: string | null,
  seed: StoreSeed,
): StoreRecord {
  const firstType = seeding.random.integer(0, 33);
  const count = 2 + (index % 3 === 0 ? 1 : 0);
  const expositions = Array.from({ length: count }, (_, at) => seedExposition(seeding, at, firstType));
  const protocols =
    externalId === null ? [] : seedProtocols(seeding, protocolCount(index, seed), expositions);
  if (index === 0) seedFirstStore(protocols, seed);
  return {
    place: externalId ?? "",
    store: seedStore(seeding, index, externalId),
    contacts: Array.from({ length: 1 + (index % 3) }, (_, at) => seedContact(seeding, at)),
    expectations: index % 5 === 2 ? [] : seedExpectations(seeding, expositions, index),
    expositions,
    protocols,
  };
}

/** The same seed and sizes give the same state. */
export function seedStoreState(seed: StoreSeed = {}): StoreState {
  const number = seed.seed ?? 1;
  const state: StoreState = { seed: number, ids: 0, requests: 0, stores: [] };
  const seeding = { state, random: createRandom(number), unit: units[seed.precision ?? "millisecond"] };
  const named = seed.stores ?? 3;
  const width = Math.max(3, String(named).length);
  const unnamed = seed.unnamed ?? (named === 0 ? 0 : 1 + Math.floor(named / 40));
  for (let index = 0; index < named; index += 1) {
    const externalId = `S-${String(index + 1).padStart(width, "0")}`;
    state.stores.push(seedRecord(seeding, index, externalId, seed));
  }
  for (let index = 0; index < unnamed; index += 1) {
    const record = seedRecord(seeding, named + index, null, seed);
    const before = state.stores[Math.floor((index * named) / unnamed)];
    record.place = `${before?.place ?? ""}~${index}`;
    state.stores.push(record);
  }
  return state;
}
