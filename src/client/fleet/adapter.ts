import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import type { ApiAdapter } from "../core/request/run.ts";
import { needOf } from "./scopes.ts";

/** The errors of the fleet API. Contract: fleet 7. */
export const fleetAdapter: ApiAdapter = {
  async error(id, details) {
    const { fleetError } = await import("./refusal.ts");
    const isKnown = Object.hasOwn(fleetOperations, id); // so that the ID is one of them
    return fleetError(isKnown ? { id, need: needOf(id as FleetOperationId) } : undefined, details);
  },
  isPermanent: () => false,
};
