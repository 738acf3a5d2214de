import * as z from "zod/mini";
import type { JsonObject as FleetObject } from "../../../generated/fleet.ts";
import { zStore } from "../../../generated/store.schemas.ts";
import type { JsonObject, Store } from "../../../generated/store.ts";
import { nestsTooDeep } from "../../wire/json.ts";
import { omitUndefined, tableOf } from "../../wire/names.ts";
import {
  type FleetData,
  type FleetResource,
  fleetResources,
  type FleetRow,
  moveDamages,
} from "../fleet/data.ts";
import {
  listOf,
  rowSchemas,
  type StoreData,
  type StoreList,
  storeLists,
  type StoreRows,
} from "../store/data.ts";
import { instantSchema } from "./clock.ts";
import { deepCopy, type SeededMap } from "./rows.ts";
import { idSchema, parse } from "./schemas.ts";

/** The lists of a store; a missing list is empty. */
export type ExportedLists = {
  [List in StoreList]?: (StoreRows[List] extends JsonObject ? JsonObject : StoreRows[List])[] | undefined;
};

/** A store with its lists. */
export interface ExportedStore extends ExportedLists {
  store: Store;
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
  /** The number of IDs that the server has generated: it continues after them. Default: 0, without the IDs of the state. */
  generatedIds?: number | undefined;
  store?:
    | {
        /** In the order of their external IDs. */
        stores?: ExportedStore[] | undefined;
        /** With their places in the order of the external IDs. */
        storesWithoutId?: { place: string; store: Store }[] | undefined;
      }
    | undefined;
  /** Production of the fleet API. */
  fleet?: ExportedFleet | undefined;
  sandbox?: ExportedFleet | undefined;
}

/** The data of a server, as the handlers of requests see it. */
export interface Data {
  readonly store: StoreData;
  readonly fleet: FleetData;
  readonly sandbox: FleetData;
}

/** An array of rows whose keys differ: a row would replace another one with its key. */
function rowsOf<Row>(row: z.ZodMiniType<Row>, keyOf: (row: Row) => string | null) {
  const areDifferent = (rows: readonly Row[]): boolean => new Set(rows.map(keyOf)).size === rows.length;
  return z.optional(z.array(row).check(z.refine(areDifferent, "must have different IDs")));
}

const storeSchema = z.strictObject({
  store: z.extend(zStore, { externalId: idSchema }),
  ...tableOf(storeLists, (list) => z.optional(z.array(rowSchemas[list]))),
});

const fleetSchema = z.strictObject(
  tableOf(fleetResources, () => rowsOf(z.looseObject({ id: idSchema }), ({ id }) => id)),
);

const stateSchema = z.strictObject({
  version: z.literal(1, "must be 1: other versions cannot be read"),
  now: z.optional(instantSchema),
  generatedIds: z.optional(z.int().check(z.gte(0))),
  store: z.optional(
    z.strictObject({
      stores: rowsOf(storeSchema, ({ store }) => store.externalId),
      storesWithoutId: rowsOf(z.strictObject({ place: z.string(), store: zStore }), ({ place }) => place),
    }),
  ),
  fleet: z.optional(fleetSchema),
  sandbox: z.optional(fleetSchema),
});

/** Returns a validated copy of a state. Throws an error that names an invalid place: `state.store.stores[3].store.name`. */
export function parseState(given: unknown): ExportedState {
  parse(stateSchema, given, "state");
  const text = JSON.stringify(given);
  if (nestsTooDeep(text)) throw new Error("state must be nested less deeply");
  return JSON.parse(text) as ExportedState; // the schema has checked it
}

/** Fills the data with a valid state. Rows are copied on first access. */
export function seedState(data: Data, { store = {}, ...environments }: ExportedState): void {
  const { stores = [], storesWithoutId = [] } = store;
  const byId = stores.map((row) => [row.store.externalId ?? "", row] as const);
  seedCopies(data.store.stores, new Map(byId.map(([id, row]) => [id, row.store])));
  for (const list of storeLists)
    seedCopies(listOf(data.store, list), new Map(byId.map(([id, row]) => [id, row[list] ?? []])));
  seedCopies(data.store.storesWithoutId, new Map(storesWithoutId.map((row) => [row.place, row.store])));
  for (const name of ["fleet", "sandbox"] as const) seedEnvironment(data[name], environments[name] ?? {});
}

function seedEnvironment(data: FleetData, given: ExportedFleet): void {
  const rows = tableOf(fleetResources, (resource) => {
    const of = (given[resource] ?? []) as FleetRow[]; // the schema has checked their IDs
    return new Map(of.map((row) => [row.id, row]));
  });
  const stored = { ...rows, ...moveDamages(rows) };
  for (const resource of fleetResources) seedCopies(data[resource], stored[resource]);
}

function seedCopies<Row>(map: SeededMap<Row>, rows: ReadonlyMap<string, Row>): void {
  map.seed([...rows.keys()], (key) => deepCopy(rows.get(key) as Row)); // these are its keys
}

/** Returns a copy of the data as plain JSON. */
export function exportData({ store, fleet, sandbox }: Data): Omit<ExportedState, "version"> {
  const { stores, storesWithoutId } = store;
  return {
    store: {
      stores: stores.keyList().map((id) => ({
        store: stores.copy(id) as Store, // there is one for each key, also below
        ...(omitUndefined(tableOf(storeLists, (list) => store[list].copy(id))) as ExportedLists), // the rows of each list
      })),
      storesWithoutId: storesWithoutId
        .keyList()
        .map((place) => ({ place, store: storesWithoutId.copy(place) as Store })),
    },
    fleet: exportFleet(fleet),
    sandbox: exportFleet(sandbox),
  };
}

function exportFleet(data: FleetData): ExportedFleet {
  return tableOf(fleetResources, (resource) => {
    const rows = data[resource];
    return rows.keyList().flatMap((id) => rows.copy(id) ?? []);
  });
}
