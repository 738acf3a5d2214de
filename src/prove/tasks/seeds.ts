import type { FleetOptions, ReferenceServerOptions, StoreOptions } from "../../mock/index.ts";

/** The number of rows of a list: two pages of the largest size, and a part of a third one. */
export const ROWS = 230;

export const HOUR = 3_600_000;
export const NOW = "2026-01-20T00:00:00.000Z";

export const EMPTY_FLEET = {
  vehicles: 0,
  vehicleGroups: 0,
  vehicleFields: 0,
  inspections: 0,
  inspectionTemplates: 0,
  damages: 0,
  driverAssignments: 0,
} as const;

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
