/** What both entries and the main entry export. */
export type { Call, WithResponse } from "./core.ts";
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
export type { Issue } from "./errors.ts";
export type { Hooks } from "./hooks.ts";
export { tokenBucket } from "./limiter.ts";
export type { Limiter } from "./limiter.ts";
export { logTo } from "./log.ts";
export type { Log } from "./log.ts";
export type { CallOptions, ClientOptions, RetryOptions, Runtime } from "./options.ts";
export type { Shape } from "./shape.ts";
export type { Fetch, Transport } from "./transport.ts";
