import type { JsonObject, Store } from "../../../../generated/store.ts";
import { type MockReadings, resolveReadings } from "../../server/readings.ts";
import type { StoreData, StoreList, StoreRows } from "./data.ts";
import type { StoreSeedPlan } from "./seed/generated-rows.ts";
import { checkRow, isStoreList, listsOf, storeLists } from "./seed/list-rules.ts";
import { zStore } from "../../../../generated/store.schemas.ts";
import { parseInstant } from "../../../wire/instants.ts";
import { deepCopy, SeedKeys } from "../../seed/seeded-map.ts";
import {
  assertSchemaAt,
  countAt,
  elementsAt,
  idAt,
  objectAt,
  textAt,
  type UncheckedObject,
} from "../../seed/state-checks.ts";
import { messageOf } from "../../../wire/thrown.ts";

/** The readings that generated lists depend on. */
const listReadings = ["protocols.id-format"] as const;

/**
 * The version of the generator of lists. It changes when the generated lists change, because a state of another
 * version would get other lists.
 */
const LIST_GENERATOR = 1;

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

export interface ListOrigin {
  readonly generator: ListGenerator | undefined;
  isGenerated(list: StoreList, externalId: string): boolean;
}

export function generatedListOrigin({ seed, now, readings, options, storeKeys }: StoreSeedPlan): ListOrigin {
  const { protocolsPerStore } = options;
  const generator: ListGenerator = {
    version: LIST_GENERATOR,
    seed,
    now: new Date(now).toISOString(),
    ...(protocolsPerStore !== undefined && { protocolsPerStore }),
    readings: { "protocols.id-format": readings["protocols.id-format"] },
  };
  return { generator, isGenerated: (_list, externalId) => storeKeys.has(externalId) };
}

/** Returns the data as plain JSON; with `full`, generated lists are written out; `place` names the data in errors. */
export function exportStores(
  data: StoreData,
  origin: ListOrigin,
  full: boolean,
  place: string,
): ExportedStores {
  const stores = data.stores.keyList().map((key) => exportStore(data, key, origin, full, place));
  const { generator } = origin;
  const isNeeded = generator !== undefined && stores.some(({ generated }) => generated !== undefined);
  return {
    ...(isNeeded && { generator }),
    stores,
    storesWithoutId: data.storesWithoutId.keyList().flatMap((key) => {
      const store = data.storesWithoutId.plain(key);
      return store === undefined ? [] : [{ place: key, store }];
    }),
  };
}

function exportStore(
  data: StoreData,
  key: string,
  origin: ListOrigin,
  full: boolean,
  place: string,
): ExportedStore {
  const store = data.stores.plain(key);
  if (store?.externalId !== key)
    throw new Error(`${place}.stores: the store "${key}" must have its key as externalId`);
  const exported: ExportedStore = { store };
  const generated: StoreList[] = [];
  for (const { name, map } of listsOf(data)) {
    if (!full && map.isPending(key) && origin.isGenerated(name, key)) {
      generated.push(name);
      continue;
    }
    const rows = map.plain(key);
    if (Array.isArray(rows) && rows.length > 0) Object.assign(exported, { [name]: rows });
  }
  return generated.length === 0 ? exported : { ...exported, generated };
}

/** A validated copy of exported stores. Do not change it. */
export interface ImportedStores {
  readonly generator: ListGenerator | undefined;
  /** In the order of the state. */
  readonly stores: ReadonlyMap<string, ExportedStore>;
  readonly storesWithoutId: ReadonlyMap<string, Store>;
}

const PROPERTIES: readonly string[] = ["store", ...storeLists, "generated"];

/** Validates and copies exported stores. Throws an error that names the invalid place. */
export function importStores(value: unknown, place: string): ImportedStores {
  const state = objectAt(value ?? {}, place, ["generator", "stores", "storesWithoutId"]);
  const generator = generatorAt(state.generator, `${place}.generator`);
  const stores = new Map<string, ExportedStore>();
  for (const [index, element] of elementsAt(state.stores, `${place}.stores`).entries()) {
    const elementPlace = `${place}.stores[${index}]`;
    const imported = storeAt(element, elementPlace, generator !== undefined);
    const key = idAt(imported.store.externalId, `${elementPlace}.store.externalId`);
    if (stores.has(key)) throw new Error(`${elementPlace}.store.externalId: duplicate store "${key}"`);
    stores.set(key, deepCopy(imported));
  }
  return { generator, stores, storesWithoutId: placesAt(state.storesWithoutId, `${place}.storesWithoutId`) };
}

function storeAt(value: unknown, place: string, hasGenerator: boolean): ExportedStore {
  const element = objectAt(value, place, PROPERTIES);
  assertSchemaAt(element.store, `${place}.store`, zStore);
  for (const list of storeLists) if (element[list] !== undefined) checkRows(element[list], list, place);
  if (element.generated !== undefined) checkGenerated(element, hasGenerator, place);
  const checked: object = element;
  return checked as ExportedStore; // every property was checked
}

function checkGenerated(element: UncheckedObject, hasGenerator: boolean, place: string): void {
  if (!hasGenerator) throw new Error(`${place}.generated needs a generator in state.store`);
  for (const list of elementsAt(element.generated, `${place}.generated`)) {
    if (!isStoreList(list)) throw new Error(`${place}.generated must only have ${storeLists.join(", ")}`);
    if (element[list] !== undefined)
      throw new Error(`${place}: "${list}" must either be given or be generated`);
  }
}

function checkRows(value: unknown, list: StoreList, place: string): void {
  for (const [index, row] of elementsAt(value, `${place}.${list}`).entries())
    checkRow(list, row, `${place}.${list}[${index}]`);
}

function placesAt(value: unknown, place: string): ReadonlyMap<string, Store> {
  const stores = new Map<string, Store>();
  for (const [index, element] of elementsAt(value, place).entries()) {
    const elementPlace = `${place}[${index}]`;
    const { place: key, store } = objectAt(element, elementPlace, ["place", "store"]);
    assertSchemaAt(store, `${elementPlace}.store`, zStore);
    if (typeof key !== "string") throw new Error(`${elementPlace}.place must be a string`);
    if (stores.has(key)) throw new Error(`${elementPlace}.place: duplicate place`);
    stores.set(key, deepCopy(store as Store)); // it matches the schema
  }
  return stores;
}

function generatorAt(value: unknown, place: string): ListGenerator | undefined {
  if (value === undefined) return undefined;
  const generator = objectAt(value, place, ["version", "seed", "now", "protocolsPerStore", "readings"]);
  if (generator.version !== LIST_GENERATOR)
    throw new Error(`${place}.version must be ${LIST_GENERATOR}: this version generates other lists`);
  if (!Number.isSafeInteger(generator.seed)) throw new Error(`${place}.seed must be an integer`);
  if (Number.isNaN(parseInstant(textAt(generator.now, `${place}.now`))))
    throw new Error(`${place}.now must be an ISO 8601 date-time`);
  countAt(generator.protocolsPerStore, `${place}.protocolsPerStore`);
  checkReadings(objectAt(generator.readings, `${place}.readings`, listReadings), place);
  const checked: object = deepCopy(generator);
  return checked as ListGenerator; // every property was checked
}

function checkReadings(readings: UncheckedObject, place: string): void {
  try {
    resolveReadings(readings);
  } catch (error) {
    throw new Error(`${place}.${messageOf(error)}`, { cause: error }); // it throws only this error
  }
}

/** Fills a store API with imported stores. Rows are copied on first access. */
export function seedImportedStores(data: StoreData, imported: ImportedStores, plan: StoreSeedPlan): void {
  const { stores, storesWithoutId, generator } = imported;
  const keys = new SeedKeys(stores.keys());
  const generatorPlan = generator === undefined ? plan : planOf(generator, plan);
  data.stores.seedCopies(new Map(Array.from(stores, ([key, { store }]) => [key, store])));
  for (const { name, map, rules } of listsOf(data)) {
    map.seed(keys, (key) => {
      const store = stores.get(key);
      if (store?.generated?.includes(name) === true) return rules.build(generatorPlan, key);
      return deepCopy<unknown[]>(store?.[name] ?? []);
    });
  }
  data.storesWithoutId.seedCopies(storesWithoutId);
}

export function importedListOrigin({ stores, generator }: ImportedStores): ListOrigin {
  return { generator, isGenerated: (list, key) => stores.get(key)?.generated?.includes(list) === true };
}

function planOf(
  { seed, now, protocolsPerStore, readings }: ListGenerator,
  plan: StoreSeedPlan,
): StoreSeedPlan {
  const all: MockReadings = { ...plan.readings, ...readings };
  const options = protocolsPerStore === undefined ? {} : { protocolsPerStore };
  return { ...plan, seed, now: parseInstant(now), readings: all, options };
}
