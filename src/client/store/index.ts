export * from "../entry.ts";
export * from "./main.ts";
export { storeBodyLimits, storeQueryLimits } from "../../../generated/store.limits.ts";
export type { StoreOperationId } from "../../../generated/store.operations.ts";
export type { paths as StorePaths } from "../../../generated/store.ts";
export type { PrefetchOptions } from "../lists/page.ts";
export type { RangePages } from "../lists/range.ts";
export type { RepeatableStoreWrite, StoreShapes } from "./client.ts";
export type { Contacts } from "./contacts.ts";
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
export type { PhotoListQuery, PhotoPage, Photos } from "./photos.ts";
export type { Identify, ProtocolListQuery, Protocols } from "./protocols.ts";
export type { Instant, TimePrecision } from "./query.ts";
export type { StoreListQuery, Stores } from "./stores.ts";
