export * from "../entry.ts";
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
export { CursorList } from "../lists/list.ts";
export type { CursorPage, PrefetchOptions } from "../lists/page.ts";
export type { RangePages } from "../lists/range.ts";
export { StoreClient } from "./client.ts";
export type { RepeatableStoreWrite, StoreClientOptions, StoreShapes } from "./client.ts";
export type { Contacts } from "./contacts.ts";
export { StoreApiError } from "./errors.ts";
export type { StoreApiIssue } from "./errors.ts";
export type { Expectations } from "./expectations.ts";
export type { Expositions } from "./expositions.ts";
export type {
  FillRates as FillRateMethods,
  FillRatesQuery,
  RateQuery,
  Rates,
  StoreFillRatesQuery,
} from "./fill-rates.ts";
export { storeFromEnv } from "./from-env.ts";
export type { Photo, PhotoListQuery, PhotoPage, Photos } from "./photos.ts";
export type { Identify, ProtocolListQuery, Protocols } from "./protocols.ts";
export type { Instant, TimePrecision, TimeRange } from "./query.ts";
export type { StoreListQuery, Stores } from "./stores.ts";
