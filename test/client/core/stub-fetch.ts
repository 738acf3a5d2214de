import type { Fetch } from "../../../src/client/core/options/options.ts";

/** A request as it would have gone over the wire. */
export interface SentRequest {
  method: string;
  path: string;
  /** Decoded, in the order of the address. */
  query: Record<string, string>;
  headers: Record<string, string>;
  /** The JSON that was sent; undefined where no body was. */
  body: unknown;
  url: string;
}

export type Responder = (sent: SentRequest, index: number) => Response | Promise<Response>;

/** More than any test asks for: a walk that a defect keeps going ends here, and its test fails instead of hanging. */
const mostRequests = 20_000;

/** A `fetch` that keeps what it is asked, and never reaches a network. */
export function stubFetch(respond: Responder): { fetch: Fetch; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const fetch: Fetch = async (input, init) => {
    const request = readRequest(input, init);
    sent.push(request);
    init.signal?.throwIfAborted();
    if (sent.length > mostRequests) return new Response("asked without end", { status: 400 });
    return respond(request, sent.length - 1);
  };
  return { fetch, sent };
}

function readRequest(input: string, init: RequestInit): SentRequest {
  const url = new URL(input);
  return {
    method: init.method ?? "GET",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(new Headers(init.headers)),
    body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
    url: input,
  };
}

export function json(body: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(body), { ...init, headers });
}
