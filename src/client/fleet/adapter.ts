import type { ApiAdapter } from "../core/request/run.ts";
import { FleetApiError } from "./errors.ts";
import { scopeError } from "./refusal.ts";

/** The errors of the fleet API. Contract: fleet 7. */
export const fleetAdapter: ApiAdapter = {
  error: (operation, details) =>
    details.status === 403 ? scopeError(operation, details) : new FleetApiError(details),
  isPermanent: () => false,
};
