import type { DriftEvent } from "./drift.ts";

/** The argument of the hook `onCall`. No event ever contains a token, a key or a body. */
export interface CallEvent {
  /** The operation's ID in the OpenAPI document, e.g. `getStore`; empty for a request to no documented operation. */
  operation: string;
  /** The number of the call within the client. All attempts of a call have the same number. */
  call: number;
  method: string;
  /** The path template of the contract, e.g. `/v1/stores/{externalId}`. */
  route: string;
  /**
   * Identifies the call among those of all clients: a key for a `WeakMap`. Not enumerable, so that logs do not contain
   * it.
   */
  readonly scope: object;
}

/** The properties that every hook of a request receives. */
export interface RequestEvent extends CallEvent {
  url: string;
  /** The number of the attempt: 1 for the first request, then one more for each retry. */
  attempt: number;
}

/** The argument of the hook `onCallEnd`. */
export interface CallEndEvent extends CallEvent {
  /** The time from `onCall` until the call settled, in ms. */
  duration: number;
  /** The number of requests that were sent. */
  attempts: number;
  /** The error that the call rejects with; undefined if it succeeded. */
  error: unknown;
}

/** The argument of the hook `onSend`. */
export interface SendEvent extends RequestEvent {
  /** The headers of the request, except `Authorization`. The hook may add headers before it returns or awaits. */
  readonly headers: Record<string, string>;
}

/** The argument of the hook `onResponse`. */
export interface ResponseEvent extends RequestEvent {
  status: number;
  /** The time from the start of this attempt to the end of its body, in ms. */
  duration: number;
  /** The request ID from the response headers; undefined if there is none. */
  requestId: string | undefined;
}

/** The argument of the hook `onSettled`. */
export interface SettledEvent extends RequestEvent {
  /** The time from the start of this attempt to the end of its body or to its failure, in ms. */
  duration: number;
  /** The status of the response; undefined if there was none. */
  status: number | undefined;
  /** The request ID from the response headers; undefined if there is none. */
  requestId: string | undefined;
  /** The reason why there is no response: a `ConnectionError`, a `TimeoutError`, or the reason of an abort. */
  error: unknown;
  /** The time that the request waited for `maxConcurrency` and the limiter, in ms. */
  waited: number;
}

/** The argument of the hook `onRetry`. */
export interface RetryEvent extends RequestEvent {
  /** The wait before the next attempt, in ms. */
  delay: number;
  /** The status of the response; undefined if there was none. */
  status: number | undefined;
  /** The failure if there was no response. */
  error: Error | undefined;
}

/** The argument of the hook `onError`. */
export interface ErrorEvent extends RequestEvent {
  /** The error that the call rejects with. */
  error: unknown;
}

/**
 * Functions that observe requests. They are not awaited. An error that a hook throws or rejects with is reported to
 * `onHookError` and never changes the result of a call.
 */
export interface Hooks {
  /** Called at the start of each call, before it waits or sends a request. Each page of a list is a call. */
  onCall?: ((event: CallEvent) => void) | undefined;
  /** Called once after each `onCall`, when the call has settled. */
  onCallEnd?: ((event: CallEndEvent) => void) | undefined;
  /** Called before each request; may add headers, such as a trace context. `Authorization` cannot be set here. */
  onSend?: ((event: SendEvent) => void) | undefined;
  /** Called before each request. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after each response, with any status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called once after each `onRequest`, when the request ended with a response, a failure or an abort. */
  onSettled?: ((event: SettledEvent) => void) | undefined;
  /** Called before the wait of each retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called once for each call that rejects after a request was sent. */
  onError?: ((event: ErrorEvent) => void) | undefined;
  /** Called if a numbered list changed while it was walked. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
  /** Called if a hook failed. Without it, the first failure is written to the console. */
  onHookError?: ((error: unknown, hook: string) => void) | undefined;
}
