import type { FleetOperationId } from "../../generated/fleet.operations.ts";
import type { operations } from "../../generated/fleet.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import type { SampleOf } from "./sample.ts";

/** The IDs of the fleet data that the seed determines. */
export interface FleetIds {
  inspectionId: string;
}

/** The IDs of the production data. */
export function fleetIdsOf({ state: { fleet } }: ReferenceServer): FleetIds {
  const [inspectionId = ""] = fleet.inspections.keys();
  return { inspectionId };
}

const path = (id: string) => ({ path: { id } });

/**
 * One request of each operation of the fleet API. It succeeds on a reference server with its own seed, and a DELETE
 * removes no row that another request uses.
 */
export function fleetSamples(ids: FleetIds): { [Id in FleetOperationId]: SampleOf<operations[Id]> } {
  const inspection = path(ids.inspectionId);
  const report = { vehicleId: "vehicle-2", description: "Scratch", photoUrl: "/photos/1.jpg" };
  return {
    listVehicles: {},
    createVehicle: { body: { plateNumber: "WX 1", brand: "MAN", model: "TGX" } },
    getVehicle: path("vehicle-1"),
    updateVehicle: { ...path("vehicle-2"), body: { plateNumber: "WX 2" } },
    deleteVehicle: path("vehicle-3"),
    listVehicleGroups: {},
    createVehicleGroup: { body: { name: "Depot" } },
    getVehicleGroup: path("group-1"),
    updateVehicleGroup: { ...path("group-2"), body: { name: "Depot" } },
    deleteVehicleGroup: path("group-3"),
    listVehicleFields: {},
    listVehicleFieldVehicles: path("field-1"),
    listInspections: {},
    submitInspection: {
      body: { templateId: "template-1", vehicleIds: ["vehicle-1", "vehicle-2"], damages: [report] },
    },
    getInspection: inspection,
    updateInspection: { ...inspection, body: { notes: "Looked at twice" } },
    deleteInspection: inspection,
    listInspectionTemplates: {},
    createInspectionTemplate: {
      body: { title: "Daily", items: [{ label: "Lights?", inputType: "BOOLEAN" }] },
    },
    getInspectionTemplate: path("template-1"),
    updateInspectionTemplate: { ...path("template-2"), body: { title: "Weekly" } },
    deleteInspectionTemplate: path("template-3"),
    listDamages: {},
    createDamage: { body: { vehicleId: "vehicle-1", description: "Dent" } },
    getDamage: path("damage-1"),
    updateDamage: { ...path("damage-2"), body: { description: "Dent" } },
    deleteDamage: path("damage-3"),
    listDriverAssignments: {},
    createDriverAssignment: { body: { vehicleId: "vehicle-1", driverId: "user-1" } },
    getDriverAssignment: path("assignment-1"),
    updateDriverAssignment: { ...path("assignment-2"), body: { note: "Nights" } },
    releaseDriverAssignment: path("assignment-3"),
  };
}
