import type { Transport, TransportBody, TransportResponse } from "./transport.ts";

/** A function with the signature of the platform's `fetch`. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Sends with `fetch`: the given one, or the global one as it is at the time of each call. */
export function fetchTransport(given: Fetch | undefined): Transport {
  return async function sendWithFetch(request): Promise<TransportResponse> {
    const { method, url, headers, body, signal, redirect = "manual" as const } = request;
    const init: RequestInit = { method, headers, redirect, signal };
    if (body !== undefined) init.body = body;
    const response = await (given ?? globalThis.fetch)(url, init);
    const { status } = response;
    return { status, response, headers: response.headers, read: readBody.bind(undefined, response) };
  };
}

/** How much is returned of a body that is over its limit, in bytes: errors quote no more of it. */
const longestBeginning = 1024 * 1024;

async function readBody({ body }: Response, limit: number): Promise<TransportBody> {
  if (body === null) return { bytes: new Uint8Array(), complete: true };
  if (limit === 0) {
    void body.cancel().catch(() => {}); // ends the connection; nobody waits for it
    return { bytes: new Uint8Array(), complete: false };
  }
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done)
      return { bytes: (chunks.length === 1 && chunks[0]) || joinChunks(chunks, size), complete: true };
    size += value.length;
    chunks.push(value);
    if (size > limit) {
      void reader.cancel().catch(() => {}); // ends the connection; what it says no longer matters
      return { bytes: joinChunks(chunks, Math.min(limit, longestBeginning)), complete: false };
    }
  }
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const joined = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, size - at);
    joined.set(part, at);
    at += part.length;
    if (at === size) break;
  }
  return joined;
}
