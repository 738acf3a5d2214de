import { http, type HttpHandler } from "msw";
import { fleetBasePath } from "../../../generated/fleet.operations.ts";
import type { paths as FleetPaths } from "../../../generated/fleet.ts";
import type { paths as StorePaths } from "../../../generated/store.ts";

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

function respond(status: number, body: unknown): Response {
  return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
}

function typedHttp<Paths>(base: string): TypedHttp<Paths> {
  const handler = (name: Method) => (path: string, resolver: (info: object) => unknown) =>
    http[name](
      `*${base}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      (info) => resolver({ ...info, respond }) as MaybeResponse,
    );
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
