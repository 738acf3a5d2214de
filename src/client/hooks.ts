import type { Drift } from "./lists/page.ts";

/** The properties that every hook receives. No event ever contains a token, a key or a body. */
export interface CallEvent {
  /** The operation's ID in the OpenAPI document, e.g. `getStore`. */
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

/** The argument of the hook `onRequest`. */
export interface RequestEvent extends CallEvent {
  url: string;
  /** The number of the attempt: 1 for the first request, then one more for each retry. */
  attempt: number;
  /** The headers of the request, except `Authorization`. The hook may add headers before it returns or awaits. */
  readonly headers: Record<string, string>;
}

/** The argument of the hook `onResponse`. */
export interface ResponseEvent extends Omit<RequestEvent, "headers"> {
  /** The status of the response; undefined if there was none. */
  status: number | undefined;
  /** The request ID from the response headers; undefined without such a header. */
  requestId: string | undefined;
  /** The reason why there is no response: a `ConnectionError`, a `TimeoutError`, or the reason of an abort. */
  error: unknown;
  /** The time from the start of this attempt to the end of its body or to its failure, in ms. */
  duration: number;
  /** The time that the request waited for `maxConcurrency` and the limiter, in ms. */
  waited: number;
}

/** The argument of the hook `onRetry`. */
export interface RetryEvent extends Omit<RequestEvent, "headers"> {
  /** The wait before the next attempt, in ms. */
  delay: number;
  /** The status of the response; undefined if there was none. */
  status: number | undefined;
  /** The failure if there was no response. */
  error: Error | undefined;
}

/** The argument of the hook `onEnd`. */
export interface EndEvent extends CallEvent {
  /** The time from the start of the call until it settled, in ms. */
  duration: number;
  /** The number of requests that were sent. */
  attempts: number;
  /** The error that the call rejects with; undefined if it succeeded. */
  error: unknown;
}

/** The argument of the hook `onDrift`. */
export interface DriftEvent {
  /** The operation's ID in the OpenAPI document, e.g. `listVehicles`. */
  operation: string;
  drift: Drift;
}

/**
 * Functions that observe requests. They are not awaited. An error that a hook throws or rejects with never changes the
 * result of a call; the first one is written to the console.
 */
export interface Hooks {
  /** Called before each request; may add headers, such as a trace context. `Authorization` cannot be set here. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called once after each `onRequest`, when the request ended with a response, a failure or an abort. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the wait of each retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called once for each call that sent a request, when the call has settled. Each page of a list is a call. */
  onEnd?: ((event: EndEvent) => void) | undefined;
  /** Called if a numbered list changed while it was walked. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
}
