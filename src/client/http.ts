import createClient, { type ParamsOption } from "openapi-fetch";
import type { JsonObject } from "../wire/json.ts";
import { describeKnownNames } from "../wire/names.ts";
import {
  type AnyInit,
  type CallArguments,
  type CallInit,
  checkArguments,
  readArguments,
} from "./arguments.ts";
import type { Core } from "./core.ts";
import { InvalidRequestError, type Issue, WriteError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { JsonResponse } from "./json-response.ts";
import type { CallResult, HttpResult, Received } from "./response.ts";
import { send } from "./send.ts";
import { serializeBody, serializeQuery } from "./serialization.ts";
import { parseWith, type Shape } from "./shape.ts";
import { copyArgument } from "./snapshot.ts";

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
) => Promise<HttpResult<Body<OperationOf<Paths[Route], Method>>>>;

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

// the properties instead of a name, which the declarations of a consumer could not import
type Json<Response> = Response extends { content: { "application/json": infer Content } }
  ? { [Name in keyof Content]: Content[Name] }
  : undefined;

/** What openapi-fetch gives to a request besides its URL. */
interface RequestInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly given: CallArguments;
}

/** A request as openapi-fetch builds it. It can be sent again, which a `Request` of the platform cannot. */
class PlainRequest implements RequestInit {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** The arguments of the call; openapi-fetch passes on options that it does not know. */
  readonly given: CallArguments;

  constructor(url: string, { method, headers, body, given }: RequestInit) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    this.body = body;
    this.given = given;
  }
}

/** What openapi-fetch reads of a response. The body was read and parsed within the attempt. */
interface PlainResponse extends Pick<Received, "status" | "headers"> {
  readonly ok: true;
  readonly body: CallResult;
}

/** The request function of openapi-fetch, without its types. */
type Request = (method: string, route: string, init: object) => Promise<{ response: PlainResponse }>;

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

/** Creates the typed client of an API: openapi-fetch builds each request when it is called, `send` sends it. */
export function createHttp<Paths extends object>(core: Core): Http<Paths> {
  const client = createClient<Paths>({
    baseUrl: "", // each attempt has its base URL: that of a fleet client may depend on the key
    Request: PlainRequest as unknown as typeof globalThis.Request, // openapi-fetch only calls it with `new`
    fetch: (request) =>
      sendChecked(core, request as unknown as PlainRequest) as Promise<unknown> as Promise<Response>,
  });
  const request = client.request as unknown as Request;
  const entries = methods.map((method) => [
    method,
    (route: string, init?: AnyInit) => call(core, request, `${method} ${route}`, init),
  ]);
  return Object.fromEntries(entries) as Http<Paths>; // its five methods
}

/** Calls a route. Everything that the caller gives is read before the first `await`. */
async function call(
  core: Core,
  request: Request,
  label: string,
  init: AnyInit = {},
): Promise<HttpResult<unknown>> {
  const operation = core.operations.get(label);
  if (operation === undefined) {
    // the types allow no other route
    const message = `is not in the contract${describeKnownNames(label, [...core.operations.keys()])}`;
    throw new InvalidRequestError(label, [{ path: "route", message }]);
  }
  const given = readArguments(core, operation, init);
  const { path, query, issues, parameters } = given;
  const shape = init.call?.bodyShape;
  const body = shape === undefined ? init.body : await shapeBody(shape, copyArgument(init.body), issues);
  try {
    const { response } = await request(operation.method, operation.path, {
      // an ID that has no place in a URL is an issue
      params: { path: issues.length === 0 ? path : {}, query },
      headers: given.headers,
      body,
      querySerializer: (values: JsonObject) =>
        serializeQuery(values, core.parameterNames, parameters, issues),
      bodySerializer: (value: unknown) => serializeBody(value, issues),
      parseAs: "stream", // as it is: the body of our response is JSON
      given,
    });
    const result = response.body;
    return { data: result.json, response: new JsonResponse(core, result) };
  } catch (error) {
    throw error instanceof FalsyReason ? error.reason : error;
  }
}

/** Parses a body with the shape of the client. */
async function shapeBody(shape: Shape, body: unknown, issues: Issue[]): Promise<unknown> {
  const shaped = await parseWith(shape, body);
  if (shaped.issues === undefined) return shaped.value;
  issues.push(...shaped.issues);
  return undefined;
}

/** The reason of an abort that openapi-fetch would take for no error: null, 0, an empty string, false. */
class FalsyReason extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super();
    this.reason = reason;
  }
}

/** Rethrows what a call rejects with, in a form that arrives through openapi-fetch. */
function keepReason(reason: unknown): never {
  const error: unknown = reason ? reason : new FalsyReason(reason);
  throw error;
}

/** Checks a request against the contract and sends it. Rejects, before anything is sent, with every issue. */
async function sendChecked(core: Core, { url, headers, body, given }: PlainRequest): Promise<PlainResponse> {
  const { operation, path, limits, signals, written, findDefect } = given;
  const json: unknown = body === undefined ? undefined : JSON.parse(body);
  const check = await checkArguments(core, given, json);
  const isIdempotent = operation.retry === "idempotent" && core.mayRepeat(operation.id, path, json);
  const result = await send(core, {
    operation,
    path,
    target: url,
    body,
    headers: Object.fromEntries(headers),
    limits,
    mayRepeat: operation.method === "GET" || isIdempotent,
    signals,
    findDefect,
  }).catch(keepReason);
  const unwritten = written && check?.findUnwritten(written, json, result.json);
  if (unwritten !== undefined && unwritten.length > 0) {
    const label = `${operation.method} ${operation.path}`;
    throw new WriteError(label, "differs", "was sent, and the service returned other values", unwritten);
  }
  const { status, headers: received } = result.received;
  return { ok: true, status, headers: received, body: result };
}
