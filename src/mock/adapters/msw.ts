import { HttpResponse, http, type RequestHandler } from "msw";
import type { ReferenceServer } from "../reference-server.ts";
import { CORS_HEADERS, preflightHeaders } from "./cors.ts";
import { type Location, respond, toCoreRequest } from "./fetch.ts";

/** Options of `mswHandlers`. */
export interface MswOptions {
  /** Whether pages of any origin may call the server, as in jsdom, happy-dom and browsers. Preflights are answered. */
  cors?: boolean | undefined;
}

/** The handlers of a reference server, for `setupServer` and `setupWorker`. */
export interface MswHandlers extends Array<RequestHandler> {}

/** Matches a base URL, followed by a path, a query or nothing. */
function patternBelow(base: string): RegExp {
  return new RegExp(`^${base.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}([/?#].*)?$`);
}

/**
 * The msw handlers of a reference server: one for each of its three base URLs. No request below these URLs reaches
 * the network.
 *
 * @example setupServer(...mswHandlers(ref)).listen(listenOptions());
 */
export function mswHandlers(ref: ReferenceServer, { cors = false }: MswOptions = {}): MswHandlers {
  const bases = [...new Set([ref.storeUrl, ref.fleetUrl, ref.sandboxUrl])];
  return bases.map((base) => http.all(patternBelow(base), ({ request }) => respondTo(ref, request, cors)));
}

/**
 * Options of `listen` that make a request without a handler an error, under msw 2 (`onUnhandledRequest`) and 3
 * (`onUnhandledFrame`). A page does not pass them to `start`: its worker also sees the page's own files.
 */
export function listenOptions(): { onUnhandledRequest: "error"; onUnhandledFrame: "error" } {
  return { onUnhandledRequest: "error", onUnhandledFrame: "error" };
}

/** Converts a rejection of `fetch` to a network error: msw reports a handler that throws as an error of the test. */
async function respondTo(ref: ReferenceServer, request: Request, cors: boolean): Promise<Response> {
  const { method, headers } = request;
  const preflight = cors ? preflightHeaders({ method, headers: Object.fromEntries(headers) }) : undefined;
  if (preflight !== undefined) return new Response(null, { status: 204, headers: preflight });
  // the pattern of the handler has matched, so the URL lies below a base
  const location: Location = ref.locate(request.url) ?? { base: "store", target: "" };
  try {
    const core = await toCoreRequest(ref, location, request);
    const response = await respond(ref, core, request.signal);
    for (const [name, value] of Object.entries(cors ? CORS_HEADERS : {}))
      if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  } catch {
    return HttpResponse.error();
  }
}
