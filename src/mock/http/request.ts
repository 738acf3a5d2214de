/** Largest request body, in bytes. gap limits.body-size */
export const BODY_LIMIT = 10_000_000;

/** The headers of a request; Node gives an array for those that may be repeated. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A request to the reference server. Adapters fill it in directly from their transport, without a `URL`, `Headers`
 * or `Request` object.
 */
export interface CoreRequest<Base extends string = string> {
  /** The base URL that the request was sent to. */
  base: Base;
  /** The method, in capitals. */
  method: string;
  /** Path below the base with its query, still percent-encoded: `/v1/stores?limit=5`. */
  target: string;
  /** The header `Authorization`. */
  authorization?: string | undefined;
  /** The header `Content-Type`. */
  contentType?: string | undefined;
  /** The header `X-Service-API-Version`. */
  apiVersion?: string | undefined;
  /** All headers, for matchers and the journal; without them only the three above are known. */
  headers?: RequestHeaders | undefined;
  /** The body as a string; absent if there is no body. */
  body?: string | undefined;
  /** Whether the adapter stopped reading the body at `BODY_LIMIT`. */
  tooLarge?: boolean | undefined;
  /** Whether the body was not UTF-8, so that it cannot be a string. */
  notUtf8?: boolean | undefined;
}

/** A fault that the transport applies; `malformed` and `html` are plain responses. */
export interface TransportFault {
  kind: "reset" | "close" | "truncate" | "stall";
  /** `head`: nothing of the body is sent (`stall`: nothing at all). `body`: the first half of the body is sent. */
  at: "head" | "body";
}

/** The response to a `CoreRequest`. */
export interface CoreResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  /** The time that the adapter waits before it responds, in milliseconds. */
  delay: number;
  fault: TransportFault | null;
}
