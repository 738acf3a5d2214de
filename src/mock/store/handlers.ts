import type { StoreOperationId } from "../../../generated/store.operations.ts";
import type { StoreHandler } from "./context.ts";

/** All operations of the store API. */
export const storeHandlers: Readonly<Partial<Record<StoreOperationId, StoreHandler>>> = {};
