import { HttpHandler, HttpResponse, type RequestHandler } from "msw";
import { operations } from "../server/operations.ts";
import type { ReferenceServer } from "../reference-server.ts";
import { CORS_HEADERS, preflightHeaders } from "./cors.ts";
import { respondTo } from "./fetch.ts";

/** Options of `mswHandlers`. */
export interface MswOptions {
  /** Whether pages of any origin may call the server, as in jsdom, happy-dom and browsers. Preflights are answered. */
  cors?: boolean | undefined;
}

/** The handlers of a reference server, for `setupServer` and `setupWorker`. */
export interface MswHandlers extends Array<RequestHandler> {}

/**
 * The msw handlers of a reference server: one for each operation, named in `listHandlers()` by its `info.header`
 * (`getStore GET /v1/stores/{externalId}`), and a last one, so that no other request below the base URLs reaches the
 * network.
 *
 * @example setupServer(...mswHandlers(ref)).listen(listenOptions());
 */
export function mswHandlers(ref: ReferenceServer, { cors = false }: MswOptions = {}): MswHandlers {
  const respond = ({ request }: { request: Request }) => respondToMsw(ref, request, cors);
  const handlers = Object.values(operations).map(({ id, method, path }) => {
    const isStore = path.startsWith("/v1/");
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?#]+")}(?:[?#]|$)`);
    return new OperationHandler(id, method, path, respond, ({ url }) => {
      const location = ref.locate(url);
      return (
        location !== undefined && (location.base === "store") === isStore && pattern.test(location.target)
      );
    });
  });
  const isBelow = ({ url }: Request): boolean => ref.locate(url) !== undefined;
  return [...handlers, new OperationHandler("any other request", /.*/, "*", respond, isBelow)];
}

/** A handler with a name, which matches at each base URL of its API. */
class OperationHandler extends HttpHandler {
  readonly #matches: (request: Request) => boolean;

  constructor(
    name: string,
    method: string | RegExp,
    path: string,
    respond: (info: { request: Request }) => Promise<Response>,
    matches: (request: Request) => boolean,
  ) {
    super(method, path, respond);
    this.info.header = `${name} ${method} ${path}`;
    this.#matches = matches;
  }

  override async parse({ request }: { request: Request }) {
    return { match: { matches: this.#matches(request), params: {} }, cookies: {} };
  }
}

/**
 * Options of `listen` that make a request without a handler an error, under msw 2 (`onUnhandledRequest`) and 3
 * (`onUnhandledFrame`). A page does not pass them to `start`: its worker also sees the page's own files.
 */
export function listenOptions(): { onUnhandledRequest: "error"; onUnhandledFrame: "error" } {
  return { onUnhandledRequest: "error", onUnhandledFrame: "error" };
}

/** Converts a rejection of `fetch` to a network error: msw reports a handler that throws as an error of the test. */
async function respondToMsw(ref: ReferenceServer, request: Request, cors: boolean): Promise<Response> {
  const { method, headers } = request;
  const preflight = cors ? preflightHeaders({ method, headers: Object.fromEntries(headers) }) : undefined;
  if (preflight !== undefined) return new Response(null, { status: 204, headers: preflight });
  const location = ref.locate(request.url);
  if (location === undefined) return HttpResponse.error();
  try {
    const response = await respondTo(ref, location, request, request.signal);
    for (const [name, value] of Object.entries(cors ? CORS_HEADERS : {}))
      if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  } catch {
    return HttpResponse.error();
  }
}
