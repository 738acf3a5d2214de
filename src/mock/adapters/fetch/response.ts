import type { CoreResponse } from "../../server/endpoint.ts";
import { abortReason } from "../../server/endpoint.ts";

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
      return response(
        coreResponse,
        brokenBody(coreResponse, (stream) => stallUntilAborted(stream, signal)),
      );
    case "truncate":
      return response(
        coreResponse,
        brokenBody(coreResponse, (stream) => stream.error(new TypeError("terminated"))),
      );
    case undefined:
      return response(coreResponse, coreResponse.body);
  }
}

function response(coreResponse: CoreResponse, body: BodyInit | null): Response {
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
