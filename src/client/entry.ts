/** What both entries export. The main entry has only what `main.ts` names. */
export * from "./main.ts";
export type { ResponseHead } from "./core.ts";
export type { CredentialContext, CredentialSource } from "./credential.ts";
export type { Environment } from "./environment.ts";
export type { WriteErrorReason } from "./errors.ts";
export type { CallEvent, DriftEvent, EndEvent, RequestEvent, ResponseEvent, RetryEvent } from "./hooks.ts";
export type { Http, Sent } from "./http.ts";
export type { LimitedRequest, TokenBucketOptions } from "./limiter.ts";
export type { ListQuery } from "./lists/query.ts";
export type { ToArrayOptions } from "./lists/page.ts";
export type { Logger, LogLevel } from "./log.ts";
export type { FetchInit, FetchResponse, TransportRequest, TransportResponse } from "./transport.ts";
