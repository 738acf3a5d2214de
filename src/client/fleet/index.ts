export * from "../exports.ts";
export * from "../../../generated/fleet.enums.ts";
export { fleetQueryLimits } from "../../../generated/fleet.limits.ts";
export type { FleetOperationId } from "../../../generated/fleet.operations.ts";
export type * from "../../../generated/fleet.types.ts";
export type { PageList } from "../lists/numbered.ts";
export type { ConcurrencyOptions, Drift, NumberedPage, Pagination } from "../lists/page.ts";
export type { DriftReaction, NumberedQuery } from "../lists/query.ts";
export { FleetClient, fleetFromEnv } from "./client.ts";
export type { FleetClientOptions, FleetSettings, FleetShapes } from "./client.ts";
export type { Damages } from "./damages.ts";
export type { DriverAssignments } from "./driver-assignments.ts";
export { FleetApiError, ScopeError } from "./errors.ts";
export type { FleetApiErrorItem, FleetErrorCode } from "./errors.ts";
export type {
  Inspections,
  InspectionTemplateQuery,
  InspectionTemplates,
  TemplateFilters,
} from "./inspections.ts";
export type { FleetBaseUrls, FleetEnvironment, FleetEnvironments } from "./keys.ts";
export type { PageQuery } from "./resource.ts";
export type { Forbidden, ScopeCheck, Scopes } from "./scopes.ts";
export type {
  FieldVehicleQuery,
  VehicleFieldQuery,
  VehicleFields,
  VehicleGroups,
  Vehicles,
} from "./vehicles.ts";
