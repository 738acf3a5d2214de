import { HttpResponse, type RequestHandler, http } from "msw";
import { describedRequest } from "../fetch/request.ts";
import type { ReferenceServer } from "../../reference-server.ts";
import { respond } from "../fetch/response.ts";

/** A base without its place in a text; what follows it is a path, a query or nothing. */
function below(base: string): RegExp {
  return new RegExp(`^${base.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}([/?#].*)?$`);
}

/**
 * The handlers that let a reference server answer behind msw: one for each of its three addresses, below which nothing
 * passes through to the network. Those of a tenant are those of its parent.
 *
 * @example setupServer(...mswHandlers(ref)).listen(listenOptions());
 */
export function mswHandlers(ref: ReferenceServer): RequestHandler[] {
  const bases = [...new Set([ref.storeUrl, ref.fleetUrl, ref.sandboxUrl])];
  return bases.map((base) => http.all(below(base), ({ request }) => answered(ref, request)));
}

/**
 * Options of `listen` that make a request which no handler knows an error, under msw 2 (`onUnhandledRequest`) and 3
 * (`onUnhandledFrame`). A page, whose worker sees the page's own files too, does without them in `start`.
 */
export function listenOptions(): { onUnhandledRequest: "error"; onUnhandledFrame: "error" } {
  return { onUnhandledRequest: "error", onUnhandledFrame: "error" };
}

/** What a `fetch` would reject with is a network error here: a handler that throws is a fault of the test to msw. */
async function answered(ref: ReferenceServer, request: Request): Promise<Response> {
  // The handler's pattern has matched, so the address lies below a base.
  const place = ref.locate(request.url) ?? { base: "store", target: "" };
  const body = request.body === null ? undefined : await request.text();
  const answer = ref.answer(describedRequest(place, request.method, request.headers, body));
  try {
    if (answer.delay > 0) await ref.timers.wait(answer.delay, request.signal);
    return await respond(answer, request.signal);
  } catch {
    return HttpResponse.error();
  }
}
