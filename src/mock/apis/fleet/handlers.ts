import type { FleetOperationId } from "../../../../generated/fleet.operations.ts";
import type { FleetHandler } from "./context.ts";
import { withFileUrls } from "./file-urls.ts";
import { withRepeatedPosts } from "./repeated-posts.ts";
import { mapHandlers, withOpaqueBodies } from "./opaque-bodies.ts";
import { createDamage, deleteDamage, getDamage, listDamages, updateDamage } from "./damages.ts";
import {
  createDriverAssignment,
  getDriverAssignment,
  listDriverAssignments,
  releaseDriverAssignment,
  updateDriverAssignment,
} from "./driver-assignments.ts";
import {
  createInspectionTemplate,
  deleteInspectionTemplate,
  getInspectionTemplate,
  listInspectionTemplates,
  updateInspectionTemplate,
} from "./inspection-templates.ts";
import {
  deleteInspection,
  getInspection,
  listInspections,
  submitInspection,
  updateInspection,
} from "./inspections.ts";
import { listVehicleFieldVehicles, listVehicleFields } from "./vehicle-fields.ts";
import {
  createVehicleGroup,
  deleteVehicleGroup,
  getVehicleGroup,
  listVehicleGroups,
  updateVehicleGroup,
} from "./vehicle-groups.ts";
import { createVehicle, deleteVehicle, getVehicle, listVehicles, updateVehicle } from "./vehicles.ts";

/** All operations of the fleet API, with bodies that have the properties of responses. */
const handlers: Readonly<Record<FleetOperationId, FleetHandler>> = {
  listVehicles,
  getVehicle,
  createVehicle,
  updateVehicle,
  deleteVehicle,
  listVehicleGroups,
  getVehicleGroup,
  createVehicleGroup,
  updateVehicleGroup,
  deleteVehicleGroup,
  listVehicleFields,
  listVehicleFieldVehicles,
  listInspections,
  getInspection,
  submitInspection,
  updateInspection,
  deleteInspection,
  listInspectionTemplates,
  getInspectionTemplate,
  createInspectionTemplate,
  updateInspectionTemplate,
  deleteInspectionTemplate,
  listDamages,
  getDamage,
  createDamage,
  updateDamage,
  deleteDamage,
  listDriverAssignments,
  getDriverAssignment,
  createDriverAssignment,
  updateDriverAssignment,
  releaseDriverAssignment,
};

/** All operations of the fleet API. */
export const fleetHandlers = mapHandlers(withOpaqueBodies(handlers), (id, handler) =>
  withFileUrls(withRepeatedPosts(id, handler)),
);
