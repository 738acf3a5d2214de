export * from "../exports.ts";
export * from "../../../generated/store.enums.ts";
export { storeBodyLimits, storeQueryLimits } from "../../../generated/store.limits.ts";
export type { StoreOperationId } from "../../../generated/store.operations.ts";
export type * from "../../../generated/store.types.ts";
export type { CursorList } from "../lists/cursor.ts";
export type { CursorPage, PrefetchOptions } from "../lists/page.ts";
export type { Instant, RangePages, TimePrecision, TimeRange } from "../lists/range.ts";
export { StoreClient, storeFromEnv } from "./client.ts";
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
export type { Photo, PhotoListQuery, PhotoPage, Photos } from "./photos.ts";
export type { Identify, ProtocolListQuery, Protocols } from "./protocols.ts";
export type { StoreListQuery, Stores } from "./stores.ts";
