import type { Transport, TransportBody, TransportResponse } from "./transport.ts";

/** What a client hands to its `fetch`: a part of the platform's `RequestInit`, and of undici's own. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  redirect: "manual" | "follow";
  signal: AbortSignal;
  body?: string;
}

/** What a client reads of a response: a part of the platform's `Response`, and of undici's own. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: FetchHeaders;
  readonly body: FetchBody | null;
}

export interface FetchHeaders extends Iterable<[string, string]> {
  get(name: string): string | null;
  getSetCookie(): string[];
}

export interface FetchBody {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
  cancel(): Promise<void>;
}

/** Sends one request: the platform's `fetch`, that of undici, or a function of the same form. */
export type Fetch = (input: string, init: FetchInit) => Promise<FetchResponse>;

/** Sends with `fetch`: the given one, or the global one as it is at the time of each call. */
export function fetchTransport(given: Fetch | undefined): Transport {
  return async function sendWithFetch(request): Promise<TransportResponse> {
    const { method, url, headers, body, signal, redirect = "manual" as const } = request;
    const init: FetchInit = { method, headers, redirect, signal };
    if (body !== undefined) init.body = body;
    const received = await (given ?? globalThis.fetch)(url, init);
    const { status } = received;
    const response = received as Response; // undici's own has the same members
    return { status, response, headers: response.headers, read: readBody.bind(undefined, received) };
  };
}

async function readBody({ body }: FetchResponse, limit: number): Promise<TransportBody> {
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
    if (value === undefined) continue;
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
