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
  paths as StorePaths,
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
} from "../../../generated/store.ts";
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
export type { Call } from "../core/request/api.ts";
export type { WithResponse } from "../core/request/response.ts";
export { CursorList } from "../core/pagination/list.ts";
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
export type { CursorPage, PrefetchOptions, ToArrayOptions } from "../core/pagination/page.ts";
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
export {
  StoreClient,
  type StoreClientOptions,
  type StoreReadings,
  type StoreShapes,
  type StoreStrategies,
} from "./client.ts";
export type { Contacts } from "./contacts.ts";
export { StoreApiError, type StoreApiIssue } from "./errors.ts";
export type { Expectations } from "./expectations.ts";
export type { Expositions } from "./expositions.ts";
export type {
  FillRates as FillRateMethods,
  FillRatesQuery,
  RateQuery,
  Rates,
  StoreFillRatesQuery,
} from "./fill-rates.ts";
export type { ExpositionUpserter, ListReader, ListReplacer } from "./modify-list.ts";
export type { ModifyOptions, StoreChange, StoreMethods } from "./modify.ts";
export { toContactInput, toExpectationInput, toExpositionInput, toUpsert } from "./inputs.ts";
export type {
  Photo,
  PhotoListQuery,
  PhotoPageQuery,
  PhotoPageShape,
  PhotoPullOptions,
  Photos,
} from "./photos.ts";
export type { NextPageStrategy } from "../core/pagination/range-source.ts";
export type { Identify, ProtocolListQuery, ProtocolPullOptions, Protocols } from "./protocols.ts";
export type { PullBatch, PullOptions } from "./pull.ts";
export type { Instant, ListQuery, TimeRange } from "./query.ts";
export { applyPlan, planStores, upsertExpositions } from "./functions.ts";
export type { ApplyOptions, ApplyProgress, ApplyResult, StorePart, StoreWriter } from "./apply-plan.ts";
export type {
  DesiredLists,
  DesiredStore,
  PlannedStore,
  PlannedUpdate,
  PlanOptions,
  StoreChanges,
  StoreList,
  StoreListReader,
  StorePlan,
} from "./plan.ts";
export type { StoreListQuery, Stores } from "./stores.ts";
export type { ExpositionWriter, UpsertExpositionsOptions } from "./upsert-expositions.ts";
