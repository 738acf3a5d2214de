import createClient, { type ParamsOption } from "openapi-fetch";
import type { JsonObject } from "../wire/json.ts";
import { isUuid } from "../wire/id.ts";
import { describeKnownNames } from "../wire/similar-name.ts";
import type { WrittenList } from "./contract-check.ts";
import type { Core } from "./core.ts";
import { InvalidRequestError, type Issue, requestIdOf, WriteError } from "./errors.ts";
import { checkHeaders } from "./headers.ts";
import { type CallOptions, checkCallOptions, resolveLimits } from "./options.ts";
import { unexpected } from "./read.ts";
import type { CallRequest } from "./request.ts";
import type { ReadResponse, Sent } from "./response.ts";
import { toPlatformHeaders } from "./response-headers.ts";
import { send } from "./send.ts";
import { parseWith, type Shape } from "./shape.ts";

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

// the properties instead of a name, which the declarations of a consumer could not import
type Json<Response> = Response extends { content: { "application/json": infer Content } }
  ? { [Name in keyof Content]: Content[Name] }
  : undefined;

/** What the methods of the resources add to the options of openapi-fetch. */
export interface CallInit {
  readonly call?: {
    readonly options?: CallOptions | undefined;
    /** Parses the body before it is checked and sent. */
    readonly bodyShape?: Shape | undefined;
    /** Compares the elements of the response with those that were sent. */
    readonly written?: WrittenList | undefined;
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
interface PlainRequest {
  readonly url: string;
  readonly body: string | undefined;
  readonly sent: Omit<CallRequest, "target" | "body">;
}

type Build = (method: string, route: string, init: object) => Promise<unknown>;

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

/** Creates the typed client of an API: openapi-fetch builds each request, `send` sends it. */
export function createHttp<Paths extends object>(core: Core): Http<Paths> {
  const client = createClient<Paths>({
    baseUrl: "",
    Request: createRequest as unknown as typeof Request, // openapi-fetch only calls it with `new`
    async fetch(request) {
      const { sent, url, body } = request as unknown as PlainRequest;
      const { received, details, json } = await send(core, { ...sent, target: url, body });
      const { status, headers } = received;
      let platformHeaders: Headers | undefined;
      const response: ReadResponse = {
        ok: true,
        status,
        get headers() {
          return (platformHeaders ??= toPlatformHeaders(headers));
        },
        url: received.url,
        parsed: () => json,
        requestId: () => requestIdOf(headers, core.redactor.redact),
        unexpected: (summary, issues) => unexpected(core, received, details, summary, issues),
      };
      return response as unknown as Response; // the part that openapi-fetch reads
    },
    bodySerializer: String, // the body was serialized to be checked
  });
  const build = client.request as Build;
  const entries = methods.map((method) => [method, sendChecked.bind(undefined, core, build, method)]);
  return Object.fromEntries(entries) as Http<Paths>; // its five methods
}

function createRequest(url: string, init: Omit<PlainRequest, "url">): PlainRequest {
  return { ...init, url };
}

/** Checks a request against the contract and sends it. Rejects, before anything is sent, with every issue. */
async function sendChecked(
  core: Core,
  build: Build,
  method: string,
  route: string,
  init: AnyInit = {},
): Promise<unknown> {
  const label = `${method} ${route}`;
  const operation = core.operations.get(label);
  if (operation === undefined) {
    // the types allow no other route
    const message = `is not in the contract${describeKnownNames(label, [...core.operations.keys()])}`;
    throw new InvalidRequestError(label, [{ path: "route", message }]);
  }
  const { params = {}, call = {} } = init;
  const { options = {}, cancel } = call;
  if (call.options !== undefined) checkCallOptions(call.options);
  const path = (params.path ?? {}) as JsonObject; // its IDs are checked
  const issues = findPathIssues(route, path, operation);
  const given = params.query;
  const hasQuery = given !== undefined && Object.values(given).some((value) => value !== undefined);
  const hasBody = method.startsWith("P") || init.body !== undefined;
  let query = "";
  let body: string | undefined;
  const check = hasQuery || hasBody ? await core.loadCheck() : undefined;
  if (check !== undefined && hasQuery)
    query = check.serializeQuery(operation, core.parameterNames, given as JsonObject, issues);
  const shaped = call.bodyShape && (await parseWith(call.bodyShape, init.body));
  if (shaped?.issues !== undefined) issues.push(...shaped.issues);
  else if (check !== undefined && hasBody)
    body = check.serializeBody(operation, shaped === undefined ? init.body : shaped.value, issues);
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
  const more = init.headers ?? options.headers;
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  if (params.header) Object.assign(headers, checkHeaders(params.header as Record<string, string>));
  if (more) Object.assign(headers, checkHeaders(more));
  const signals: AbortSignal[] = [];
  const signal = options.signal ?? init.signal;
  if (signal !== undefined) signals.push(signal);
  if (cancel !== undefined) signals.push(cancel);
  const sent: PlainRequest["sent"] = {
    operation,
    path,
    headers,
    limits: call.options === undefined ? core.limits : resolveLimits(options, core.limits),
    mayRepeat:
      method === "GET" || (operation.retry === "idempotent" && core.mayRepeat(operation.id, path, init.body)),
    signals,
  };
  const querySerializer = query === "" ? {} : { querySerializer: () => query };
  // the body was parsed within the attempt; openapi-fetch would parse it again for `json`
  const request = { params: { path }, ...querySerializer, body, sent, parseAs: "parsed" };
  const result = await build(method, route, request);
  const { data } = result as Sent<unknown>; // `send` returns nothing else
  const unwritten = call.written && check?.findUnwritten(call.written, init.body, data);
  if (unwritten !== undefined && unwritten.length > 0)
    throw new WriteError(label, "differs", "was sent, and the service returned other values", unwritten);
  return result;
}

/** Returns what is wrong with the IDs of a path. URL parsers remove dot segments, so the path would be another one. */
function findPathIssues(route: string, path: JsonObject, operation: CallRequest["operation"]): Issue[] {
  const issues: Issue[] = [];
  for (let start = route.indexOf("{"); start >= 0; start = route.indexOf("{", start + 1)) {
    const name = route.slice(start + 1, route.indexOf("}", start));
    const id = path[name];
    let message: string | undefined;
    if (typeof id !== "string" || !id.isWellFormed()) message = "must be a well-formed string";
    else if (id === "" || id === "." || id === "..") message = "must not be empty, `.` or `..`";
    else if (operation.formats?.[name] === "uuid" && !isUuid(id)) message = "must be a UUID";
    if (message !== undefined) issues.push({ path: name, message });
  }
  return issues;
}
