import createClient, { type ParamsOption } from "openapi-fetch";
import { type JsonObject, objectOf } from "../wire/json.ts";
import type { Core } from "./core.ts";
import type { CallResult, Received, SentRequest } from "./exchange.ts";
import { type CallDetails, InvalidRequestError } from "./errors.ts";
import { type CallOptions, checkCallOptions, checkHeaders, resolveLimits } from "./options.ts";
import { decode } from "./read.ts";
import { findPathIssues, serializeBody, serializeQuery } from "./request-parts.ts";
import { send } from "./send.ts";
import type { Shape } from "./shape.ts";

/** A successful response. Every other outcome is thrown. */
export interface Sent<Data> {
  /** The body as the service sent it, with its envelope; undefined if it is empty. */
  data: Data;
  response: Response;
}

/**
 * The methods of openapi-fetch, typed by the contract. They are authenticated, limited and retried as the methods of the
 * client are, and throw the same errors.
 */
export interface Http<Paths> {
  GET: Send<Paths, "get">;
  PUT: Send<Paths, "put">;
  POST: Send<Paths, "post">;
  DELETE: Send<Paths, "delete">;
  PATCH: Send<Paths, "patch">;
}

type Send<Paths, Method extends string> = <Route extends RouteWith<Paths, Method>>(
  route: Route,
  ...init: Init<OperationOf<Paths[Route], Method>>
) => Promise<Sent<Body<OperationOf<Paths[Route], Method>>>>;

type RouteWith<Paths, Method extends string> = {
  [Route in keyof Paths]: Paths[Route] extends { [M in Method]: object } ? Route : never;
}[keyof Paths];

type OperationOf<Route, Method extends string> = Route extends { [M in Method]: infer Operation }
  ? Operation
  : never;

/** The argument after the route, which is optional if the operation requires nothing. */
type Init<Operation> =
  object extends Required<Operation> ? [init?: Options<Operation>] : [init: Options<Operation>];

type Required<Operation> = ParamsOption<Operation> & BodyOption<Operation>;
type Options<Operation> = Required<Operation> & CallInit & Pick<CallOptions, "signal" | "headers">;

type BodyOption<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Given } };
}
  ? { body: Given }
  : Operation extends { requestBody?: { content: { "application/json": infer Given } } }
    ? { body?: Given }
    : object;

type Body<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201 | 204)]: Json<Responses[Status]> }[keyof Responses &
      (200 | 201 | 204)]
  : never;

type Json<Response> = Response extends { content: { "application/json": infer Content } }
  ? Content
  : undefined;

/** What the methods of the resources add to the options of openapi-fetch. */
export interface CallInit {
  readonly call?: {
    readonly options?: CallOptions | undefined;
    /** Parses the body before it is checked and sent. */
    readonly bodyShape?: Shape | undefined;
    /** Ends the call if its result is no longer needed. */
    readonly cancel?: AbortSignal | undefined;
  };
}

/** The options of a call of openapi-fetch, without their types. */
interface AnyInit extends CallInit {
  params?: { path?: object; query?: object; header?: object };
  body?: unknown;
  headers?: CallOptions["headers"];
  signal?: AbortSignal;
}

/** A request as openapi-fetch builds it: plain data, which can be sent again. */
class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | undefined;
  readonly sent: SentRequest;

  constructor(url: string, { method, body, sent }: PlainRequest) {
    this.url = url;
    this.method = method;
    this.body = body;
    this.sent = sent;
  }
}

/** A response as openapi-fetch reads it. The body was read and parsed within the attempt. */
export class ReadResponse {
  readonly ok = true;
  readonly received: Received;
  /** The request, for an error about the response. */
  readonly details: CallDetails;
  readonly #json: JsonObject | undefined;

  constructor({ received, details, json }: CallResult) {
    this.received = received;
    this.details = details;
    this.#json = json;
  }

  get status(): number {
    return this.received.status;
  }

  get headers(): Headers {
    return this.received.headers;
  }

  get url(): string {
    return this.received.url;
  }

  async json(): Promise<JsonObject | undefined> {
    return this.#json;
  }

  /** Returns the JSON of the body; undefined if it is empty. */
  parsed(): JsonObject | undefined {
    return this.#json;
  }

  async text(): Promise<string> {
    return decode(this.received.bytes) ?? "";
  }
}

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

/** Creates the typed client of an API: openapi-fetch builds each request, `send` sends it. */
export function createHttp<Paths extends object>(core: Core): Http<Paths> {
  const client = createClient<Paths>({
    baseUrl: "",
    Request: PlainRequest as unknown as typeof Request, // openapi-fetch only constructs it
    async fetch(request) {
      const { sent, url, body } = request as unknown as PlainRequest;
      const result = await send(core, sent, url, body);
      return new ReadResponse(result) as unknown as Response; // the part that openapi-fetch and users read
    },
    bodySerializer: String, // the body was serialized to be checked
  });
  const request = client.request as (method: string, route: string, init: object) => Promise<unknown>;
  const entries = methods.map((method) => [
    method,
    async (route: string, init: AnyInit = {}) =>
      request(method, route, await prepare(core, method, route, init)),
  ]);
  return Object.fromEntries(entries) as Http<Paths>; // its five methods
}

/** Checks a request against the contract and serializes it. Rejects, before anything is sent, with every issue. */
async function prepare(core: Core, method: string, route: string, init: AnyInit): Promise<object> {
  const operation = core.operations.get(`${method} ${route}`);
  const { params = {}, call = {} } = init;
  const { options = {}, cancel } = call;
  if (call.options !== undefined) checkCallOptions(call.options);
  const path = objectOf(params.path);
  const issues = findPathIssues(route, path, operation);
  let query = "";
  if (params.query !== undefined)
    query = await serializeQuery(core, operation, objectOf(params.query), issues);
  const hasBody = operation?.body !== undefined || init.body !== undefined;
  const body = hasBody ? await serializeBody(core, operation, init.body, call.bodyShape, issues) : undefined;
  if (issues.length > 0) throw new InvalidRequestError(`${method} ${route}`, issues);
  const header = checkHeaders({
    ...(params.header as Record<string, string>),
    ...checkHeaders(init.headers ?? options.headers),
  });
  const signals = [options.signal ?? init.signal, cancel].filter((signal) => signal !== undefined);
  const sent: SentRequest = {
    operation,
    method,
    route,
    path,
    headers: body === undefined ? header : { "content-type": "application/json", ...header },
    limits: call.options === undefined ? core.limits : resolveLimits(options, core.limits),
    mayRepeat: operation === undefined ? method === "GET" : core.mayRepeat(operation, path, init.body),
    signals,
  };
  // the body was parsed within the attempt; openapi-fetch would parse it again for `json`
  return { params: { path }, querySerializer: () => query, body, sent, parseAs: "parsed" };
}

/** Returns the options of a call in the form that the methods of `Http` take. */
export function callInit(options: CallOptions | undefined, bodyShape?: Shape): CallInit {
  return { call: { options, bodyShape } };
}
