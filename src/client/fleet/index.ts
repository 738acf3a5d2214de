export * from "../entry.ts";
export { fieldStatuses, scopes, templateItemInputTypes } from "../../../generated/fleet.enums.ts";
export { fleetQueryLimits } from "../../../generated/fleet.limits.ts";
export type { FleetOperationId } from "../../../generated/fleet.operations.ts";
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
  JsonObject,
  Meta,
  PageMeta,
  Person,
  Scope,
  TemplateItem,
  TemplateItemInputType,
  UndocumentedListMeta,
  Vehicle,
  VehicleField,
  VehicleFieldEntry,
  VehicleFieldEntryListMeta,
  VehicleFieldInputType,
  VehicleFieldListMeta,
  VehicleFieldOption,
  VehicleGroup,
  VehicleGroupInput,
  VehicleInput,
  VehicleType,
  paths as FleetPaths,
} from "../../../generated/fleet.ts";
export type { Drift } from "../lists/page.ts";
export { PageList } from "../lists/list.ts";
export type { ConcurrencyOptions, NumberedPage, Pagination } from "../lists/page.ts";
export type { NumberedQuery } from "../lists/query.ts";
export { FleetClient } from "./client.ts";
export type { FleetClientOptions, FleetSettings, TemplateFilters } from "./client.ts";
export type { Damages } from "./damages.ts";
export type { DriverAssignments } from "./driver-assignments.ts";
export { FleetApiError, ScopeError } from "./errors.ts";
export type { FleetApiErrorItem, FleetErrorCode } from "./errors.ts";
export { fleetFromEnv } from "./from-env.ts";
export type { InspectionTemplateQuery, InspectionTemplates } from "./inspection-templates.ts";
export type { Inspections } from "./inspections.ts";
export type { FleetBaseUrls, FleetEnvironment, FleetEnvironments } from "./keys.ts";
export type { PageQuery } from "./resource.ts";
export type { Forbidden, ScopeCheck, ScopeNeed, Scopes } from "./scopes.ts";
export type { FleetShapes } from "./client.ts";
export type { FieldVehicleQuery, VehicleFieldQuery, VehicleFields } from "./vehicle-fields.ts";
export type { VehicleGroups } from "./vehicle-groups.ts";
export type { Vehicles } from "./vehicles.ts";
