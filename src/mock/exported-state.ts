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
import type { Tenant } from "./server/tenant.ts";
import { type UncheckedObject, countAt, elementsAt, objectAt, textAt } from "./seed/state-checks.ts";

export const STATE_VERSION = 1;

/** The data of a server or of a tenant as JSON, without tokens, keys, readings and overrides. */
export interface ExportedTenant {
  /** The time of the clock, ISO 8601. */
  now?: string;
  /** The number of IDs that the server has generated: it continues after them. */
  generatedIds?: number;
  store?: ExportedStores;
  /** Production of the fleet API. */
  fleet?: ExportedFleet;
  sandbox?: ExportedFleet;
}

/** The state of a server as plain JSON. `shelfleet/specs/state.schema.json` is its JSON Schema. */
export interface ExportedState extends ExportedTenant {
  version: typeof STATE_VERSION;
  /** The tenants in the order of their creation. */
  tenants?: ExportedTenant[];
}

/** Options of `exportState`. */
export interface ExportOptions {
  /**
   * Whether to write out generated lists that have not been read or changed. By default only their names are
   * written, and they are generated again when the state is used.
   */
  full?: boolean;
}

/** A validated copy of the state of a server or of a tenant. */
export interface ImportedTenant {
  readonly now: string | undefined;
  readonly generatedIds: number;
  readonly store: ImportedStores;
  readonly fleet: ImportedFleet;
  readonly sandbox: ImportedFleet;
}

/** A validated copy of a state. */
export interface ImportedState extends ImportedTenant {
  readonly tenants: readonly ImportedTenant[];
}

/** The parts of a tenant's state that are exported. */
interface ExportableState {
  readonly store: StoreData;
  readonly fleet: FleetData;
  readonly sandbox: FleetData;
  readonly listOrigin: ListOrigin;
}

const PROPERTIES = ["now", "generatedIds", "store", "fleet", "sandbox"];

/** Returns the state of a server and of its tenants, or of a single tenant, as plain JSON. */
export function exportState(
  [server, ...tenants]: readonly Tenant<ExportableState>[],
  options: ExportOptions,
): ExportedState {
  checkNames("exportState", options, ["full"]);
  const { full = false } = options;
  if (server === undefined) throw new Error("exportState: there is no server");
  const state = { version: STATE_VERSION, ...exportTenant(server, full, "state") } as const;
  if (tenants.length === 0) return state;
  return {
    ...state,
    tenants: tenants.map((tenant, index) => exportTenant(tenant, full, `state.tenants[${index}]`)),
  };
}

function exportTenant(tenant: Tenant<ExportableState>, full: boolean, place: string): ExportedTenant {
  const { clock, ids, state } = tenant;
  return {
    now: clock.now().toISOString(),
    generatedIds: ids.count,
    store: exportStores(state.store, state.listOrigin, full, `${place}.store`),
    fleet: exportFleet(state.fleet, `${place}.fleet`),
    sandbox: exportFleet(state.sandbox, `${place}.sandbox`),
  };
}

/**
 * Validates and copies a state. Throws an error that names the invalid place, such as
 * `state.store.stores[3].store.name`.
 */
export function importState(value: unknown): ImportedState {
  const state = objectAt(value, "state", ["version", ...PROPERTIES, "tenants"]);
  if (state.version !== STATE_VERSION)
    throw new Error(`state.version must be ${STATE_VERSION}: other versions cannot be read`);
  const tenants = elementsAt(state.tenants, "state.tenants").map((tenant, index) => {
    const place = `state.tenants[${index}]`;
    return importTenant(objectAt(tenant, place, PROPERTIES), place);
  });
  return { ...importTenant(state, "state"), tenants };
}

/**
 * Checks a state for a server with a number of tenants; returns the parts of the server and of the tenants. Throws an
 * error that names a wrong place.
 */
export function importedTenants(value: unknown, count: number): readonly ImportedTenant[] {
  const { tenants, ...server } = importState(value);
  if (tenants.length <= count) return [server, ...tenants];
  throw new Error(`state.tenants has ${tenants.length} elements, but there are only ${count} tenants here`);
}

function importTenant(state: UncheckedObject, place: string): ImportedTenant {
  return {
    now: state.now === undefined ? undefined : instantAt(state.now, `${place}.now`),
    generatedIds: countAt(state.generatedIds, `${place}.generatedIds`),
    store: importStores(state.store, `${place}.store`),
    fleet: importFleet(state.fleet, `${place}.fleet`),
    sandbox: importFleet(state.sandbox, `${place}.sandbox`),
  };
}

function instantAt(value: unknown, place: string): string {
  const text = textAt(value, place);
  if (Number.isNaN(parseInstant(text))) throw new Error(`${place} must be an ISO 8601 date-time`);
  return text;
}
