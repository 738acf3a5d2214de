import { ConfigurationError } from "./errors.ts";

/** One HTTP request in the form that a transport sends. */
export interface TransportRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Aborts the request and its response body. */
  signal: AbortSignal;
  /** The largest size of a decoded response body. */
  maxBytes: number;
}

/** An HTTP response. */
export interface TransportResponse {
  /** The status code; 0 for a redirect that the platform hides. */
  readonly status: number;
  readonly headers: Headers;
  /** The decoded body, or its first `maxBytes` bytes. */
  bytes: Uint8Array;
  /** Whether the body ended within `maxBytes`; otherwise the connection is closed. */
  complete: boolean;
}

/**
 * Sends one request and reads its response. A transport follows no redirects, does not retry, rejects if a body is cut off,
 * and closes the connection if its signal aborts.
 */
export interface Transport {
  (request: TransportRequest): Promise<TransportResponse>;
  /** Returns secrets that the transport sends, such as the password of a proxy. Errors and logs do not show them. */
  readonly secrets?: (() => readonly string[]) | undefined;
}

/** The second argument of `fetch`: a part of the platform's `RequestInit`, and of undici's. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  redirect: "manual";
  signal: AbortSignal;
  body?: string;
  cache?: FetchCache;
}

/** How a `fetch` with a cache uses it; see `RequestCache` of the platform. */
export type FetchCache = "default" | "no-store" | "reload" | "no-cache" | "force-cache";

/** The part of a response of `fetch` that the client uses. One of the four ways to read the body is enough. */
export interface FetchResponse {
  readonly status: number;
  /** A test double may have none, or a plain object. */
  readonly headers?: FetchHeaders | Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  arrayBuffer?(): Promise<ArrayBuffer>;
  text?(): Promise<string>;
  json?(): Promise<unknown>;
}

/** The part of the platform's `Headers` that the client uses. */
export interface FetchHeaders {
  /** Returns the value of a header; null if it is absent. */
  get(name: string): string | null;
}

/** Sends one request: the `fetch` of the platform, of undici or node-fetch, or a function with the same signature. */
export type Fetch = (input: string, init: FetchInit) => Promise<FetchResponse>;

/**
 * Sends with the given `fetch`, or with the global `fetch` at the time of each call.
 * @param cache is left out on platforms whose `fetch` rejects the option
 */
export function fetchTransport(given: Fetch | undefined, cache: FetchCache): Transport {
  return async ({ method, url, headers, body, signal, maxBytes }) => {
    const init: FetchInit = { method, headers, redirect: "manual", signal };
    if (body !== undefined) init.body = body;
    // Deno repeats a request whose connection breaks, also a POST, unless its body is a stream or Blob
    if (given === undefined && body && "Deno" in globalThis) init.body = new Blob([body]) as never; // only its own fetch gets it
    // Cloudflare Workers with an older compatibility date reject the option
    if (cache !== "default" && typeof Request !== "undefined" && "cache" in Request.prototype)
      init.cache = cache;
    const response = await (given ?? globalThis.fetch)(url, init);
    if (typeof response?.status !== "number")
      throw new ConfigurationError("the option fetch returned a value that is not a response");
    const sent = response.headers as Headers | Record<string, string>; // an object of a test double
    const received = typeof sent?.get === "function" ? (sent as Headers) : new Headers(sent);
    return {
      status: response.status,
      headers: received,
      ...(await readBody(response, received, maxBytes)),
    };
  };
}

async function readBody(
  response: FetchResponse,
  headers: Headers,
  limit: number,
): Promise<Pick<TransportResponse, "bytes" | "complete">> {
  const body = response.body as ReadableStream<Uint8Array> | null | undefined; // or a stream of another kind
  if (body === null) return { bytes: new Uint8Array(), complete: true };
  const length = headers.get("content-length");
  const isShort = length !== null && Number(length) <= limit && headers.get("content-encoding") === null;
  // the length says that the body is within the limit: the platform reads it in one piece
  if (isShort || typeof body?.getReader !== "function") {
    const bytes = await readWhole(response);
    return { bytes: bytes.subarray(0, limit), complete: bytes.length <= limit };
  }
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isDone = false;
  while (!isDone && size <= limit) {
    const { done, value } = await reader.read();
    isDone = done;
    if (value === undefined) continue;
    chunks.push(value);
    size += value.length;
  }
  if (!isDone) void reader.cancel().catch(() => {}); // closes the connection; the result is not needed
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return { bytes: bytes.subarray(0, limit), complete: isDone };
}

/** Reads a body without a web stream, as of node-fetch, React Native or a test double. */
async function readWhole(response: FetchResponse): Promise<Uint8Array> {
  const bytes = await response.arrayBuffer?.();
  if (bytes !== undefined) return new Uint8Array(bytes);
  const text = (await response.text?.()) ?? JSON.stringify(await response.json?.());
  if (text === undefined)
    throw new ConfigurationError("the option fetch returned a response whose body cannot be read");
  return new TextEncoder().encode(text);
}

/** The codes, and the messages where the code says less, of failures before the first byte of a request was sent. */
const transient =
  /^(?:ECONNREFUSED|ConnectionRefused|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT) |before secure TLS connection was established|Proxy response \(5/;

/** Those that would come again: no such host, a wrong certificate, a proxy that refuses, a request that cannot be sent. */
const permanent =
  /^(?:ENOTFOUND|UND_ERR_(?:CLOSED|DESTROYED|PRX_TLS|INVALID_ARG|NOT_SUPPORTED)|(?:ERR_SSL_|ERR_TLS_|EPROTO|HOSTNAME_|UNABLE_TO_|\S*CERT)\S*) |Proxy (?:response \(|Authentication)|bad port$/;

/** How many causes are followed. */
const maxCauses = 5;

/** A failure of a transport in words, without data of the request. */
export interface DescribedFailure {
  readonly message: string;
  readonly code: string | undefined;
  /** Whether no part of the request can have reached the service. */
  readonly isUnsent: boolean;
  /** Whether the same request would fail in the same way. */
  readonly isPermanent: boolean;
}

/** Describes an error of `fetch` or of another transport by the innermost code and message of its causes. */
export function describeFailure(error: unknown): DescribedFailure {
  let code: string | undefined;
  let message = typeof error === "string" ? error : "";
  let current: unknown = error;
  for (let depth = 0; depth < maxCauses && typeof current === "object" && current !== null; depth += 1) {
    const { code: own, message: text, cause, errors } = current as FailureLike;
    if (typeof own === "string") code = own;
    if (typeof text === "string" && text !== "") message = text;
    // a host name with several addresses: the first attempt to connect says why
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  const text = `${code ?? ""} ${message}`;
  const isTransient = transient.test(text);
  const isPermanent = !isTransient && permanent.test(text);
  if (message === "") message = "the connection was lost";
  if (code !== undefined && !message.includes(code)) message += ` (${code})`;
  if (isPermanent) message += ": check the base URL, the certificates and the proxy";
  return { isUnsent: isTransient || isPermanent, isPermanent, code, message };
}

/** The properties of an error, of any realm, that are read. */
interface FailureLike {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
}
