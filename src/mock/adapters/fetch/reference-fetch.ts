import {
  abortReason,
  type CoreRequest,
  type CoreResponse,
  decodeBody,
  type DecodedBody,
  type Endpoint,
  type Location,
  type RequestHeaders,
  type Timers,
} from "../../server/endpoint.ts";

/** The type of the global `fetch`. */
export type ReferenceFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` that the server responds to. It never reaches the network. */
export function referenceFetch(endpoint: Endpoint, timers: Timers): ReferenceFetch {
  return async (input, init) => {
    const signal = init?.signal ?? (isRequest(input) ? input.signal : null);
    throwIfAborted(signal);
    const url = isRequest(input) ? input.url : new URL(input).href;
    const location = endpoint.locate(url);
    if (location === undefined) return new Response("No reference server has this URL", { status: 404 });
    const request = await readRequest(location, input, init);
    throwIfAborted(signal);
    const coreResponse = endpoint.handle(request);
    if (coreResponse.delay > 0) await timers.wait(coreResponse.delay, signal);
    const response = await respond(coreResponse, signal);
    Object.defineProperty(response, "url", { value: url });
    return response;
  };
}

/** Checks the properties, because a test environment may have its own `Request` class. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === "object" && "headers" in input;
}

function throwIfAborted(signal: AbortSignal | null): void {
  if (signal?.aborted === true) throw abortReason(signal);
}

async function readRequest(
  location: Location,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<CoreRequest> {
  const body = init?.body ?? undefined;
  // Without a body to read, no Request object is needed.
  if (!isRequest(input) && (body === undefined || typeof body === "string"))
    return plainRequest(location, init ?? {}, body);
  const request = isRequest(input) && init === undefined ? input : new Request(input, init);
  return toCoreRequest(location, request.method, request.headers, await readBody(request));
}

function plainRequest(location: Location, init: RequestInit, body: string | undefined): CoreRequest {
  const headers = new Headers(init.headers);
  if (body !== undefined && !headers.has("content-type"))
    headers.set("content-type", "text/plain;charset=UTF-8");
  return toCoreRequest(
    location,
    (init.method ?? "GET").toUpperCase(),
    headers,
    body === undefined ? {} : { body },
  );
}

/** Converts a request of the fetch API. */
export function toCoreRequest<Base extends string>(
  location: Location<Base>,
  method: string,
  headers: Headers,
  body: DecodedBody,
): CoreRequest<Base> {
  return {
    ...location,
    method,
    authorization: headers.get("authorization") ?? undefined,
    contentType: headers.get("content-type") ?? undefined,
    apiVersion: headers.get("x-service-api-version") ?? undefined,
    headers: plainHeaders(headers),
    ...body,
  };
}

/** `Object.fromEntries` takes 1.5 times as long. */
function plainHeaders(headers: Headers): RequestHeaders {
  const plain: Record<string, string> = {};
  headers.forEach((value, name) => {
    plain[name] = value;
  });
  return plain;
}

export async function readBody(request: Request): Promise<DecodedBody> {
  return request.body === null ? {} : decodeBody(new Uint8Array(await request.arrayBuffer()));
}

/** Builds a `Response` with its fault, if a `Response` can have this fault. */
export async function respond(coreResponse: CoreResponse, signal: AbortSignal | null): Promise<Response> {
  switch (coreResponse.fault?.kind) {
    case "reset":
    case "close":
      throw new TypeError("fetch failed", {
        cause: new Error(`the connection was lost: ${coreResponse.fault.kind}`),
      });
    case "stall":
      if (coreResponse.fault.at === "head") return untilAborted(signal);
      return toResponse(
        coreResponse,
        brokenBody(coreResponse, (stream) => stallUntilAborted(stream, signal)),
      );
    case "truncate":
      return toResponse(
        coreResponse,
        brokenBody(coreResponse, (stream) => stream.error(new TypeError("terminated"))),
      );
    case undefined:
      return toResponse(coreResponse, coreResponse.body);
  }
}

function toResponse(coreResponse: CoreResponse, body: BodyInit | null): Response {
  const headers =
    coreResponse.fault === null
      ? coreResponse.headers
      : { ...coreResponse.headers, "content-length": lengthOf(coreResponse) };
  return new Response(body, { status: coreResponse.status, headers });
}

function lengthOf({ body }: CoreResponse): string {
  return String(new TextEncoder().encode(body ?? "").length);
}

/**
 * A body that is cut off: after its first half for a fault at the body, before its first byte for a fault at the
 * head.
 */
function brokenBody(
  { body, fault }: CoreResponse,
  end: (stream: ReadableStreamDefaultController<Uint8Array>) => void,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body ?? "");
  const sent = fault?.at === "head" ? 0 : bytes.length >> 1;
  let isStarted = false;
  return new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        if (!isStarted && sent > 0) {
          isStarted = true;
          stream.enqueue(bytes.slice(0, sent));
          return;
        }
        end(stream);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Ends a stalled body when the signal is aborted. */
function stallUntilAborted(
  stream: ReadableStreamDefaultController<Uint8Array>,
  signal: AbortSignal | null,
): void {
  if (signal?.aborted === true) stream.error(abortReason(signal));
  else signal?.addEventListener("abort", () => stream.error(abortReason(signal)), { once: true });
}

function untilAborted(signal: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(abortReason(signal)), { once: true });
  });
}
