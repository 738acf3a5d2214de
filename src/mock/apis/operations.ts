import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";

/** An operation of either API. */
export type OperationId = StoreOperationId | FleetOperationId;

/** All operations of both APIs. */
export const operations: Readonly<Record<OperationId, { method: string; path: string }>> = {
  ...storeOperations,
  ...fleetOperations,
};

/** All ids, store before fleet. */
export const operationIds = Object.keys(operations) as OperationId[];

/** Refuses what is no operation by an error that names those there are. */
export function checkedOperation(id: string): OperationId {
  if (Object.hasOwn(operations, id)) return id as OperationId;
  throw new Error(`no operation "${id}"; there are ${operationIds.join(", ")}`);
}

/** Whether an operation answers in pages. */
export function isList(id: OperationId): boolean {
  return id.startsWith("list");
}
