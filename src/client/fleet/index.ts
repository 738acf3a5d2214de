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
  PageMeta,
  paths as FleetPaths,
  Person,
  Scope,
  TemplateItem,
  TemplateItemInputType,
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
} from "../../../generated/fleet.ts";
export type { Call } from "../core/request/api.ts";
export type { WithResponse } from "../core/request/response.ts";
export {
  ApiError,
  type ApiErrorDetails,
  type ResponseDetails,
  type UnexpectedResponseDetails,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  PaginationError,
  ShelfleetError,
  TimeoutError,
  UnexpectedResponseError,
} from "../core/errors/errors.ts";
export type { Issue } from "../core/errors/issue.ts";
export { WriteError, type WriteErrorReason } from "../core/errors/write-error.ts";
export type {
  CallEndEvent,
  CallEvent,
  CallOptions,
  ClientOptions,
  ClientRetryOptions,
  ErrorEvent,
  Fetch,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  RetryOptions,
  Clock,
  RandomSource,
  Runtime,
  SendEvent,
  SettledEvent,
} from "../core/options/options.ts";
export type { Environment } from "../core/options/environment.ts";
export type { Logger, LogLevel } from "../core/options/logger.ts";
export { mirror } from "../core/mirror/mirror.ts";
export type { MirrorOptions, MirrorResult } from "../core/mirror/options.ts";
export type { MirrorEntry, MirrorMark, MirrorPage, MirrorSink } from "../core/mirror/sink.ts";
export { combineLimiters } from "../core/options/combine-limiters.ts";
export type { LimitedRequest, Limiter } from "../core/options/limiter.ts";
export { tokenBucket, type TokenBucketOptions } from "../core/options/token-bucket.ts";
export type {
  ConcurrencyOptions,
  NumberedPage,
  Pagination,
  ToArrayOptions,
} from "../core/pagination/page.ts";
export type { Drift, DriftEvent, RepeatDrift, TotalDrift } from "../core/options/drift.ts";
export { PageList } from "../core/pagination/list.ts";
export type { ReadingsFile } from "../../wire/readings-file.ts";
export type { ClientFetch } from "../core/request/client-fetch.ts";
export type { SecretContext, SecretSource } from "../core/request/secret.ts";
export type {
  FetchBody,
  FetchBodyReader,
  FetchHeaders,
  FetchInit,
  FetchResponse,
} from "../core/transport/fetch.ts";
export type {
  Transport,
  TransportBody,
  TransportRequest,
  TransportResponse,
} from "../core/transport/transport.ts";
export type { Shape } from "../core/request/shape.ts";
export { FleetClient, type FleetClientOptions, type FleetReadings, type FleetSettings } from "./client.ts";
export type { Damages } from "./damages.ts";
export type { DriverAssignments } from "./driver-assignments.ts";
export { ensure, type EnsurableResource, type EnsureOptions, type EnsureResult } from "./ensure.ts";
export {
  FleetApiError,
  type FleetApiErrorItem,
  type FleetErrorCode,
  type Refusal,
  ScopeError,
} from "./errors.ts";
export type { InspectionTemplateQuery, InspectionTemplates } from "./inspection-templates.ts";
export type { Inspections } from "./inspections.ts";
export type { FleetBaseUrls, FleetEnvironment, FleetEnvironments } from "./keys.ts";
export type { PageQuery } from "./query.ts";
export type { Forbidden, Gated } from "./scope-gate.ts";
export type { ScopeCheck, ScopeEntry, ScopeGap, ScopeNeed, Scopes } from "./scopes.ts";
export type { FleetShapes } from "./shapes.ts";
export type { FieldVehicleQuery, VehicleFieldQuery, VehicleFields } from "./vehicle-fields.ts";
export type { VehicleGroups } from "./vehicle-groups.ts";
export type { Vehicles } from "./vehicles.ts";
