// Compiled, not run: what a consumer's editor shows and what the compiler pays for every operation.
import type { FleetClient } from "../../src/fleet/index.ts";

export async function everyFleetOperation(client: FleetClient): Promise<unknown[]> {
  return [
    await client.vehicles.list({ limit: 5 }),
    await client.vehicles.get("v"),
    await client.vehicles.create({ name: "x" }),
    await client.vehicles.update("v", { name: "x" }),
    await client.vehicles.delete("v"),
    await client.vehicleGroups.list(),
    await client.vehicleGroups.get("g"),
    await client.vehicleGroups.create({ name: "x" }),
    await client.vehicleGroups.update("g", { name: "x" }),
    await client.vehicleGroups.delete("g"),
    await client.vehicleFields.list({ search: "x" }),
    await client.vehicleFields.listVehicles("f", { status: "OK" }),
    await client.inspections.list(),
    await client.inspections.get("i"),
    await client.inspections.submit({ name: "x" }),
    await client.inspections.update("i", { name: "x" }),
    await client.inspections.delete("i"),
    await client.inspectionTemplates.list({ title: "x", isActive: true }),
    await client.inspectionTemplates.get("t"),
    await client.inspectionTemplates.create({ name: "x" }),
    await client.inspectionTemplates.update("t", { name: "x" }),
    await client.inspectionTemplates.delete("t"),
    await client.damages.list(),
    await client.damages.get("d"),
    await client.damages.create({ name: "x" }),
    await client.damages.update("d", { name: "x" }),
    await client.damages.delete("d"),
    await client.driverAssignments.list(),
    await client.driverAssignments.get("a"),
    await client.driverAssignments.create({ name: "x" }),
    await client.driverAssignments.update("a", { name: "x" }),
    await client.driverAssignments.release("a"),
  ];
}
