export * from "../entry.ts";
export * from "./main.ts";
export { fleetQueryLimits } from "../../../generated/fleet.limits.ts";
export type { FleetOperationId } from "../../../generated/fleet.operations.ts";
export type {
  JsonObject,
  Meta,
  PageMeta,
  paths as FleetPaths,
  UndocumentedListMeta,
  VehicleFieldEntryListMeta,
  VehicleFieldListMeta,
} from "../../../generated/fleet.ts";
export type { ConcurrencyOptions, Drift, Pagination } from "../lists/page.ts";
export type { NumberedQuery } from "../lists/query.ts";
export type { FleetSettings, FleetShapes, TemplateFilters } from "./client.ts";
export type { Damages } from "./damages.ts";
export type { DriverAssignments } from "./driver-assignments.ts";
export type { FleetApiErrorItem } from "./errors.ts";
export type { InspectionTemplateQuery, InspectionTemplates } from "./inspection-templates.ts";
export type { Inspections } from "./inspections.ts";
export type { FleetBaseUrls, FleetEnvironment, FleetEnvironments } from "./keys.ts";
export type { PageQuery } from "./resource.ts";
export type { Forbidden, ScopeCheck, ScopeNeed, Scopes } from "./scopes.ts";
export type { FieldVehicleQuery, VehicleFieldQuery, VehicleFields } from "./vehicle-fields.ts";
export type { VehicleGroups } from "./vehicle-groups.ts";
export type { Vehicles } from "./vehicles.ts";
