import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../wire/operation.ts";
import { isUuid } from "../../../wire/uuid.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { withFileUrls } from "./file-urls.ts";
import { inspectionTemplates } from "./inspection-templates.ts";
import { inspections, newDamage } from "./inspections.ts";
import { DAMAGE_SYNONYMS } from "./references.ts";
import { resourceHandlers } from "./resource-handlers.ts";
import { listVehicleFieldVehicles, listVehicleFields } from "./vehicle-fields.ts";
import { namesOf } from "../../../wire/names.ts";
import { damageView } from "./views.ts";

const vehicles = resourceHandlers("vehicles");
const vehicleGroups = resourceHandlers("vehicleGroups");
const driverAssignments = resourceHandlers("driverAssignments");

/** A PUT keeps the time and the inspection of a damage if its body leaves them out. */
const damages = resourceHandlers("damages", {
  defaults: ({ clock }) => newDamage(clock.now().toISOString()),
  preserved: ["reportedAt", "inspectionId", "inspection"],
  synonyms: DAMAGE_SYNONYMS,
  detail: (row, { data, readings }) => damageView(row, data, readings),
});

type Handlers = Readonly<Record<FleetOperationId, FleetHandler>>;

const handlers: Handlers = {
  listVehicles: vehicles.list,
  getVehicle: vehicles.get,
  createVehicle: vehicles.create,
  updateVehicle: vehicles.replace,
  deleteVehicle: vehicles.delete,
  listVehicleGroups: vehicleGroups.list,
  getVehicleGroup: vehicleGroups.get,
  createVehicleGroup: vehicleGroups.create,
  updateVehicleGroup: vehicleGroups.replace,
  deleteVehicleGroup: vehicleGroups.delete,
  listVehicleFields,
  listVehicleFieldVehicles,
  listInspections: inspections.list,
  getInspection: inspections.get,
  submitInspection: inspections.create,
  updateInspection: inspections.patch,
  deleteInspection: inspections.delete,
  listInspectionTemplates: inspectionTemplates.list,
  getInspectionTemplate: inspectionTemplates.get,
  createInspectionTemplate: inspectionTemplates.create,
  updateInspectionTemplate: inspectionTemplates.replace,
  deleteInspectionTemplate: inspectionTemplates.delete,
  listDamages: damages.list,
  getDamage: damages.get,
  createDamage: damages.create,
  updateDamage: damages.replace,
  deleteDamage: damages.delete,
  listDriverAssignments: driverAssignments.list,
  getDriverAssignment: driverAssignments.get,
  createDriverAssignment: driverAssignments.create,
  updateDriverAssignment: driverAssignments.patch,
  releaseDriverAssignment: driverAssignments.delete,
};

const MALFORMED_ID = { path: "id", message: "must be a UUID", code: "invalid_format" };

/** gap fleet.malformed-ids */
function isMalformed({ params, readings }: FleetContext): boolean {
  return readings["fleet.malformed-ids"] === "invalid" && !isUuid(params.id);
}

/** Checks an ID whose format the contract documents. */
function withIdFormat(id: FleetOperationId, handler: FleetHandler): FleetHandler {
  const { formats }: Operation = fleetOperations[id];
  if (formats?.id === undefined) return handler;
  return {
    ...handler,
    find: (context) => (isMalformed(context) ? undefined : handler.find?.(context)),
    check: (context) => [
      ...(isMalformed(context) ? [MALFORMED_ID] : []),
      ...(handler.check?.(context) ?? []),
    ],
  };
}

/** All operations of the fleet API. */
export const fleetHandlers = Object.fromEntries(
  namesOf(handlers).map((id) => [id, withFileUrls(withIdFormat(id, handlers[id]))]),
) as Handlers; // the same keys
