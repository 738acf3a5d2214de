export type { ReadingsFile } from "../../wire/readings-file.ts";
export {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  ShelfleetError,
  TimeoutError,
} from "./errors/errors.ts";
export { ApiError, PaginationError, UnexpectedResponseError, WriteError } from "./errors/response-errors.ts";
export type { Issue } from "./errors/issue.ts";
export { mirror } from "./mirror/mirror.ts";
export type { MirrorOptions, MirrorResult } from "./mirror/options.ts";
export type { MirrorEntry, MirrorMark, MirrorPage, MirrorSink } from "./mirror/sink.ts";
export type { Limiter } from "./options/limiter.ts";
export { logTo } from "./options/log.ts";
export type { Log } from "./options/log.ts";
export type { Logger } from "./options/logger.ts";
export type { CallOptions, ClientOptions, Fetch, RetryOptions, Runtime } from "./options/options.ts";
export type {
  CallEndEvent,
  CallEvent,
  ErrorEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  SendEvent,
  SettledEvent,
} from "./options/hooks.ts";
export { tokenBucket } from "./options/token-bucket.ts";
export type { TokenBucketOptions } from "./options/token-bucket.ts";
export type { Call } from "./request/api.ts";
export type { ClientFetch } from "./request/client-fetch.ts";
export type { WithResponse } from "./request/with-response.ts";
export type { SecretSource } from "./request/secret.ts";
export type { Shape } from "./request/shape.ts";
export type { Transport, TransportRequest, TransportResponse } from "./transport/transport.ts";
