import { http, HttpHandler, HttpResponse, type RequestHandler } from "msw";
import type * as mswNode from "msw/node";
import { fleetBasePath } from "../../generated/fleet.operations.ts";
import type { paths as FleetPaths } from "../../generated/fleet.ts";
import type { paths as StorePaths } from "../../generated/store.ts";
import { createReferenceServer, type ReferenceServer } from "./reference-server.ts";
import { operations } from "./server/operations.ts";
import type { ReferenceServerOptions } from "./server/options.ts";
import { CORS_HEADERS, preflightHeaders } from "./adapters/fetch.ts";

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
  const all = [...Object.values(operations), undefined];
  return all.map((operation) => new ReferenceHandler(ref, cors, operation));
}

/** Lets pages read a response. */
function withCors(response: Response): Response {
  for (const [name, value] of Object.entries(CORS_HEADERS))
    if (response.type !== "error" && !response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** A handler of one operation, or of every request below the base URLs, which msw need not know. */
class ReferenceHandler extends HttpHandler {
  readonly #ref: ReferenceServer;
  readonly #pattern: RegExp;

  constructor(ref: ReferenceServer, cors: boolean, operation: (typeof operations)[string] | undefined) {
    super(operation?.method ?? /.*/, "*", ({ request }) => respondToMsw(ref, request, cors));
    const { id = "any other request", method = "", path = "" } = operation ?? {};
    this.info.header = `${id} ${method} ${path}`.trimEnd();
    this.#ref = ref;
    const form = path.replaceAll(/\{\w+\}/g, "[^/?#]+");
    this.#pattern = new RegExp(operation === undefined ? "" : `^${form}(?:[?#]|$)`);
  }

  override async parse({ request }: { request: Request }) {
    const target = this.#ref.locate(request.url)?.target;
    return {
      match: { matches: target !== undefined && this.#pattern.test(target), params: {} },
      cookies: {},
    };
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
  try {
    const response = await ref.fetch(request);
    return cors ? withCors(response) : response;
  } catch {
    return HttpResponse.error();
  }
}

/** A reference server behind msw in Node. Its functions need no `this`. */
export interface MswReference {
  readonly ref: ReferenceServer;
  /** Intercepts requests from now on. A request without a handler is an error. */
  readonly listen: () => Promise<void>;
  /** Adds handlers that respond before the reference server, until `reset()`. Its journal does not have their requests. */
  readonly use: (...handlers: RequestHandler[]) => void;
  /** Removes the handlers of `use` and resets the reference server. */
  readonly reset: () => void;
  /** Intercepts no further request. */
  readonly close: () => void;
}

/** Bundlers of pages do not see this import: msw has no `msw/node` for them. */
const MSW_NODE = "msw/node";

/**
 * Creates a reference server and the msw server that it responds to.
 *
 * @example
 * const mock = setupReference({ storeUrl: "https://stores.example.com", store: { token: "secret" } });
 * beforeAll(mock.listen);
 * afterEach(mock.reset);
 * afterAll(mock.close);
 */
export function setupReference(
  options: ReferenceServerOptions = {},
  mswOptions: MswOptions = {},
): MswReference {
  const ref = createReferenceServer(options);
  const { cors } = mswOptions;
  let server: ReturnType<typeof mswNode.setupServer> | undefined;
  return {
    ref,
    async listen() {
      // the module of the constant
      const msw = (await import(/* @vite-ignore */ /* webpackIgnore: true */ MSW_NODE)) as typeof mswNode;
      server = msw.setupServer(...mswHandlers(ref, { cors }));
      server.listen(listenOptions());
    },
    use(...handlers) {
      if (server === undefined) throw new Error("use: listen() comes first");
      server.use(...handlers);
    },
    reset() {
      server?.resetHandlers();
      ref.reset();
    },
    close() {
      server?.close();
      server = undefined;
    },
  };
}

type Method = "get" | "put" | "post" | "patch" | "delete";

type Json<Value> = Value extends { content: { "application/json": infer Body } } ? Body : undefined;

/** What a resolver of `storeHttp` or `fleetHttp` gets, typed by its operation. */
export interface TypedRequest<Operation> {
  readonly params: Operation extends { parameters: { path: infer Params } } ? Params : object;
  readonly request: Omit<Request, "json"> & {
    /** Returns the body of the request. */
    json(): Promise<Operation extends { requestBody: infer Body } ? Json<Body> : undefined>;
  };
  /** Returns a response with a documented status and its body. */
  readonly respond: Operation extends { responses: infer Responses }
    ? <Status extends keyof Responses & number>(status: Status, body: Json<Responses[Status]>) => Response
    : never;
}

type MaybeResponse = Response | undefined;

/** msw's `http` for the paths of one API at any host. A resolver that returns nothing leaves the request to the next handler. */
export type TypedHttp<Paths> = {
  readonly [Name in Method]: <
    Path extends { [P in keyof Paths]: Paths[P] extends Record<Name, unknown> ? P : never }[keyof Paths],
  >(
    path: Path,
    resolver: (
      info: TypedRequest<Paths[Path] extends Record<Name, infer Operation> ? Operation : never>,
    ) => MaybeResponse | Promise<MaybeResponse>,
  ) => HttpHandler;
};

function respondWith(status: number, body: unknown): Response {
  return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
}

function typedHttp<Paths>(base: string): TypedHttp<Paths> {
  const handler = (name: Method) => (path: string, resolver: (info: object) => unknown) =>
    http[name](`*${base}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, async (info) => {
      const response = (await resolver({ ...info, respond: respondWith })) as MaybeResponse;
      return response && withCors(response);
    });
  const [get, put, post, patch, remove] = (["get", "put", "post", "patch", "delete"] as const).map(handler);
  return { get, put, post, patch, delete: remove } as unknown as TypedHttp<Paths>; // typed by the paths
}

/**
 * Handlers of the store API for a test that responds to one operation itself.
 *
 * @example
 * mock.use(storeHttp.get("/v1/stores/{externalId}", ({ params, respond }) => respond(200, { storeId, externalId: params.externalId })));
 */
export const storeHttp: TypedHttp<StorePaths> = typedHttp("");

/** The same for the fleet API, at base URLs that end in `/api/third-party/v1`. */
export const fleetHttp: TypedHttp<FleetPaths> = typedHttp(fleetBasePath);
