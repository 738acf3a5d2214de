export * from "../core/index.ts";
export {
  contactTypes,
  crossStoreGroupBys,
  expositionStatuses,
  expositionTypes,
  fillRateGroupBys,
  imageStatuses,
  productCategories,
  protocolStatuses,
  storeTypes,
} from "../../../generated/store.enums.ts";
export { storeBodyLimits, storeQueryLimits } from "../../../generated/store.limits.ts";
export type { StoreOperationId } from "../../../generated/store.operations.ts";
export type {
  Contact,
  ContactInput,
  ContactList,
  ContactType,
  CrossStoreGroupBy,
  Expectation,
  ExpectationInput,
  ExpectationList,
  Exposition,
  ExpositionFillRate,
  ExpositionInput,
  ExpositionList,
  ExpositionStatus,
  ExpositionType,
  FillRateGroupBy,
  FillRates,
  ImageStatus,
  JsonObject,
  OpeningTime,
  ProductCategory,
  Protocol,
  ProtocolDetail,
  ProtocolImage,
  ProtocolStatus,
  Store,
  StoreErrorCode,
  StoreFillRates,
  StoreType,
  StoreUpsert,
  paths as StorePaths,
} from "../../../generated/store.ts";
export { CursorList } from "../core/pagination/list.ts";
export type { CursorPage } from "../core/pagination/page.ts";
export type { ApplyOptions, ApplyResult } from "./apply-plan.ts";
export { StoreClient } from "./client.ts";
export type { StoreClientOptions, StoreReadings, StoreShapes, StoreStrategies } from "./client.ts";
export type { Contacts } from "./contacts.ts";
export { StoreApiError } from "./errors.ts";
export type { StoreApiIssue } from "./errors.ts";
export type { Expectations } from "./expectations.ts";
export type { Expositions } from "./expositions.ts";
export type {
  FillRates as FillRateMethods,
  FillRatesQuery,
  Rates,
  StoreFillRatesQuery,
} from "./fill-rates.ts";
export { storeFromEnv } from "./from-env.ts";
export { applyPlan, planStores, upsertExpositions } from "./functions.ts";
export { toContactInput, toExpectationInput, toExpositionInput, toUpsert } from "./inputs.ts";
export type { ModifyOptions, StoreChange } from "./modify.ts";
export type { Photo, PhotoListQuery, PhotoPullOptions, Photos } from "./photos.ts";
export type { PlanOptions, PlannedStore, PlannedUpdate, StoreList, StorePlan } from "./plan.ts";
export type { DesiredStore } from "./desired-stores.ts";
export type { ProtocolListQuery, ProtocolPullOptions, Protocols } from "./protocols.ts";
export type { PullBatch } from "./pull.ts";
export type { PullOptions } from "./pull-options.ts";
export type { Instant, TimeRange } from "./query.ts";
export type { StoreListQuery, Stores } from "./stores.ts";
