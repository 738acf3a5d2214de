import { type FleetOperationId, fleetOperations } from "../../generated/fleet.operations.ts";
import { type StoreOperationId, storeOperations } from "../../generated/store.operations.ts";
import type { Operation } from "../wire/operation.ts";
import { pathSegment } from "../wire/path-segment.ts";
import { Routes } from "../wire/routes.ts";

/** One of the two APIs. */
export type ApiName = "store" | "fleet";

/** An operation of either API. */
export type OperationId = StoreOperationId | FleetOperationId;

/** The row of each operation. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  ...storeOperations,
  ...fleetOperations,
};

/** The operations of each API by their paths below the base URL. */
export const routes: Readonly<Record<ApiName, Routes<OperationId>>> = {
  store: new Routes(storeOperations),
  fleet: new Routes(fleetOperations),
};

/** Returns the operation of a percent-encoded path below the base URL, with its decoded path parameters. */
export function findRoute(
  api: ApiName,
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

/** A range that contains every time of a service. */
export const ALL_TIME = { from: "2000-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" } as const;

/** The path of the list of stores. */
export const STORES = storeOperations.listStores.path;

/** Returns the path of a store, or of something below it. */
export function storePath(externalId: string, ...rest: string[]): string {
  return [STORES, ...[externalId, ...rest].map(pathSegment)].join("/");
}

/** IDs that are not UUIDs: a firewall may refuse one of them for its form. */
export const MALFORMED_IDS = ["not-a-uuid", "12345", "4e2f1f7a-1111-4a4a-8b8b-00000000000g"] as const;

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
