import type { FleetData } from "./apis/fleet/data.ts";
import {
  type ExportedFleet,
  exportFleet,
  type ImportedFleet,
  importFleet,
} from "./apis/fleet/exported-fleet.ts";
import type { StoreData } from "./apis/store/data.ts";
import {
  type ExportedStores,
  exportStores,
  type ImportedStores,
  importStores,
  type ListOrigin,
} from "./apis/store/exported-stores.ts";
import { parseInstant } from "../wire/instants.ts";
import { checkNames } from "./testing/checks.ts";
import type { Server } from "./server/server.ts";
import { countAt, objectAt, textAt } from "./seed/state-checks.ts";

export const STATE_VERSION = 1;

/**
 * The data of a server as plain JSON, without tokens, keys, readings and overrides.
 * `shelfleet/specs/state.schema.json` is its JSON Schema.
 */
export interface ExportedState {
  version: typeof STATE_VERSION;
  /** The time of the clock, ISO 8601. */
  now?: string;
  /** The number of IDs that the server has generated: it continues after them. */
  generatedIds?: number;
  store?: ExportedStores;
  /** Production of the fleet API. */
  fleet?: ExportedFleet;
  sandbox?: ExportedFleet;
}

/** Options of `exportState`. */
export interface ExportOptions {
  /**
   * Whether to write out generated lists that have not been read or changed. By default only their names are
   * written, and they are generated again when the state is used.
   */
  full?: boolean;
}

/** A validated copy of a state. */
export interface ImportedState {
  readonly now: string | undefined;
  readonly generatedIds: number;
  readonly store: ImportedStores;
  readonly fleet: ImportedFleet;
  readonly sandbox: ImportedFleet;
}

/** The parts of a server's state that are exported. */
interface ExportableState {
  readonly store: StoreData;
  readonly fleet: FleetData;
  readonly sandbox: FleetData;
  readonly listOrigin: ListOrigin;
}

const PROPERTIES = ["version", "now", "generatedIds", "store", "fleet", "sandbox"];

/** Returns the state of a server as plain JSON. */
export function exportState(
  { clock, ids, state }: Server<ExportableState>,
  options: ExportOptions,
): ExportedState {
  checkNames("exportState", options, ["full"]);
  return {
    version: STATE_VERSION,
    now: clock.now().toISOString(),
    generatedIds: ids.count,
    store: exportStores(state.store, state.listOrigin, options.full ?? false, "state.store"),
    fleet: exportFleet(state.fleet, "state.fleet"),
    sandbox: exportFleet(state.sandbox, "state.sandbox"),
  };
}

/**
 * Validates and copies a state. Throws an error that names the invalid place, such as
 * `state.store.stores[3].store.name`.
 */
export function importState(value: unknown): ImportedState {
  const state = objectAt(value, "state", PROPERTIES);
  if (state.version !== STATE_VERSION)
    throw new Error(`state.version must be ${STATE_VERSION}: other versions cannot be read`);
  return {
    now: state.now === undefined ? undefined : instantAt(state.now, "state.now"),
    generatedIds: countAt(state.generatedIds, "state.generatedIds"),
    store: importStores(state.store, "state.store"),
    fleet: importFleet(state.fleet, "state.fleet"),
    sandbox: importFleet(state.sandbox, "state.sandbox"),
  };
}

function instantAt(value: unknown, place: string): string {
  const text = textAt(value, place);
  if (Number.isNaN(parseInstant(text))) throw new Error(`${place} must be an ISO 8601 date-time`);
  return text;
}
