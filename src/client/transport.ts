import type { JsonObject } from "../wire/json.ts";
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
  readonly headers: GivenHeaders | undefined;
  /** The decoded body, or its beginning with `maxBytes` bytes; a string if the platform has decoded it to text. */
  readonly body: Uint8Array | string;
  /** Whether the body ended within `maxBytes`; otherwise the connection is closed. */
  readonly complete: boolean;
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
  readonly headers?: GivenHeaders | undefined;
  readonly body?: unknown;
  readonly bodyUsed?: boolean;
  arrayBuffer?(): Promise<ArrayBuffer>;
  text?(): Promise<string>;
  json?(): Promise<unknown>;
}

/** Headers of a response: the platform's object, or names and values. */
export type GivenHeaders = Pick<Headers, "get"> | Readonly<Record<string, string>>;

/** Sends one request: the `fetch` of the platform, of undici or node-fetch, or a function with the same signature. */
export type Fetch = (input: string, init: FetchInit) => Promise<FetchResponse>;

/**
 * Sends with the given `fetch`, or with the global `fetch` at the time of each call.
 * @param cache is left out on platforms whose `fetch` rejects the option
 */
export function fetchTransport(given: Fetch | undefined, cache: FetchCache): Transport {
  return async ({ method, url, headers, body, signal, maxBytes }) => {
    const fetch = given ?? (globalThis as { fetch?: Fetch }).fetch;
    if (typeof fetch !== "function")
      throw new ConfigurationError("this environment has no fetch: give the client one as the option fetch");
    const init: FetchInit = { method, headers, redirect: "manual", signal };
    if (body !== undefined) init.body = body;
    // Deno repeats a request whose connection breaks, also a POST, unless its body is a stream or Blob
    if (given === undefined && body && "Deno" in globalThis) init.body = new Blob([body]) as never; // only its own fetch gets it
    if (cache !== "default" && knowsCache()) init.cache = cache;
    const response = await fetch(url, init);
    const { status, headers: received } = response ?? {};
    if (typeof status !== "number") throw unreadable();
    return { status, headers: received, ...(await readBody(response, maxBytes)) };
  };
}

/** Whether the platform takes the option `cache`: Cloudflare Workers with an older compatibility date reject it. */
function knowsCache(): boolean {
  const { Request: type } = globalThis as { Request?: { prototype?: object } };
  return "cache" in (type?.prototype ?? {});
}

/** Creates the error for what a test double, or a wrapper of `fetch`, returns instead of a response. */
function unreadable(cause?: unknown): ConfigurationError {
  const problem = "fetch returned no response with an unread body of bytes or text";
  const advice = "return a new one for each request, and read only a clone() of it";
  return new ConfigurationError(`${problem}: ${advice}`, { cause });
}

type ReadBody = Pick<TransportResponse, "body" | "complete">;

async function readBody(response: FetchResponse, limit: number): Promise<ReadBody> {
  const body = response.body as ReadableStream<unknown> | null | undefined; // or a stream of another kind
  if (body === null) return { body: "", complete: true };
  if (response.bodyUsed === true || body?.locked === true) throw unreadable();
  if (typeof body?.getReader !== "function") return readWhole(response, limit);
  const reader = body.getReader();
  const bytes = new BodyBytes();
  for (;;) {
    const { done, value } = await reader.read();
    if (value !== undefined && !ArrayBuffer.isView(value)) throw unreadable();
    if (value !== undefined) bytes.add(value as Uint8Array); // a view of any realm
    if (done) return { body: bytes.read(limit), complete: true };
    if (bytes.size > limit) break;
  }
  void reader.cancel().catch(() => {}); // closes the connection; the result is not needed
  return { body: bytes.read(limit), complete: false };
}

/** Reads a body without a web stream, as of node-fetch, React Native or a test double. */
async function readWhole(response: FetchResponse, limit: number): Promise<ReadBody> {
  const hasDecoder = typeof TextDecoder === "function"; // React Native has none
  const methods = hasDecoder ? (["arrayBuffer", "text", "json"] as const) : (["text", "json"] as const);
  const name = methods.find((method) => typeof response[method] === "function");
  if (name === undefined) throw unreadable();
  let reading: Promise<unknown> | undefined;
  try {
    reading = response[name]?.();
  } catch (cause) {
    throw unreadable(cause); // what rejects is a lost response
  }
  const content = name === "json" ? JSON.stringify(await reading) : await reading;
  const body = typeof content === "string" ? content : new Uint8Array(content as ArrayBuffer);
  return { body: body.slice(0, limit), complete: body.length <= limit };
}

/** The bytes of a body that arrives in chunks, however small they are. A single chunk is not copied. */
export class BodyBytes {
  #bytes: Uint8Array = new Uint8Array();

  /** The number of bytes so far. */
  size = 0;

  add(chunk: Uint8Array): void {
    const size = this.size + chunk.length;
    if (this.size === 0) this.#bytes = chunk;
    else if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.size));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#bytes !== chunk) this.#bytes.set(chunk, this.size);
    this.size = size;
  }

  /** Returns the first `limit` bytes. */
  read(limit: number): Uint8Array {
    return this.#bytes.subarray(0, Math.min(limit, this.size));
  }
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
  /** The stack of the error that has the message. */
  readonly stack: string | undefined;
  /** Whether no part of the request can have reached the service. */
  readonly isUnsent: boolean;
  /** Whether the same request would fail in the same way. */
  readonly isPermanent: boolean;
}

/** Describes an error of `fetch` or of another transport by the innermost code and message of its causes. */
export function describeFailure(error: unknown): DescribedFailure {
  let code: string | undefined;
  let message = typeof error === "string" ? error : "";
  let stack: string | undefined;
  let current: unknown = error;
  for (let depth = 0; depth < maxCauses && typeof current === "object" && current !== null; depth += 1) {
    const { code: own, message: text, stack: lines, cause, errors } = current as JsonObject;
    if (typeof own === "string") code = own;
    if (typeof text === "string" && text !== "") message = text;
    if (typeof lines === "string") stack = lines;
    // a host name with several addresses: the first attempt to connect says why
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  const text = `${code ?? ""} ${message}`;
  const isTransient = transient.test(text);
  const isPermanent = !isTransient && permanent.test(text);
  if (message === "") message = "the connection was lost";
  if (code !== undefined && !message.includes(code)) message += ` (${code})`;
  if (isPermanent) message += ": check the base URL, the certificates and the proxy";
  return { isUnsent: isTransient || isPermanent, isPermanent, code, message, stack };
}
