import * as z from "zod/mini";
import type { JsonObject as FleetObject } from "../../../generated/fleet.ts";
import { zStore } from "../../../generated/store.schemas.ts";
import type { JsonObject, Store } from "../../../generated/store.ts";
import { isObject } from "../../wire/json.ts";
import { tableOf } from "../../wire/names.ts";
import { parseInstant } from "./instants.ts";
import { type FleetData, type FleetResource, fleetResources, type FleetRow } from "../fleet/data.ts";
import {
  listOf,
  rowSchemas,
  type StoreData,
  type StoreList,
  storeLists,
  type StoreRows,
} from "../store/data.ts";
import { buildRows, type StorePlan } from "../store/generate.ts";
import { instantSchema } from "./clock.ts";
import { deepCopy, SeedKeys } from "./rows.ts";
import { idSchema, parse } from "./schemas.ts";

/** The input of the generator of lists. Its version changes when the generated lists change. */
export interface ListGenerator {
  version: 1;
  seed: number;
  /** When the server was created, ISO 8601. */
  now: string;
  /** The number of protocols of each store. Default: three to six. */
  protocolsPerStore?: number | undefined;
}

/** The lists of a store; a missing list is empty. */
export type ExportedLists = {
  [List in StoreList]?: (StoreRows[List] extends JsonObject ? JsonObject : StoreRows[List])[] | undefined;
};

/** A store with its lists. */
export interface ExportedStore extends ExportedLists {
  store: Store;
  /** The unchanged generated lists. They are left out because the generator creates them again. */
  generated?: StoreList[] | undefined;
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
  generator?: ListGenerator | undefined;
  /** In the order of their external IDs. */
  stores?: ExportedStore[] | undefined;
  storesWithoutId?: ExportedStoreWithoutId[] | undefined;
}

/** The data of one environment of the fleet API as JSON: the rows of each resource in the order of its list. */
export type ExportedFleet = { [Resource in FleetResource]?: FleetObject[] | undefined };

/**
 * The data of a server as plain JSON, without tokens, keys, readings and overrides.
 * `shelfleet/specs/state.schema.json` is its JSON Schema.
 */
export interface ExportedState {
  version: 1;
  /** The time of the clock, ISO 8601. */
  now?: string | undefined;
  /** The number of IDs that the server has generated: it continues after them. */
  generatedIds?: number | undefined;
  store?: ExportedStores | undefined;
  /** Production of the fleet API. */
  fleet?: ExportedFleet | undefined;
  sandbox?: ExportedFleet | undefined;
}

/** Options of `exportState`. */
export interface ExportOptions {
  /**
   * Whether to write out generated lists that have not been read or changed. By default only their names are
   * written, and they are generated again when the state is used.
   */
  full?: boolean | undefined;
}

const count = z.optional(z.int().check(z.gte(0)));
const rows = z.optional(z.array(z.unknown()));
const rowLists = tableOf(fleetResources, () => rows);

/** Elements of arrays are checked one by one: zod would list the issues of 100 000 rows. */
const stateSchema = z.strictObject({
  version: z.literal(1, "must be 1: other versions cannot be read"),
  now: z.optional(instantSchema),
  generatedIds: count,
  store: z.optional(
    z.strictObject({
      generator: z.optional(
        z.strictObject({
          version: z.literal(1, "must be 1: this version generates other lists"),
          seed: z.int(),
          now: instantSchema,
          protocolsPerStore: count,
        }),
      ),
      stores: rows,
      storesWithoutId: rows,
    }),
  ),
  fleet: z.optional(z.strictObject(rowLists)),
  sandbox: z.optional(z.strictObject(rowLists)),
});

const storeSchema = z.strictObject({
  store: z.extend(zStore, { externalId: idSchema }),
  ...tableOf(storeLists, (list) => z.optional(z.array(rowSchemas[list]))),
  generated: z.optional(z.array(z.enum(storeLists))),
});

const storeWithoutIdSchema = z.strictObject({ place: z.string(), store: zStore });

const fleetRowSchema = z.looseObject({ id: idSchema });

/** A validated copy of a state. Do not change it. */
export interface ImportedState {
  readonly now: string | undefined;
  readonly generatedIds: number;
  readonly generator: ListGenerator | undefined;
  readonly stores: ReadonlyMap<string, ExportedStore>;
  readonly storesWithoutId: ReadonlyMap<string, Store>;
  readonly fleet: ImportedFleet;
  readonly sandbox: ImportedFleet;
}

/** The rows of one environment, by the names of its collections. */
type ImportedFleet = Readonly<Record<FleetResource, ReadonlyMap<string, FleetRow>>>;

/**
 * Validates and copies a state. Throws an error that names the invalid place, such as
 * `state.store.stores[3].store.name`.
 */
export function importState(given: unknown): ImportedState {
  const { now, generatedIds = 0, store = {}, fleet = {}, sandbox = {} } = parse(stateSchema, given, "state");
  const { generator, stores = [], storesWithoutId = [] } = store;
  return {
    now,
    generatedIds,
    generator,
    stores: byKey(stores, "state.store.stores", (element, place) => {
      const value = parse<ExportedStore>(storeSchema as never, element, place); // of the same shape
      assertGenerated(value, generator !== undefined, place);
      return [value.store.externalId ?? "", value, "store.externalId"];
    }),
    storesWithoutId: byKey(storesWithoutId, "state.store.storesWithoutId", (element, place) => {
      const value = parse(storeWithoutIdSchema, element, place);
      return [value.place, value.store, "place"];
    }),
    fleet: importFleet(fleet, "state.fleet"),
    sandbox: importFleet(sandbox, "state.sandbox"),
  };
}

/** Checks and copies elements; returns them by their keys, which must differ. */
function byKey<Value>(
  elements: readonly unknown[],
  place: string,
  read: (element: unknown, place: string) => [key: string, value: Value, name: string],
): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const [index, element] of elements.entries()) {
    const [key, value, name] = read(element, `${place}[${index}]`);
    if (values.has(key)) throw new Error(`${place}[${index}].${name}: duplicate "${key}"`);
    values.set(key, deepCopy(value));
  }
  return values;
}

function assertGenerated(element: ExportedStore, hasGenerator: boolean, place: string): void {
  if (element.generated === undefined) return;
  if (!hasGenerator) throw new Error(`${place}.generated needs a generator in state.store`);
  const list = element.generated.find((name) => element[name] !== undefined);
  if (list !== undefined) throw new Error(`${place}: "${list}" must either be given or be generated`);
}

function readRow(element: unknown, place: string): [string, FleetRow, string] {
  const row = parse<FleetRow>(fleetRowSchema, element, place);
  return [row.id, row, "id"];
}

function importFleet(
  given: Partial<Record<FleetResource, unknown[] | undefined>>,
  place: string,
): ImportedFleet {
  return tableOf(fleetResources, (resource) => byKey(given[resource] ?? [], `${place}.${resource}`, readRow));
}

/** Fills the store API with an imported state. Rows are copied on first access. */
export function seedImportedStores(data: StoreData, imported: ImportedState): void {
  const { stores, storesWithoutId, generator } = imported;
  const keys = new SeedKeys(stores.keys());
  const plan: StorePlan = {
    seed: generator?.seed ?? 0,
    now: parseInstant(generator?.now ?? ""),
    protocolsPerStore: generator?.protocolsPerStore,
  };
  data.stores.seedCopies(new Map(Array.from(stores, ([key, { store }]) => [key, store])));
  data.storesWithoutId.seedCopies(storesWithoutId);
  for (const list of storeLists)
    listOf(data, list).seed(keys, (key) => {
      const store = stores.get(key);
      if (store?.generated?.includes(list) === true) return buildRows(list, plan, key);
      return deepCopy<unknown[]>(store?.[list] ?? []);
    });
}

/** Fills an environment with imported rows. They are copied on first access. */
export function seedImportedFleet(data: FleetData, imported: ImportedFleet): void {
  for (const name of fleetResources) data[name].seedCopies(imported[name]);
}

/** The origin of the seeded lists of stores. */
export interface ListOrigin {
  readonly generator: ListGenerator | undefined;
  /** Whether the generator creates the unchanged list of a store. */
  isGenerated(list: StoreList, externalId: string): boolean;
}

/** Returns the data as plain JSON; with `full`, generated lists are written out. */
export function exportStores(data: StoreData, origin: ListOrigin, full: boolean): ExportedStores {
  const stores = data.stores.keyList().map((key): ExportedStore => {
    const store = data.stores.plain(key);
    if (store?.externalId !== key)
      throw new Error(`state.store.stores: the store "${key}" must have its key as externalId`);
    const generated = storeLists.filter(
      (list) => !full && data[list].isPending(key) && origin.isGenerated(list, key),
    );
    const written = storeLists.flatMap((list) => {
      const listed: unknown = generated.includes(list) ? undefined : data[list].plain(key);
      return Array.isArray(listed) && listed.length > 0 ? [[list, listed] as const] : [];
    });
    const lists: ExportedLists = Object.fromEntries<unknown[]>(written);
    return { store, ...lists, ...(generated.length > 0 && { generated }) };
  });
  const isNeeded = stores.some(({ generated }) => generated !== undefined);
  return {
    ...(isNeeded && { generator: origin.generator }),
    stores,
    storesWithoutId: data.storesWithoutId.keyList().map((place) => {
      return { place, store: data.storesWithoutId.plain(place) as Store }; // it is one of the keys
    }),
  };
}

/** Returns the data of one environment as plain JSON; `place` names it in errors. */
export function exportFleet(data: FleetData, place: string): ExportedFleet {
  return tableOf(fleetResources, (resource) =>
    data[resource].keyList().map((key) => {
      const row = data[resource].plain(key);
      if (isObject(row) && row.id === key) return row;
      throw new Error(`${place}.${resource}: the row "${key}" must have its key as id`);
    }),
  );
}
