import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import type { Carried, FleetCaller } from "./fleet-caller.ts";

/** The seeded inspection that the samples use. */
export function firstInspection({ ref }: FleetCaller): string {
  const [id = ""] = ref.state.fleet.inspections.keys();
  return id;
}

/** A request of each operation that succeeds on a server with its own seed. */
export function samples(caller: FleetCaller): Record<FleetOperationId, Carried> {
  const inspection = firstInspection(caller);
  const report = { vehicleId: "vehicle-2", description: "Scratch", photoUrl: "/photos/1.jpg" };
  return {
    listVehicles: {},
    getVehicle: { id: "vehicle-1" },
    createVehicle: { body: { plateNumber: "WX 1", brand: "MAN", model: "TGX" } },
    updateVehicle: { id: "vehicle-2", body: { plateNumber: "WX 2" } },
    deleteVehicle: { id: "vehicle-3" },
    listVehicleGroups: {},
    getVehicleGroup: { id: "group-1" },
    createVehicleGroup: { body: { name: "Depot" } },
    updateVehicleGroup: { id: "group-2", body: { name: "Depot" } },
    deleteVehicleGroup: { id: "group-3" },
    listVehicleFields: {},
    listVehicleFieldVehicles: { id: "field-1" },
    listInspections: {},
    getInspection: { id: inspection },
    submitInspection: {
      body: { templateId: "template-1", vehicleIds: ["vehicle-1", "vehicle-2"], damages: [report] },
    },
    updateInspection: { id: inspection, body: { notes: "Looked at twice" } },
    deleteInspection: { id: inspection },
    listInspectionTemplates: {},
    getInspectionTemplate: { id: "template-1" },
    createInspectionTemplate: {
      body: { title: "Daily", items: [{ label: "Lights?", inputType: "BOOLEAN" }] },
    },
    updateInspectionTemplate: { id: "template-2", body: { title: "Weekly" } },
    deleteInspectionTemplate: { id: "template-3" },
    listDamages: {},
    getDamage: { id: "damage-1" },
    createDamage: { body: { vehicleId: "vehicle-1", description: "Dent" } },
    updateDamage: { id: "damage-2", body: { description: "Dent" } },
    deleteDamage: { id: "damage-3" },
    listDriverAssignments: {},
    getDriverAssignment: { id: "assignment-1" },
    createDriverAssignment: { body: { vehicleId: "vehicle-1", driverId: "user-1" } },
    updateDriverAssignment: { id: "assignment-2", body: { note: "Nights" } },
    releaseDriverAssignment: { id: "assignment-3" },
  };
}
