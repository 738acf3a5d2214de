import { FleetClient, fieldStatuses, fleetQueryLimits, type VehicleField } from "shelfleet";
import { recordChange } from "../server.ts";
import { fleetOptions } from "../settings.ts";

/** The latest response of a vehicle for a field. */
export interface FieldStatusCell {
  field: string;
  vehicle: string;
  status: string;
  value: string;
}

/**
 * The status of a vehicle without a response (gap fields.no-response) or without a status rule (gap
 * fields.no-status-rule).
 */
export const UNKNOWN = "none";

export const statuses = [...fieldStatuses, UNKNOWN] as const;

/** Reads every field, and the status of each of its vehicles. */
export async function readFieldStatuses(): Promise<FieldStatusCell[]> {
  const fleet = new FleetClient(fleetOptions());
  try {
    const fields = await fleet.vehicleFields.list().take(50);
    const rows = await Promise.all(fields.map((field) => cellsOf(fleet, field)));
    return rows.flat();
  } finally {
    recordChange();
  }
}

async function cellsOf(fleet: FleetClient, { id, label }: VehicleField): Promise<FieldStatusCell[]> {
  const vehicles = await fleet.vehicleFields
    .listVehicles(id, { limit: fleetQueryLimits.listVehicleFieldVehicles.limit.maximum })
    .toArray();
  return vehicles.map(({ plateNumber, vehicleId, status, latestResponse }) => ({
    field: label,
    vehicle: plateNumber ?? vehicleId ?? "unnamed vehicle",
    status: status ?? UNKNOWN,
    value: latestResponse?.value ?? "no response",
  }));
}
