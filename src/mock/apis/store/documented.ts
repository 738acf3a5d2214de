import { type StoreOperationId, storeOperations } from "../../../../generated/store.operations.ts";
import type { DocumentedResponses } from "../../server/api.ts";
import { storeErrorCodes } from "./errors.ts";

/** The statuses and codes that the contract documents for the store API. Contract: store 4, 7. */
export const storeDocumented: DocumentedResponses = {
  errorCodes: storeErrorCodes,
  statuses: (operation) => {
    const { method, path } = storeOperations[operation as StoreOperationId];
    const takesInput = method === "PUT" || /^list|FillRates?$/.test(operation);
    const namesResource = path.includes("{") && operation !== "putStore";
    return [200, ...(takesInput ? [400] : []), 401, ...(namesResource ? [404] : []), 503];
  },
};
