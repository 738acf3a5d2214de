/** What every entry of the clients exports. */
export type { Call, HttpResult, ResponseHead, WithResponse } from "./response.ts";
export type { CredentialContext, CredentialSource } from "./credential.ts";
export type { Environment } from "./environment.ts";
export {
  ApiError,
  CallError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  PaginationError,
  ResponseError,
  ShelfleetError,
  TimeoutError,
  UnexpectedResponseError,
  WriteError,
} from "./errors.ts";
export type { Issue, WriteErrorReason } from "./errors.ts";
export type * from "./hooks.ts";
export type { Http } from "./http.ts";
export { tokenBucket } from "./limiter.ts";
export type { LimitedRequest, Limiter, TokenBucketOptions } from "./limiter.ts";
export type { ToArrayOptions } from "./lists/page.ts";
export type { ListQuery } from "./lists/query.ts";
export { logTo } from "./log.ts";
export type { Log, Logger, LogLevel } from "./log.ts";
export type { CallOptions, ClientOptions, Optional, RetryOptions } from "./options.ts";
export type { Runtime } from "./time.ts";
export type { Shape } from "./shape.ts";
export type {
  Fetch,
  FetchInit,
  FetchResponse,
  Transport,
  TransportRequest,
  TransportResponse,
} from "./transport.ts";
