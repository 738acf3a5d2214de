/** A request that waits for a limiter. `acquire` and `onThrottled` receive the same object for the same request. */
export interface LimitedRequest {
  /** The operation's ID in the OpenAPI document, e.g. `getStore`; empty for a request to no documented operation. */
  readonly operation: string;
  /** The number of the call within the client. */
  readonly call: number;
  /** The number of the request within the call. Above 1 it is a retry, which has priority over new calls. */
  readonly attempt: number;
}

/** A rate limit. Several clients, also in several processes, can share one. */
export interface Limiter {
  /**
   * Awaited before each request, including retries. `timeout` starts after this wait; `totalTimeout` and the call's
   * signal end it. If this throws, the call rejects with the same error.
   */
  acquire: (request: LimitedRequest, signal: AbortSignal) => void | Promise<void>;
  /** Returns true if the request may be sent at once, without `acquire`. Optional, because it only saves time. */
  tryAcquire?: ((request: LimitedRequest) => boolean) | undefined;
  /**
   * Called after each 429, and after each 503 with `Retry-After`. `retryAfter` is that wait in ms, or undefined if the
   * server named no wait. Awaited before a retry for at most `timeout` ms, and until `totalTimeout` or the call's
   * signal end the wait. An error that it throws is reported to the hook `onHookError`.
   */
  onThrottled?:
    | ((retryAfter: number | undefined, request: LimitedRequest) => void | Promise<void>)
    | undefined;
}
