import { ByteCollector } from "../../../wire/byte-collector.ts";
import type { Transport, TransportBody, TransportResponse } from "./transport.ts";

/** The second argument of `fetch`: a part of the platform's `RequestInit`, and of undici's. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  redirect: "manual" | "follow";
  signal: AbortSignal;
  body?: string;
  /** A cached response would be written back by `modify`. Omitted on platforms whose `fetch` rejects the option. */
  cache?: "no-store";
}

/** The part of the platform's `Response`, and of undici's, that a client uses. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: FetchHeaders;
  readonly body: FetchBody | null;
}

/** The part of the platform's `Headers` that the client uses. */
export interface FetchHeaders extends Iterable<[string, string]> {
  /** Returns the value of a header; null if it is absent. */
  get(name: string): string | null;
  /** Returns the values of `set-cookie`. */
  getSetCookie(): string[];
}

/** The part of the platform's `ReadableStream` that the client uses. */
export interface FetchBody {
  /** Locks the body for reading. */
  getReader(): FetchBodyReader;
  /** Cancels the body and closes its connection. */
  cancel(): Promise<void>;
}

/** Reads the chunks of a body. */
export interface FetchBodyReader {
  /** Returns the next chunk. */
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  /** Cancels the body and closes its connection. */
  cancel(): Promise<void>;
}

/** Sends one request: the `fetch` of the platform or of undici, or a function with the same signature. */
export type Fetch = (input: string, init: FetchInit) => Promise<FetchResponse>;

/** Sends with the given `fetch`, or with the global `fetch` at the time of each call. */
export function fetchTransport(given: Fetch | undefined): Transport {
  return async function sendWithFetch(request): Promise<TransportResponse> {
    const { method, url, headers, body, signal, redirect = "manual" as const } = request;
    const init: FetchInit = { method, headers, redirect, signal };
    if (body !== undefined) init.body = body;
    // Deno repeats a request whose connection breaks, also a POST, unless its body is a stream or Blob
    if (given === undefined && body && "Deno" in globalThis) init.body = new Blob([body]) as never; // only its own fetch gets it
    // Cloudflare Workers with an older compatibility date reject the option
    if (typeof Request !== "undefined" && "cache" in Request.prototype) init.cache = "no-store";
    const received = await (given ?? globalThis.fetch)(url, init);
    const response = received as Response; // undici's `Response` has the same properties
    // a write whose redirect `fetch` followed may have become a GET, whose response looks like that of the write
    const status = method !== "GET" && response.redirected ? 0 : response.status;
    return { status, response, headers: response.headers, read: readBody.bind(undefined, received) };
  };
}

/** The part of a body over its limit that is returned, in bytes: errors do not quote more of it. */
const maxBeginning = 1024 * 1024;

async function readBody({ body }: FetchResponse, limit: number): Promise<TransportBody> {
  if (body === null) return { bytes: new Uint8Array(), complete: true };
  if (limit === 0) {
    void body.cancel().catch(() => {}); // closes the connection; the result is not needed
    return { bytes: new Uint8Array(), complete: false };
  }
  const reader = body.getReader();
  const bytes = new ByteCollector();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: bytes.take(), complete: true };
    if (value === undefined) continue;
    bytes.add(value);
    if (bytes.size > limit) {
      void reader.cancel().catch(() => {}); // closes the connection; the result is not needed
      return { bytes: bytes.take().slice(0, Math.min(limit, maxBeginning)), complete: false };
    }
  }
}
