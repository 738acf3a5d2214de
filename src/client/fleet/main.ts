/** What the main entry exports of the fleet API. */
export * from "../main.ts";
export { fieldStatuses, scopes, templateItemInputTypes } from "../../../generated/fleet.enums.ts";
export type {
  Damage,
  DamageInput,
  DamageStatus,
  DamageSummary,
  DriverAssignment,
  DriverAssignmentInput,
  DriverAssignmentPatch,
  FieldStatus,
  Inspection,
  InspectionInput,
  InspectionPatch,
  InspectionResponse,
  InspectionStatus,
  InspectionSummary,
  InspectionTemplate,
  InspectionTemplateInput,
  Person,
  Scope,
  TemplateItem,
  TemplateItemInputType,
  Vehicle,
  VehicleField,
  VehicleFieldEntry,
  VehicleFieldInputType,
  VehicleFieldOption,
  VehicleGroup,
  VehicleGroupInput,
  VehicleInput,
  VehicleType,
} from "../../../generated/fleet.ts";
export { PageList } from "../lists/list.ts";
export type { NumberedPage } from "../lists/page.ts";
export { FleetClient } from "./client.ts";
export type { FleetClientOptions } from "./client.ts";
export { FleetApiError, ScopeError } from "./errors.ts";
export type { FleetErrorCode } from "./errors.ts";
export { fleetFromEnv } from "./from-env.ts";
