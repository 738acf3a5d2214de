/** One HTTP request in the form that a transport sends. */
export interface TransportRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Aborts the request and its response body. */
  signal: AbortSignal;
  /** Set if the platform hides redirects from scripts and must follow one itself. */
  redirect?: "follow" | undefined;
}

/** The head of an HTTP response, and a method that reads its body. */
export interface TransportResponse {
  /** The status code; 0 for a redirect that the platform hides. */
  readonly status: number;
  readonly headers: Headers;
  /** The platform's own `Response`, if the transport has one. */
  readonly response?: Response | undefined;
  /**
   * Reads the decoded body, at most `limit` bytes of it. If the body is longer, the connection is closed, `complete` is
   * false and `bytes` is the beginning of the body: `limit` bytes, or at least the first 1 MiB of them. Rejects if the
   * body is cut off. With a limit of 0 the connection is closed without a wait for the body.
   */
  read(limit: number): Promise<TransportBody>;
}

/** The bytes that were read from a body. */
export interface TransportBody {
  bytes: Uint8Array;
  /** Whether the body ended within the limit. */
  complete: boolean;
}

/**
 * Sends one request. A transport follows no redirects, does not retry, and closes the connection if its signal aborts.
 */
export interface Transport {
  (request: TransportRequest): Promise<TransportResponse>;
  /** Returns secrets that the transport sends, such as the password of a proxy. Errors and logs do not show them. */
  readonly secrets?: () => readonly string[];
}
