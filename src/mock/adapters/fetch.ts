import { abortReason, type Timers } from "../server/clock.ts";
import { type Base, type CoreRequest, type CoreResponse, decodeBody } from "../server/exchange.ts";

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

/** Creates a `fetch` that the server responds to. It never reaches the network. */
export function referenceFetch(endpoint: Endpoint): ReferenceFetch {
  return async (input, init) => {
    const signal = init?.signal ?? (isRequest(input) ? input.signal : null);
    signal?.throwIfAborted();
    const url = isRequest(input) ? input.url : new URL(input).href;
    const location = endpoint.locate(url);
    if (location === undefined) return new Response("No reference server has this URL", { status: 404 });
    const request = await readRequest(endpoint, location, input, init);
    signal?.throwIfAborted();
    const response = await respond(endpoint, request, signal);
    Object.defineProperty(response, "url", { value: url });
    return response;
  };
}

/** Checks the properties, because a test environment may have its own `Request` class. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === "object" && "headers" in input;
}

async function readRequest(
  endpoint: Endpoint,
  location: Location,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<CoreRequest> {
  const { body, method = "GET" } = init;
  if (isRequest(input) || (body !== undefined && body !== null && typeof body !== "string"))
    return toCoreRequest(endpoint, location, new Request(input, init));
  // without a body to read, no Request object is needed
  const headers = new Headers(init.headers);
  if (typeof body === "string" && !headers.has("content-type"))
    headers.set("content-type", "text/plain;charset=UTF-8");
  return describe(location, method.toUpperCase(), headers, typeof body === "string" ? { body } : {});
}

/** Reads a request of the fetch API. Rejects if the server is reset meanwhile. */
export async function toCoreRequest(
  endpoint: Endpoint,
  location: Location,
  request: Request,
): Promise<CoreRequest> {
  const { resets } = endpoint;
  const body = request.body === null ? {} : decodeBody(new Uint8Array(await request.arrayBuffer()));
  if (resets !== endpoint.resets) throw lostConnection("the server was reset while the body was sent");
  return describe(location, request.method, request.headers, body);
}

function describe(
  location: Location,
  method: string,
  headers: Headers,
  body: Pick<CoreRequest, "body" | "notUtf8">,
): CoreRequest {
  const plain: Record<string, string> = {};
  // `Object.fromEntries` takes 1.5 times as long
  headers.forEach((value, name) => {
    plain[name] = value;
  });
  return {
    ...location,
    method,
    authorization: plain.authorization,
    contentType: plain["content-type"],
    apiVersion: plain["x-service-api-version"],
    headers: plain,
    ...body,
  };
}

function lostConnection(reason: string): TypeError {
  return new TypeError("fetch failed", { cause: new Error(reason) });
}

/** Responds to a request with a `Response`, and with the delay and the fault that apply. */
export async function respond(
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
  const withLength = { status, headers: { ...headers, "content-length": String(bytes.length) } };
  if (fault.kind === "slow")
    return new Response(
      slowBody(slowParts(bytes, fault.bytesPerSecond, endpoint.timers, signal)),
      withLength,
    );
  const broken = brokenBody(bytes.slice(0, fault.at === "head" ? 0 : bytes.length >> 1), (stream) => {
    if (fault.kind === "truncate") stream.error(new TypeError("terminated"));
    else void untilAborted(signal).catch((error: unknown) => stream.error(error));
  });
  return new Response(broken, withLength);
}

/** Returns the bytes of a body a few at a time, ten times a second. */
export async function* slowParts(
  bytes: Uint8Array,
  bytesPerSecond: number | undefined,
  timers: Timers,
  signal: AbortSignal | null,
): AsyncGenerator<Uint8Array> {
  const size = Math.max(Math.round((bytesPerSecond ?? 1) / 10), 1);
  const pause = (size / (bytesPerSecond ?? 1)) * 1000;
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0) await timers.wait(pause, signal);
    yield bytes.slice(start, start + size);
  }
}

function slowBody(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      const next = await parts.next();
      if (next.done === true) stream.close();
      else stream.enqueue(next.value);
    },
  });
}

/** A body that is cut off after its first bytes. */
function brokenBody(
  first: Uint8Array,
  end: (stream: ReadableStreamDefaultController<Uint8Array>) => void,
): ReadableStream<Uint8Array> {
  let isStarted = first.length === 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        if (isStarted) end(stream);
        else stream.enqueue(first);
        isStarted = true;
      },
    },
    { highWaterMark: 0 },
  );
}

/** Rejects when a signal is aborted. */
function untilAborted(signal: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(abortReason(signal));
    signal?.addEventListener("abort", () => reject(abortReason(signal)), { once: true });
  });
}
