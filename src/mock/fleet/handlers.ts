import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import type { FleetHandler } from "./context.ts";

/** All operations of the fleet API. */
export const fleetHandlers: Readonly<Partial<Record<FleetOperationId, FleetHandler>>> = {};
