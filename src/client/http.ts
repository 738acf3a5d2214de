import createClient, { type ParamsOption, type RequestBodyOption } from "openapi-fetch";
import type { JsonObject } from "../wire/json.ts";
import type { ContractCheck } from "./contract-check.ts";
import type { Core } from "./core.ts";
import { InvalidRequestError, WriteError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { type AnyInit, BuiltRequest, type CallArguments, type CallInit, readArguments } from "./request.ts";
import type { HttpResult, ReadResponse } from "./response.ts";
import { Sending } from "./send.ts";
import { serializeBody, serializePath, serializeQuery } from "./serialization.ts";

/**
 * The methods of openapi-fetch, typed by the contract. They are authenticated, limited and retried as the methods of the
 * client are, and throw the same errors.
 */
export type Http<Paths> = { [Method in (typeof methods)[number]]: Send<Paths, Lowercase<Method>> };

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

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

type Required<Operation> = ParamsOption<Operation> & RequestBodyOption<Operation>;
type Options<Operation> = Required<Operation> & CallInit & Pick<CallOptions, "signal" | "headers">;

type Body<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201 | 204)]: Json<Responses[Status]> }[keyof Responses &
      (200 | 201 | 204)]
  : never;

// the properties instead of a name, which the declarations of a consumer could not import
type Json<Response> = Response extends { content: { "application/json": infer Content } }
  ? { [Name in keyof Content]: Content[Name] }
  : undefined;

/** The request function of openapi-fetch, without its types. */
type Request = (method: string, route: string, init: object) => Promise<unknown>;

/** Creates the typed client of an API: openapi-fetch builds each request when it is called, `send` sends it. */
export function createHttp<Paths extends object>(core: Core): Http<Paths> {
  const client = createClient<Paths>({
    baseUrl: "", // each attempt has its base URL: that of a fleet client may depend on the key
    Request: BuiltRequest as unknown as typeof globalThis.Request, // openapi-fetch only calls it with `new`
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
    const message = `is not in the contract. Expected one of ${[...core.operations.keys()].join(", ")}`;
    throw new InvalidRequestError(label, [{ path: "route", message }]);
  }
  const given = readArguments(core, operation, init);
  const { path, query, headers, issues } = given;
  const parse = init.call?.parseBody;
  const body = parse === undefined ? init.body : await parse(init.body, issues);
  let result: Promise<HttpResult<unknown>> | undefined;
  const fetch = (built: BuiltRequest): Promise<Response> => {
    result = sendChecked(core, given, built);
    return result.then(({ response }) => headOf(response));
  };
  try {
    await request(operation.method, operation.path, {
      params: { path, query },
      headers,
      body,
      pathSerializer: () => serializePath(operation, path, issues),
      querySerializer: (values: JsonObject) =>
        serializeQuery(values, core.queries[operation.id] ?? {}, core.parameterNames, issues),
      bodySerializer: (value: unknown) => serializeBody(value, issues),
      fetch,
      parseAs: "stream", // the body was read within the attempt
    });
  } catch (error) {
    if (result === undefined) throw error;
  }
  // openapi-fetch takes the reason of an abort that is null, 0, false or an empty string for no error
  return result as Promise<HttpResult<unknown>>; // it has called `fetch`
}

/** Checks a request against the contract and sends it. Rejects, before anything is sent, with every issue. */
async function sendChecked(
  core: Core,
  given: CallArguments,
  built: BuiltRequest,
): Promise<HttpResult<unknown>> {
  const { operation, path, issues, written } = given;
  const { method, id } = operation;
  const { body } = built.init;
  const json: unknown = body === undefined ? undefined : JSON.parse(body);
  let check: ContractCheck | undefined;
  if (issues.length === 0 && method.startsWith("P")) {
    check = await core.loadCheck();
    issues.push(...check.checkBody(operation, json));
  }
  const label = `${method} ${operation.path}`;
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
  const isIdempotent = operation.retry === "idempotent" && core.mayRepeat(id, path, json);
  const result = await new Sending(core, given, built, method === "GET" || isIdempotent).run();
  const unwritten = written && check?.findUnwritten(written, json, result.data);
  if (unwritten !== undefined && unwritten.length > 0)
    throw new WriteError(label, "differs", "was sent, and the service returned other values", unwritten);
  return result;
}

/** The responses that `headOf` returns, by their status. A new one for each call would cost a tenth of it. */
const heads = new Map<number, Response>();

/**
 * Returns the response for openapi-fetch: one of the platform with the status, and without a body, which was read within the
 * attempt. In jsdom, which has no `Response`, it is that of the caller.
 */
function headOf(response: ReadResponse): Response {
  if (typeof Response !== "function") return response as unknown as Response;
  const { status } = response;
  const head = heads.get(status) ?? new Response(null, { status });
  heads.set(status, head);
  return head;
}
