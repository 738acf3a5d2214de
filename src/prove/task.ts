import type {
  FleetOptions,
  OperationId,
  ReferenceServerOptions,
  ReferenceState,
  StoreOptions,
} from "../mock/index.ts";
import type { JsonObject } from "../wire/json.ts";
import { tableOf } from "../wire/names.ts";

/** A task, and how its result is judged: with the rows of a correct copy, or with a correct change of the data. */
export interface Task {
  /** The operation that the faults of a scenario affect by default. */
  readonly operation: OperationId;
  readonly words: string;
  /** What to copy or to write. The first of the `columns` of a copy is the ID of its rows. */
  readonly data: JsonObject;
  readonly seed: ReferenceServerOptions;
  /** Returns the rows that a correct copy of a state contains. */
  rows?(state: ReferenceState, data: JsonObject): Iterable<object>;
  /** Changes a state as a correct program does. */
  apply?(state: ReferenceState, data: JsonObject): void;
}

/** The number of rows of a list: two pages of the largest size, and a part of a third one. */
export const ROWS = 230;

export const HOUR = 3_600_000;
export const NOW = "2026-01-20T00:00:00.000Z";

const VEHICLES = ["vehicles", "vehicleGroups", "vehicleFields", "driverAssignments"] as const;
const INSPECTIONS = ["inspections", "inspectionTemplates", "damages"] as const;
const EMPTY_FLEET: FleetOptions = tableOf([...VEHICLES, ...INSPECTIONS], () => 0);

export function storeSeed(store: StoreOptions): ReferenceServerOptions {
  return { now: NOW, store, fleet: EMPTY_FLEET };
}

export function fleetSeed(fleet: FleetOptions): ReferenceServerOptions {
  return { now: NOW, store: { stores: 0 }, fleet: { ...EMPTY_FLEET, ...fleet } };
}

/** Returns values for the numbers from 1 to a count. */
export function times<Value>(count: number, build: (number: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => build(index + 1));
}

/** Changes properties of a row, if it exists. */
export function changeRow(rows: Map<string, object>, id: unknown, changes: object): void {
  const row = rows.get(String(id));
  if (row !== undefined) rows.set(String(id), { ...row, ...changes });
}
