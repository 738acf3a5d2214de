/** One HTTP request, as a transport sends it. */
export interface TransportRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Ends the request, the body of its response included. */
  signal: AbortSignal;
  /** `follow` only where a browser hides redirects. */
  redirect?: "follow" | undefined;
}

/** An HTTP response whose body has not been read. */
export interface TransportResponse {
  readonly status: number;
  /** May be built when it is first read. */
  readonly headers: Headers;
  /**
   * Reads the decoded body, at most `limit` bytes of it. When more arrive, `complete` is false and the connection is
   * ended. Rejects when the body is cut.
   */
  read(limit: number): Promise<{ bytes: Uint8Array; complete: boolean }>;
  /** The platform's response, where the transport has one. */
  readonly response?: Response | undefined;
}

/**
 * Sends one request and resolves when the headers of the response are there. A transport follows no redirects, repeats
 * no requests and obeys `signal` until the body has been read.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
