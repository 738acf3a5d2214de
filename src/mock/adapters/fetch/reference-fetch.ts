import type { Front } from "../../kernel/tenant-router.ts";
import { describedRequest } from "./request.ts";
import type { Base, CoreRequest } from "../../kernel/request.ts";
import { respond } from "./response.ts";
import { type Timers, reasonOf } from "../../kernel/timers.ts";

/** The type of the global `fetch`. */
export type ReferenceFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** A `fetch` that is answered by the core and never reaches the network. */
export function referenceFetch(front: Front, timers: Timers): ReferenceFetch {
  return async (input, init) => {
    const signal = init?.signal ?? (isRequest(input) ? input.signal : null);
    failIfAborted(signal);
    const url = isRequest(input) ? input.url : new URL(input).href;
    const place = front.locate(url);
    if (place === undefined) return new Response("No reference server has this address", { status: 404 });
    const request = await coreRequest(place, input, init);
    failIfAborted(signal);
    const answer = front.answer(request);
    if (answer.delay > 0) await timers.wait(answer.delay, signal);
    const response = await respond(answer, signal);
    Object.defineProperty(response, "url", { value: url });
    return response;
  };
}

/** By its members, as a test's environment may have a `Request` of its own. */
function isRequest(input: RequestInfo | URL): input is Request {
  return typeof input === "object" && "headers" in input;
}

function failIfAborted(signal: AbortSignal | null): void {
  if (signal?.aborted === true) throw reasonOf(signal);
}

async function coreRequest(
  place: { base: Base; target: string },
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<CoreRequest> {
  if (isRequest(input) && init === undefined) return readRequest(place, input);
  const { body } = init ?? {};
  // The short way, without a Request, where nothing has to be read.
  if (!isRequest(input) && (body === null || body === undefined || typeof body === "string"))
    return plainRequest(place, init ?? {}, body);
  return readRequest(place, new Request(input, init));
}

async function readRequest(place: { base: Base; target: string }, request: Request): Promise<CoreRequest> {
  const body = request.body === null ? undefined : await request.text();
  return describedRequest(place, request.method, request.headers, body);
}

function plainRequest(
  place: { base: Base; target: string },
  init: RequestInit,
  body: string | null | undefined,
): CoreRequest {
  const headers = new Headers(init.headers);
  if (typeof body === "string" && !headers.has("content-type"))
    headers.set("content-type", "text/plain;charset=UTF-8");
  return describedRequest(place, (init.method ?? "GET").toUpperCase(), headers, body ?? undefined);
}
