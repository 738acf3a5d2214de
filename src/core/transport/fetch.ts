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
      return { bytes: joinChunks(chunks, size).subarray(0, limit), complete: false };
    }
  }
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const joined = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
