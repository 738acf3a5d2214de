import { objectOf } from "../../wire/json.ts";
import { fleetApi } from "../fleet/api.ts";
import { storeApi } from "../store/api.ts";
import {
  type FaultKind,
  type FaultPlace,
  type ForcedResponse,
  parseResponse,
  type ResponseChange,
} from "../testing/effects.ts";
import { type AppliedOverride, NO_OVERRIDE, type Overrides } from "../testing/overrides.ts";
import type { Journal } from "../testing/journal.ts";
import type { Api, Call, Handler, ServerParts } from "./call.ts";
import {
  type Base,
  BODY_LIMIT,
  bodyValue,
  type CoreRequest,
  type CoreResponse,
  exceedsLimit,
  type Issue,
  ok,
  parseBody,
  parseQuery,
  Refusal,
  type Reply,
  type RoutedRequest,
  serialize,
  splitTarget,
  viewOf,
} from "./exchange.ts";
import type { Match, OperationId } from "./operations.ts";
import { bearerToken } from "./credentials.ts";
import type { RateLimiter } from "./limiter.ts";
import type { Is } from "./options.ts";
import { checkSchema, MAX_ISSUES, type RequestSchemas } from "./schemas.ts";
import type { Data } from "./state.ts";

/** What handling a request uses of the server. */
interface HandlingServer extends ServerParts {
  readonly is: Is;
  readonly data: Data;
  readonly isStrict: boolean;
  readonly overrides: Overrides;
  readonly journal: Journal;
  readonly limiter: RateLimiter;
}

/** A request while it is handled. */
interface HandledCall extends Call {
  readonly server: HandlingServer;
}

const apis: Readonly<Record<Base, Api>> = { store: storeApi, fleet: fleetApi, sandbox: fleetApi };

/** The status after a failure of a test's function, or of this server. Clients repeat a 500, and would hide the failure. */
const FAILED = 501;

/** Returns the response to a request; that to a HEAD is the one to a GET without its body. */
export function handle(server: HandlingServer, request: CoreRequest): CoreResponse {
  const response = respond(server, request);
  if (request.method !== "HEAD") return response;
  const length = String(new TextEncoder().encode(response.body ?? "").length);
  return { ...response, headers: { "content-length": length, ...response.headers }, body: null };
}

/** Returns the response to a request: route, overrides, credential, validation, operation, journal. */
function respond(server: HandlingServer, request: CoreRequest): CoreResponse {
  const { base, method, target } = request;
  const api = apis[base];
  const [path, queryText] = splitTarget(target);
  const match = api.routes.match(path);
  const operation = match?.operations.get(method === "HEAD" ? "GET" : method);
  if (match === undefined || operation === undefined) return respondUnrouted(server, request, match);
  const call: HandledCall = {
    server,
    request,
    operation,
    params: match.params,
    is: server.is,
    store: server.data.store,
    fleet: base === "sandbox" ? server.data.sandbox : server.data.fleet,
    paging: undefined,
    sentQuery: parseQuery(queryText),
    query: {},
    body: undefined,
    violations: [],
  };
  try {
    return respondTo(
      api,
      call,
      server.overrides.take(operation, () => viewOf(call)),
    );
  } catch (error) {
    // a function of a test, or a state with values that are not JSON
    const message = `The reference server failed: ${String(error)}`;
    return record(call, serialize(errorReply(api, call, new Refusal(FAILED, { message }))));
  }
}

function respondTo(api: Api, call: HandledCall, override: AppliedOverride): CoreResponse {
  const { delay, forced = {}, changes } = override;
  const { response, fault, at = "before" } = forced;
  call.paging = override.paging;
  // a slow response is a whole one
  const isWhole = fault === "slow" || call.request.method === "GET" || call.request.method === "HEAD";
  const isReplaced = response !== undefined && replacesBody(response);
  const isExecuted = fault === undefined ? !isReplaced || at === "after" : isWhole || at !== "before";
  const own = execute(api, call, isExecuted);
  const reply = response === undefined ? own : applyForced(api, call, own, response);
  const changed = applyChanges(api, call, serialize(reply), changes);
  const sent = fault === undefined ? changed : applyFault(changed, fault, at, forced.bytesPerSecond);
  return record(call, { ...sent, delay }, override);
}

const PATH_HINT =
  "Check the base URL, a slash at the end, and that each ID is encoded with encodeURIComponent";

/** Responds to a path or a method that no contract describes. */
function respondUnrouted(
  server: HandlingServer,
  request: CoreRequest,
  match: Match<OperationId> | undefined,
): CoreResponse {
  const api = apis[request.base];
  const isStore = request.base === "store";
  // gap errors.other-statuses: the store contract has no 405
  const status = match === undefined || isStore ? 404 : 405;
  const allowed = [...(match?.operations.keys() ?? [])].join(", ");
  const message =
    match === undefined
      ? `No operation of the ${isStore ? "store" : "fleet"} API has this path. ${PATH_HINT}`
      : `This path supports only ${allowed}, not ${request.method}`;
  const headers = match && { allow: allowed };
  const violations = [{ path: "", message }];
  const reply = errorReply(api, server, new Refusal(status, { message }, headers));
  return record({ server, request, operation: null, params: {}, violations }, serialize(reply));
}

/** Throws a refusal in the order of the contract: 503, 401, 403, then 429, 413, then 404 and 400. */
function validate(api: Api, call: HandledCall, isCounted: boolean): void {
  const { server, request, operation, is } = call;
  api.authorize(call);
  if (isCounted && is(api.limitGap, "too-many-requests"))
    server.limiter.acquire(bearerToken(request.headers?.authorization) ?? "");
  const { body } = api.schemas[operation] ?? {};
  const isTooLarge = request.tooLarge === true || exceedsLimit(request.body ?? "");
  if (body !== undefined && isTooLarge) {
    const issues = [{ path: "", message: `must have at most ${BODY_LIMIT} bytes` }];
    throw new Refusal(413, { message: "The body is too large", issues });
  }
  validateContent(api, call);
}

/** Checks query, body and headers with the schemas of the operation. Throws a 404 or a 400. */
function validateContent(api: Api, call: HandledCall): void {
  const { server, request, sentQuery, operation } = call;
  const schemas = api.schemas[operation] ?? {};
  const query = checkSchema(schemas.query, api.queryOf?.(call) ?? sentQuery);
  const parsed = schemas.body === undefined ? {} : parseBody(request);
  call.query = objectOf(query.value);
  call.body = parsed.value;
  const ofBody = parsed.issue === undefined ? checkSchema(schemas.body, parsed.value).issues : [parsed.issue];
  const { rejected, tolerated: found } = api.findIssues(call);
  const ofNames = [...unusedBody(schemas, request), ...ofBody.filter(isUnknownName)];
  const tolerated = [...found, ...ofNames].slice(0, MAX_ISSUES);
  const ofQuery = query.issues.map((issue) =>
    // an array is the value of a parameter that was given several times
    Array.isArray(sentQuery[issue.path]) ? { ...issue, message: "must be given once" } : issue,
  );
  const ofValues = ofBody.filter((issue) => !isUnknownName(issue));
  const strict = server.isStrict ? tolerated : [];
  const issues = [...rejected, ...ofQuery, ...ofValues, ...strict].slice(0, MAX_ISSUES);
  call.violations = server.isStrict ? [] : tolerated;
  try {
    handlerOf(api, operation).find?.(call);
  } catch (error) {
    call.violations = [...issues, ...call.violations];
    throw error;
  }
  if (issues.length > 0) throw new Refusal(400, { issues });
}

/** Returns an issue for a body of an operation that has none. */
function unusedBody(schemas: RequestSchemas, { body = "", notUtf8, tooLarge }: CoreRequest): Issue[] {
  const isUnused = schemas.body === undefined && (body !== "" || notUtf8 === true || tooLarge === true);
  return isUnused ? [{ path: "", message: "must be left out: this operation has no body" }] : [];
}

/** Whether an issue is about a property that the contract does not have. gap requests.unknown-properties */
function isUnknownName({ code }: Issue): boolean {
  return code === "unrecognized_keys";
}

function handlerOf(api: Api, operation: string): Handler {
  return api.handlers[operation] as Handler; // each operation has one, for its own kind of call
}

/** Executes a request, or only validates it for the journal; a refusal is its response. */
function execute(api: Api, call: HandledCall, isExecuted: boolean): Reply {
  try {
    validate(api, call, isExecuted);
    return isExecuted ? handlerOf(api, call.operation).run(call) : ok({});
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    call.violations = [...(error.parts.issues ?? []), ...call.violations];
    return isExecuted ? errorReply(api, call, error) : ok({});
  }
}

function errorReply(api: Api, { is }: Pick<Call, "is">, { status, parts, headers }: Refusal): Reply {
  const given = status === 401 ? { "www-authenticate": "Bearer" } : headers;
  return { status, body: api.errorBody(status, parts, is), headers: given };
}

/** Whether a forced response replaces the body of the API: 2xx without a body keeps it. */
function replacesBody({ body, status = 200 }: ForcedResponse): boolean {
  return body !== undefined || status >= 300;
}

function applyForced(api: Api, call: HandledCall, reply: Reply, forced: ForcedResponse): Reply {
  const headers = { ...reply.headers, ...forced.headers };
  if (!replacesBody(forced)) {
    const status = reply.status < 300 ? (forced.status ?? reply.status) : reply.status;
    return { ...reply, status, headers };
  }
  const { status = 200 } = forced;
  const details = forced.body === undefined ? api.forcedDetails?.(status, call) : undefined;
  const body = forced.body === undefined ? api.errorBody(status, { details }, call.is) : forced.body;
  return { status, body, headers };
}

/** Applies the changes of overrides. A changed response without a body has one as a forced response has it. */
function applyChanges(
  api: Api,
  call: HandledCall,
  response: CoreResponse,
  changes: readonly ResponseChange[],
): CoreResponse {
  return changes.reduce((sent, change) => {
    const before = { status: sent.status, headers: sent.headers, body: bodyValue(sent.body) };
    const changed = change(before, viewOf(call));
    if (changed === undefined) return sent;
    const reply = parseResponse(changed, before.status);
    const { body } = replacesBody(reply) ? applyForced(api, call, before, reply) : before;
    return serialize({ ...reply, body });
  }, response);
}

/** JSON that is cut off. */
const MALFORMED = '{"items":[{"id":';

/** The response of a proxy in front of the server. */
const HTML =
  "<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>";

/** Applies a fault to a response; the adapter applies the rest. */
function applyFault(
  response: CoreResponse,
  kind: FaultKind,
  at: FaultPlace,
  bytesPerSecond = 100,
): CoreResponse {
  if (kind === "malformed") return { ...serialize(ok({})), body: MALFORMED };
  if (kind === "html") return serialize({ ...ok(HTML), headers: { "content-type": "text/html" } });
  const isBody = kind === "stall" ? at === "body" : at !== "head";
  return { ...response, fault: { kind, at: isBody ? "body" : "head", bytesPerSecond } };
}

/** A request to record. `operation` is null for an unknown path or method. */
interface Recorded extends RoutedRequest<OperationId | null>, Pick<HandledCall, "server" | "violations"> {}

/** Adds a request to the journal, and returns its response. */
function record(call: Recorded, response: CoreResponse, override = NO_OVERRIDE): CoreResponse {
  const { server, request, operation, params, violations } = call;
  const fault = override.forced?.fault;
  // the caller receives no complete head of a response
  const isLost = fault === "reset" || fault === "close" || fault === "stall";
  server.journal.add({
    request: { ...request, headers: { ...request.headers } },
    operation,
    params,
    response: isLost ? null : { ...response, headers: { ...response.headers } },
    at: server.clock.ms(),
    fault,
    overrides: override.ids,
    issues: violations,
  });
  return { ...response, violations };
}
