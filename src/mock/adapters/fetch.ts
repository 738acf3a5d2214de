import { abortReason, type Timers } from "../server/clock.ts";
import {
  type Base,
  type CoreRequest,
  type CoreResponse,
  decodeBody,
  type TransportFault,
} from "../server/exchange.ts";

/** The type of the global `fetch`. */
export type ReferenceFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A base and the rest of an absolute URL. */
export interface Location {
  readonly base: Base;
  readonly target: string;
}

/** What adapters need of a server. */
export interface Endpoint {
  readonly timers: Timers;
  /** The number of resets: a request whose body comes after one is not handled. */
  readonly resets: number;
  /** Returns `undefined` for a URL outside the bases. */
  locate(url: string): Location | undefined;
  respond(request: CoreRequest): CoreResponse;
}

/** Creates a `fetch` that the server responds to; `baseUrls` are for errors. It never reaches the network. */
export function referenceFetch(endpoint: Endpoint, baseUrls: readonly string[] = []): ReferenceFetch {
  return async (input, init) => {
    const signal = init?.signal ?? (isRequest(input) ? input.signal : null);
    signal?.throwIfAborted();
    // without the signal, on which each request would leave a listener
    const request = new Request(input, { ...init, signal: null });
    const location = endpoint.locate(request.url);
    if (location === undefined) throw unknownHost(request.url, baseUrls);
    const { resets } = endpoint;
    const body = request.body === null ? {} : decodeBody(new Uint8Array(await request.arrayBuffer()));
    if (resets !== endpoint.resets)
      throw lostConnection("the server was reset while the body was sent: await each call before reset()");
    signal?.throwIfAborted();
    const { method, headers } = request;
    const sent = { ...location, method, headers: Object.fromEntries(headers), ...body };
    const response = await respond(endpoint, sent, signal);
    Object.defineProperty(response, "url", { value: request.url });
    return response;
  };
}

/** Checks the properties, because a test environment may have its own `Request` class. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === "object" && "headers" in input;
}

/** Returns the error of `fetch` for a host that does not exist: a response would be one of the service. */
function unknownHost(url: string, baseUrls: readonly string[]): TypeError {
  const { origin, pathname } = new URL(url);
  const message = `${origin}${pathname} is not below a base URL of the reference server: ${baseUrls.join(", ")}`;
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code: "ENOTFOUND" }) });
}

function lostConnection(reason: string): TypeError {
  return new TypeError("fetch failed", { cause: new Error(reason) });
}

/** Responds with a `Response`, and with the delay and the fault that apply. */
async function respond(
  endpoint: Endpoint,
  request: CoreRequest,
  signal: AbortSignal | null,
): Promise<Response> {
  const { status, headers, body, delay, fault } = endpoint.respond(request);
  if (delay > 0) await endpoint.timers.wait(delay, signal);
  if (fault === null) return new Response(body, { status, headers });
  if (fault.kind === "reset" || fault.kind === "close")
    throw lostConnection(`the connection was lost: ${fault.kind}`);
  if (fault.kind === "stall" && fault.at === "head") return untilAborted(signal);
  const bytes = new TextEncoder().encode(body ?? "");
  const parts = faultyBody(bytes, fault, endpoint.timers, signal);
  // with the length, a client notices that a body was cut
  const withLength = { ...headers, "content-length": String(bytes.length) };
  return new Response(toStream(parts), { status, headers: withLength });
}

/** `ReadableStream.from` does not exist in every browser. */
function toStream(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(stream) {
      const next = await parts.next();
      if (next.done === true) stream.close();
      else stream.enqueue(next.value);
    },
  };
  // an error that is met before the first bytes are read would take the place of the response
  return new ReadableStream(source, { highWaterMark: 0 });
}

/**
 * Yields the bytes of a body as its fault sends them: all of them a few at a time, or the first half and then an error
 * (`truncate`) or nothing until the signal is aborted (`stall`).
 */
export async function* faultyBody(
  bytes: Uint8Array,
  { kind, at, bytesPerSecond = 1 }: TransportFault,
  timers: Timers,
  signal: AbortSignal | null,
): AsyncGenerator<Uint8Array> {
  if (kind === "slow") {
    const size = Math.max(Math.round(bytesPerSecond / 10), 1);
    for (let start = 0; start < bytes.length; start += size) {
      if (start > 0) await timers.wait((size / bytesPerSecond) * 1000, signal);
      yield bytes.slice(start, start + size);
    }
    return;
  }
  if (at === "body") yield bytes.slice(0, bytes.length >> 1);
  if (kind === "truncate") throw new TypeError("terminated");
  await untilAborted(signal);
}

/** Rejects with the reason of a signal when it is aborted. */
function untilAborted(signal: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(abortReason(signal));
    signal?.addEventListener("abort", () => reject(abortReason(signal)), { once: true });
  });
}

/** Lets pages read a response and its headers. */
export const CORS_HEADERS = { "access-control-allow-origin": "*", "access-control-expose-headers": "*" };

/** A request in either form of Node's or of `fetch`. */
interface AnyRequest {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** Returns the headers of the response to a CORS preflight, which the APIs do not define; `undefined` for another request. */
export function preflightHeaders({ method, headers }: AnyRequest): Record<string, string> | undefined {
  const wanted = headers["access-control-request-method"];
  if (method !== "OPTIONS" || headers["origin"] === undefined || wanted === undefined) return undefined;
  return {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": String(wanted),
    // by name, because * does not cover Authorization
    "access-control-allow-headers": String(headers["access-control-request-headers"] ?? "*"),
    "access-control-max-age": "600",
    vary: "access-control-request-method, access-control-request-headers",
  };
}
