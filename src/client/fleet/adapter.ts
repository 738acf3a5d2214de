import type { ApiAdapter } from "../core/request/run.ts";

/** The errors of the fleet API. Contract: fleet 7. */
export const fleetAdapter: ApiAdapter = {
  async error(operation, details) {
    const { fleetError } = await import("./refusal.ts");
    return fleetError(operation, details);
  },
  isPermanent: () => false,
};
