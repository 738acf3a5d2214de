import { HttpResponse, http, type RequestHandler } from "msw";
import type { ReferenceServer } from "../reference-server.ts";
import { type Location, respond, toCoreRequest } from "./fetch.ts";

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
export function mswHandlers(ref: ReferenceServer): RequestHandler[] {
  const bases = [...new Set([ref.storeUrl, ref.fleetUrl, ref.sandboxUrl])];
  return bases.map((base) => http.all(patternBelow(base), ({ request }) => respondTo(ref, request)));
}

/**
 * Options of `listen` that make a request without a handler an error, under msw 2 (`onUnhandledRequest`) and 3
 * (`onUnhandledFrame`). A page does not pass them to `start`: its worker also sees the page's own files.
 */
export function listenOptions(): { onUnhandledRequest: "error"; onUnhandledFrame: "error" } {
  return { onUnhandledRequest: "error", onUnhandledFrame: "error" };
}

/** Converts a rejection of `fetch` to a network error: msw reports a handler that throws as an error of the test. */
async function respondTo(ref: ReferenceServer, request: Request): Promise<Response> {
  // the pattern of the handler has matched, so the URL lies below a base
  const location: Location = ref.locate(request.url) ?? { base: "store", target: "" };
  const core = await toCoreRequest(location, request);
  try {
    return await respond(ref, core, request.signal);
  } catch {
    return HttpResponse.error();
  }
}
