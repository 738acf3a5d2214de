import { type FleetOperationId, fleetOperations } from "../../generated/fleet.operations.ts";
import { type StoreOperationId, storeOperations } from "../../generated/store.operations.ts";
import type { Operation } from "../wire/operation.ts";
import { Routes } from "../wire/routes.ts";

/** One of the two APIs. */
export type Api = "store" | "fleet";

/** An operation of either API. */
export type OperationId = StoreOperationId | FleetOperationId;

/** The row of each operation. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  ...storeOperations,
  ...fleetOperations,
};

/** The operations of each API by their paths below the base URL. */
export const routes: Readonly<Record<Api, Routes<OperationId>>> = {
  store: new Routes(storeOperations),
  fleet: new Routes(fleetOperations),
};

/** Returns the operation of a percent-encoded path below the base URL, with its decoded path parameters. */
export function findRoute(
  api: Api,
  method: string,
  path: string,
): { operation: OperationId | undefined; params: Record<string, string> } {
  const match = routes[api].match(path);
  const operation = match?.operations.get(method);
  return { operation, params: operation === undefined ? {} : (match?.params ?? {}) };
}

/** Returns the largest `limit` of the list at a path of either API. */
export function maxLimit(path: string): number {
  const { operation = findRoute("fleet", "GET", path).operation } = findRoute("store", "GET", path);
  const maximum = operation && operations[operation].query?.["limit"]?.maximum;
  if (maximum === undefined) throw new Error(`GET ${path} has no largest limit`);
  return maximum;
}

/** Returns the query for the largest page of the list at a path. */
export function largestPage(path: string): { limit: string } {
  return { limit: String(maxLimit(path)) };
}

/** The paths of the lists of the fleet API; a row has its ID appended. */
export const FLEET_PATHS = {
  vehicles: fleetOperations.listVehicles.path,
  vehicleGroups: fleetOperations.listVehicleGroups.path,
  vehicleFields: fleetOperations.listVehicleFields.path,
  inspections: fleetOperations.listInspections.path,
  inspectionTemplates: fleetOperations.listInspectionTemplates.path,
  damages: fleetOperations.listDamages.path,
  driverAssignments: fleetOperations.listDriverAssignments.path,
} as const;
