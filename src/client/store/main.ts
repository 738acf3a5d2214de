/** What the main entry exports of the store API. */
export * from "../main.ts";
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
} from "../../../generated/store.ts";
export { CursorList } from "../lists/list.ts";
export type { CursorPage } from "../lists/page.ts";
export { StoreClient } from "./client.ts";
export type { StoreClientOptions } from "./client.ts";
export { StoreApiError } from "./errors.ts";
export { storeFromEnv } from "./from-env.ts";
export type { Photo } from "./photos.ts";
export type { TimeRange } from "./query.ts";
