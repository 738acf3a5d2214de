/** One HTTP request, as a transport sends it. */
export interface TransportRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Ends the request, the body of the response included. */
  signal: AbortSignal;
  /** Set where the platform hides redirects from scripts and has to follow one itself. */
  redirect?: "follow" | undefined;
}

/** The head of an HTTP response, and its body once somebody reads it. */
export interface TransportResponse {
  /** The status code; 0 for a redirect that the platform hides. */
  readonly status: number;
  readonly headers: Headers;
  /** The platform's own `Response`, where the transport has one. */
  readonly response?: Response | undefined;
  /**
   * Reads the decoded body, at most `limit` bytes of it. When more arrives, the connection is ended and `complete` is
   * false. Rejects when the body is cut off. A limit of 0 ends the connection without waiting for the body.
   */
  read(limit: number): Promise<TransportBody>;
}

/** What was read of a body. */
export interface TransportBody {
  bytes: Uint8Array;
  /** Whether the body ended within the limit. */
  complete: boolean;
}

/**
 * Sends one request. A transport follows no redirects, retries nothing and ends the connection when its signal aborts.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
