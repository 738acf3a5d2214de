import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { DocumentedResponses } from "../../server/api.ts";

/** The statuses and codes that the contract documents for the fleet API. Contract: fleet 7. */
export const fleetDocumented: DocumentedResponses = {
  errorCodes: ["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND"],
  statuses: (operation) => {
    const { method, path } = fleetOperations[operation as FleetOperationId];
    const success = method === "POST" ? 201 : 200;
    return [success, 401, 403, ...(path.includes("{") ? [404] : [])];
  },
};
