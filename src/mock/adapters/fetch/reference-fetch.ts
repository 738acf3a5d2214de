import {
  type CoreRequest,
  type Endpoint,
  type Location,
  type Timers,
  abortReason,
} from "../../server/endpoint.ts";
import { readBody, toCoreRequest } from "./request.ts";
import { respond } from "./response.ts";

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
