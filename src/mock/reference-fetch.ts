import type { Front } from "./front.ts";
import type { Base, CoreAnswer, CoreRequest } from "./request.ts";
import { type Timers, reasonOf } from "./timers.ts";

/** The type of the global `fetch`. */
export type ReferenceFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** A `fetch` that is answered by the core and never reaches the network. */
export function referenceFetch(front: Front, timers: Timers): ReferenceFetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? (input instanceof Request ? input.signal : null);
    failIfAborted(signal);
    const url = input instanceof Request ? input.url : new URL(input).href;
    const place = front.locate(url);
    if (place === undefined) return new Response("No reference server has this address", { status: 404 });
    const request = await coreRequest(place, input, init);
    failIfAborted(signal);
    const answer = front.answer(request);
    if (answer.delay > 0) await timers.wait(answer.delay, signal);
    return respond(answer, signal, url);
  };
}

function failIfAborted(signal: AbortSignal | null): void {
  if (signal?.aborted === true) throw reasonOf(signal);
}

async function coreRequest(
  place: { base: Base; target: string },
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<CoreRequest> {
  const plain = !(input instanceof Request) && (init.body == null || typeof init.body === "string");
  if (!plain) {
    const request = new Request(input, init);
    const body = request.body === null ? undefined : await request.text();
    return described(place, request.method, request.headers, body);
  }
  const method = (init.method ?? "GET").toUpperCase();
  const headers = new Headers(init.headers);
  const body = typeof init.body === "string" ? init.body : undefined;
  if (body !== undefined && !headers.has("content-type"))
    headers.set("content-type", "text/plain;charset=UTF-8");
  return described(place, method, headers, body);
}

function described(
  place: { base: Base; target: string },
  method: string,
  headers: Headers,
  body: string | undefined,
): CoreRequest {
  return {
    ...place,
    method,
    authorization: headers.get("authorization") ?? undefined,
    contentType: headers.get("content-type") ?? undefined,
    apiVersion: headers.get("x-service-api-version") ?? undefined,
    body,
  };
}

async function respond(answer: CoreAnswer, signal: AbortSignal | null, url: string): Promise<Response> {
  switch (answer.fault?.kind) {
    case "reset":
    case "close":
      throw new TypeError("fetch failed", {
        cause: new Error(`the connection was lost: ${answer.fault.kind}`),
      });
    case "stall":
      if (answer.fault.at === "head") return aborted(signal);
      return response(
        answer,
        url,
        halfOf(answer, (stream) => endWith(stream, signal)),
      );
    case "truncate":
      return response(
        answer,
        url,
        halfOf(answer, (stream) => stream.error(new TypeError("terminated"))),
      );
    case undefined:
      return response(answer, url, answer.body);
  }
}

function response(answer: CoreAnswer, url: string, body: BodyInit | null): Response {
  const headers =
    answer.fault === null ? answer.headers : { ...answer.headers, "content-length": lengthOf(answer) };
  const made = new Response(body, { status: answer.status, headers });
  Object.defineProperty(made, "url", { value: url });
  return made;
}

function lengthOf({ body }: CoreAnswer): string {
  return String(new TextEncoder().encode(body ?? "").length);
}

/** A body that breaks off: half of it where the fault strikes the body, nothing where it strikes the head. */
function halfOf(
  { body, fault }: CoreAnswer,
  end: (stream: ReadableStreamDefaultController<Uint8Array>) => void,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body ?? "");
  const sent = fault?.at === "head" ? 0 : bytes.length >> 1;
  let begun = false;
  return new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        if (!begun && sent > 0) {
          begun = true;
          stream.enqueue(bytes.slice(0, sent));
          return;
        }
        end(stream);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Ends a stalled body with the caller's signal, or never. */
function endWith(stream: ReadableStreamDefaultController<Uint8Array>, signal: AbortSignal | null): void {
  if (signal?.aborted === true) stream.error(reasonOf(signal));
  else signal?.addEventListener("abort", () => stream.error(reasonOf(signal)), { once: true });
}

function aborted(signal: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(reasonOf(signal)), { once: true });
  });
}
