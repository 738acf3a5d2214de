import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import { bearerToken } from "./secret-headers.ts";
import { objectOf } from "../../wire/json.ts";
import { Routes } from "./routes.ts";
import { messageOf } from "../../wire/thrown.ts";
import { fleetApi } from "../fleet/api.ts";
import { storeApi } from "../store/api.ts";
import {
  type Fault,
  type FaultKind,
  type ForcedResponse,
  type OtherWrite,
  parseResponse,
  type ResponseChange,
} from "../testing/effects.ts";
import type { AppliedOverride } from "../testing/overrides.ts";
import type { Api, Call, Handler } from "./call.ts";
import {
  BODY_LIMIT,
  bodyValue,
  type CoreRequest,
  type CoreResponse,
  exceedsLimit,
  headersOf,
  type Issue,
  joinHeaders,
  OUTSIDE_HEADER,
  ok,
  parseBody,
  parseQuery,
  Refusal,
  type Reply,
  serialize,
  splitTarget,
  transmittedText,
  type UncheckedQuery,
} from "./exchange.ts";
import { type OperationId, operations, type ReferenceRequest } from "./operations.ts";
import { checkSchema, MAX_ISSUES } from "./schemas.ts";
import type { Server } from "./server.ts";

const routes = {
  store: new Routes<OperationId>(storeOperations as never), // the operations of one API
  fleet: new Routes<OperationId>(fleetOperations as never), // as above
};

/** The status after a failure of a test's function, or of this server. Clients repeat a 500, and would hide the failure. */
const FAILED = 501;

/** Returns the response to a request; that to a HEAD is the one to a GET without its body. */
export function handle(server: Server, request: CoreRequest): CoreResponse {
  const response = respond(server, request);
  if (request.method !== "HEAD") return response;
  const length = String(new TextEncoder().encode(response.body ?? "").length);
  return { ...response, headers: { "content-length": length, ...response.headers }, body: null };
}

/** Returns the response to a request: route, overrides, credential, validation, operation, journal. */
function respond(server: Server, given: CoreRequest): CoreResponse {
  const { base, body, method, target } = given;
  if (base !== "store" && base !== "fleet" && base !== "sandbox")
    throw new Error(`Unknown base "${String(base)}". Expected one of store, fleet, sandbox`);
  const request = body === undefined ? given : { ...given, body: transmittedText(body) };
  const api = base === "store" ? storeApi : fleetApi;
  const [path, queryText] = splitTarget(target);
  const ofBase = base === "store" ? routes.store : routes.fleet;
  const match = ofBase.match(path);
  const operation = match?.operations.get(method === "HEAD" ? "GET" : method);
  if (match === undefined || operation === undefined) {
    const isSlash = path.endsWith("/") && ofBase.match(path.slice(0, -1)) !== undefined;
    return respondUnrouted(api, server, request, match && [...match.operations.keys()], isSlash);
  }
  const call = newCall(server, request, operation, match.params, parseQuery(queryText));
  let override: AppliedOverride | undefined;
  try {
    const isList = operations[operation]?.list !== undefined;
    override = server.overrides.take(operation, isList, () => viewOf(call));
  } catch (error) {
    const reply = failed(api, call, `A matcher of on("${operation}") failed: ${messageOf(error)}`);
    return record(server, call, serialize(reply), []);
  }
  if (override !== undefined) return respondOverridden(api, { ...call, paging: override.paging }, override);
  return record(server, call, change(api, call, execute(api, call), []), call.violations);
}

function newCall(
  server: Server,
  request: CoreRequest,
  operation: OperationId,
  params: Call["params"],
  sentQuery: UncheckedQuery,
): Call {
  const { is, store, fleet, sandbox } = server;
  return {
    server,
    request,
    operation,
    params,
    is,
    store,
    fleet: request.base === "sandbox" ? sandbox : fleet,
    paging: undefined,
    sentQuery,
    query: {},
    body: undefined,
    violations: [],
  };
}

/** Returns the view of a request for functions of a test; headers and body are read when they are needed. */
function viewOf({ request, operation, params, sentQuery }: Call): ReferenceRequest {
  let headers: Readonly<Record<string, string>> | undefined;
  let body: { value: unknown } | undefined;
  return {
    operation,
    base: request.base,
    method: request.method,
    path: params,
    query: sentQuery,
    get headers() {
      return (headers ??= joinHeaders(headersOf(request)));
    },
    get body() {
      return (body ??= { value: bodyValue(request.body) }).value;
    },
  };
}

/** Responds to a path or a method that no contract describes: a header says so. */
function respondUnrouted(
  api: Api,
  server: Server,
  request: CoreRequest,
  allowed: readonly string[] | undefined,
  isSlash: boolean,
): CoreResponse {
  const name = request.base === "store" ? "store" : "fleet";
  const begin = isSlash
    ? ": one has it without the slash at its end"
    : name === "store"
      ? ": its paths begin with /v1/"
      : "";
  const [reply, message, marker] =
    allowed === undefined
      ? [
          api.failure(404, `No operation of the ${name} API has this path${begin}`, server.is),
          "no operation has this path",
          "path",
        ]
      : [
          api.failure(405, "The path does not support this method", server.is),
          `the path supports only ${allowed.join(", ")}`,
          "method",
        ];
  const headers = { [OUTSIDE_HEADER]: marker, ...(allowed && { allow: allowed.join(", ") }) };
  const response = serialize({ ...reply, headers });
  return record(server, { request, operation: null, params: {} }, response, [{ path: "", message }]);
}

interface Validation {
  /** Whether the request counts for the rate limit. */
  readonly isCounted: boolean;
  /** Whether the request needs no token or key. */
  readonly isTrusted?: boolean;
}

/** Validates a request in the order of the contract: 503, 401, 403, then 429, 413, then 404 and 400. Throws a refusal. */
function validate(api: Api, call: Call, { isCounted, isTrusted = false }: Validation): void {
  const { server, request, operation, is } = call;
  if (!isTrusted) api.authorize(call);
  const headers =
    isCounted && api.isRateLimited(is)
      ? server.limiter.acquire(bearerToken(request.authorization) ?? "")
      : undefined;
  if (headers !== undefined) throw new Refusal({ ...api.failure(429, "Too many requests", is), headers });
  const schemas = api.schemas(operation, is);
  if (schemas.body !== undefined) assertBodySize(api, call);
  const query = checkSchema(schemas.query, api.normalizeQuery(call));
  const parsed = schemas.body === undefined ? {} : parseBody(request);
  call.query = objectOf(query.value);
  call.body = parsed.value;
  const header = api.findHeaderIssues(call);
  const unknown = api.findUnknownInput(call);
  const tolerated = [...header.tolerated, ...unknown.tolerated, ...api.findMissingReferences(call)];
  const found = [
    ...header.rejected,
    ...query.issues.map((issue) =>
      // an array is the value of a parameter that was given several times
      Array.isArray(call.sentQuery[issue.path]) ? { ...issue, message: "must be given once" } : issue,
    ),
    ...(parsed.issue === undefined ? checkSchema(schemas.body, parsed.value).issues : [parsed.issue]),
    ...unknown.rejected,
    ...(server.isStrict ? tolerated : []),
  ];
  const handler = handlerOf(api, operation);
  const issues = (found.length > 0 ? found : (handler.check?.(call) ?? [])).slice(0, MAX_ISSUES);
  call.violations = server.isStrict ? issues : [...issues, ...tolerated];
  if (issues.length > 0 && !api.isNotFoundFirst(is)) throw new Refusal(api.invalid(issues, is));
  handler.find?.(call);
  if (issues.length > 0) throw new Refusal(api.invalid(issues, is));
}

/** gap limits.body-size */
function assertBodySize(api: Api, { request, is }: Call): void {
  if (is("limits.body-size", "unlimited")) return;
  if (request.tooLarge !== true && (request.body === undefined || !exceedsLimit(request.body))) return;
  const reply = api.failure(413, "The body is too large", is);
  const issue = { path: "", message: `must have at most ${BODY_LIMIT} bytes` };
  throw new Refusal({ ...reply, headers: { [OUTSIDE_HEADER]: "body-size" } }, [issue]);
}

function handlerOf(api: Api, operation: string): Handler {
  return api.handlers[operation] as Handler; // each operation has one, for its own kind of call
}

/** Executes a request; a refusal is its response. */
function execute(api: Api, call: Call): Reply {
  try {
    validate(api, call, { isCounted: true });
    return handlerOf(api, call.operation).run(call);
  } catch (error) {
    if (!(error instanceof Refusal))
      return failed(api, call, `The reference server failed: ${String(error)}`);
    call.violations = [...call.violations, ...error.issues];
    return error.reply;
  }
}

function failed(api: Api, { is }: Call, reason: string): Reply {
  return { ...api.failure(500, reason, is), status: FAILED };
}

function respondOverridden(api: Api, call: Call, override: AppliedOverride): CoreResponse {
  const { ids, delay, fault, response: forced, changes, writes } = override;
  const isSkipped =
    fault !== undefined && !isRead(call.request.method) && (fault.at ?? "before") === "before";
  const isReplaced = forced !== undefined && replacesBody(forced);
  const isExecuted = !isSkipped && (!isReplaced || override.isExecuted === true);
  const own = isExecuted ? execute(api, call) : validateOnly(api, call);
  const written = executeWrites(api, call, writes) ?? own;
  const reply = forced === undefined ? written : applyForced(api, call, written, forced);
  const whole = change(api, call, reply, changes);
  const response = { ...(fault === undefined ? whole : applyFault(whole, fault)), delay };
  return record(call.server, call, response, call.violations, fault?.kind, ids);
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Validates a request without executing it, for the journal. */
function validateOnly(api: Api, call: Call): Reply {
  try {
    validate(api, call, { isCounted: false });
  } catch (error) {
    if (error instanceof Refusal) call.violations = [...call.violations, ...error.issues];
  }
  return ok({});
}

/** Executes the requests of other writers; returns a failure if the API rejects one of them. */
function executeWrites(api: Api, call: Call, writes: readonly OtherWrite[]): Reply | undefined {
  try {
    for (const write of writes) executeWrite(api, call, write);
    return undefined;
  } catch (error) {
    return failed(api, call, `The reference server failed: ${String(error)}`);
  }
}

/** Executes a request of another writer. It needs no token, and is neither recorded nor overridden. */
function executeWrite(api: Api, { server, request }: Call, { method, path, body }: OtherWrite): void {
  const [pathname, queryText] = splitTarget(path);
  const match = (request.base === "store" ? routes.store : routes.fleet).match(pathname);
  const operation = match?.operations.get(method);
  if (match === undefined || operation === undefined)
    throw new Error(`write ${method} ${path}: the API has no such operation`);
  const sent: CoreRequest = { base: request.base, method, target: path, contentType: "application/json" };
  if (body !== undefined) sent.body = JSON.stringify(body);
  const other = newCall(server, sent, operation, match.params, parseQuery(queryText));
  try {
    validate(api, other, { isCounted: false, isTrusted: true });
    handlerOf(api, operation).run(other);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, body: refused } = error.reply;
    throw new Error(`write ${method} ${path}: ${status} ${JSON.stringify(refused)}`, { cause: error });
  }
}

/** Whether a forced response replaces the body of the API: 2xx without a body keeps it. */
function replacesBody({ body, status = 200 }: ForcedResponse): boolean {
  return body !== undefined || status >= 300;
}

function applyForced(api: Api, call: Call, reply: Reply, forced: ForcedResponse): Reply {
  const headers = { ...reply.headers, ...forced.headers };
  if (!replacesBody(forced)) {
    const status = reply.status < 300 ? (forced.status ?? reply.status) : reply.status;
    return { ...reply, status, headers };
  }
  const { status = 200, body = api.documentedBody(status, call) } = forced;
  return { status, body, headers };
}

/** Serializes a response after the change of the options and those of overrides. */
function change(api: Api, call: Call, reply: Reply, changes: readonly ResponseChange[]): CoreResponse {
  try {
    const all = call.server.change === undefined ? changes : [call.server.change, ...changes];
    return all.reduce((sent, one) => {
      const { status, headers, body } = sent;
      const changed = one({ status, headers, body: bodyValue(body) }, viewOf(call));
      if (changed === undefined) return sent;
      return serialize({ status, body: undefined, ...parseResponse(changed, "the changed response") });
    }, serialize(reply));
  } catch (error) {
    // a function of a test, or a state with values that are not JSON
    return serialize(failed(api, call, `The reference server failed: ${String(error)}`));
  }
}

/** JSON that is cut off. */
const MALFORMED = '{"items":[{"id":';

/** The response of a proxy in front of the server. */
const HTML =
  "<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>";

/** Applies a fault to a response; the adapter applies the rest. */
function applyFault(response: CoreResponse, { kind, at, bytesPerSecond }: Fault): CoreResponse {
  if (kind === "malformed") return { ...serialize(ok({})), body: MALFORMED };
  if (kind === "html") return serialize({ ...ok(HTML), headers: { "content-type": "text/html" } });
  if (kind === "slow")
    return { ...response, fault: { kind, at: "body", bytesPerSecond: bytesPerSecond ?? 1 } };
  const isBody = kind === "stall" ? at === "body" : at !== "head";
  return { ...response, fault: { kind, at: isBody ? "body" : "head" } };
}

/** Adds a request to the journal, and returns its response. `operation` is null for an unknown path or method. */
function record(
  server: Server,
  {
    request,
    operation,
    params,
  }: { request: CoreRequest; operation: OperationId | null; params: Call["params"] },
  response: CoreResponse,
  issues: readonly Issue[],
  fault?: FaultKind,
  overrides?: readonly number[],
): CoreResponse {
  const { base, method, target, body } = request;
  const { status, headers } = response;
  // the caller receives no complete head of a response
  const isLost = fault === "reset" || fault === "close" || fault === "stall";
  server.journal.add({
    operation,
    base,
    method,
    target,
    params,
    headers: headersOf(request),
    body,
    response: isLost ? null : { status, headers: { ...headers }, body: response.body }, // adapters add their own headers
    at: server.clock.ms(),
    fault,
    overrides,
    issues,
  });
  return response;
}
