import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import type { CoverageModel } from "../kernel/coverage.ts";
import { fleetDocumented } from "./fleet/documented.ts";
import { storeDocumented } from "./store/documented.ts";

/** An operation of either API. */
export type OperationId = StoreOperationId | FleetOperationId;

/** Every operation, those of the store API first. */
export const operationIds: readonly OperationId[] = [
  ...(Object.keys(storeOperations) as StoreOperationId[]),
  ...(Object.keys(fleetOperations) as FleetOperationId[]),
];

/** Whether the response of an operation is a page of a list. */
export function isList(operation: OperationId): boolean {
  return operation.startsWith("list");
}

/** What both contracts document. */
export const coverageModel: CoverageModel = {
  operations: operationIds,
  errorCodes: [...storeDocumented.errorCodes, ...fleetDocumented.errorCodes],
  statuses: (operation) =>
    (Object.hasOwn(storeOperations, operation) ? storeDocumented : fleetDocumented).statuses(operation),
};
