import type { ApiDefinition, HandlerInput } from "./api.ts";
import { type ApiResponse, applyFault, OUTSIDE_HEADER, serialize } from "../http/api-response.ts";
import { type FaultKind, isExecuted } from "../http/faults.ts";
import { handlerOf, NO_ISSUES, type OperationCall, validateRequest } from "./request-validation.ts";
import { executeWrite } from "./other-writes.ts";
import type { AppliedOverride } from "../testing/overrides.ts";
import { validateForced } from "../testing/operation-override.ts";
import type { ForcedResponse, PagingFault, ResponseChange } from "../testing/rule.ts";
import { hasTooManyParameters, parseQuery, splitTarget } from "../http/query.ts";
import { unknownSecrets } from "../http/redaction.ts";
import type { CoreResponse, CoreRequest } from "../http/request.ts";
import { bodyValue, headersOf, requestView } from "../http/request-view.ts";
import type { Match } from "../../wire/routes.ts";
import type { Mount, Server } from "./server.ts";

/** Mounts an API at a base URL. */
export function mountApi<State, Context extends HandlerInput>(
  base: string,
  url: string,
  api: ApiDefinition<State, Context>,
): Mount<State> {
  return { base, url, handle: (server, request) => handleRequest(api, server, request) };
}

/** Returns the response to one request: routing, overrides, validation, handler, journal. */
function handleRequest(
  api: ApiDefinition<unknown, HandlerInput>,
  server: Server<unknown>,
  request: CoreRequest,
): CoreResponse {
  const [path, queryText] = splitTarget(request.target);
  const match = api.routes.match(path);
  const operation = match?.operations.get(request.method);
  if (match === undefined || operation === undefined) return respondUnrouted(api, server, request, match);
  const query = parseQuery(queryText);
  const isQueryTooLong = hasTooManyParameters(queryText);
  const call = { api, server, request, operation, params: match.params, query, isQueryTooLong };
  const override = takeOverride(call);
  if (override instanceof Error) return respondMatcherFailure(call, override);
  if (override !== undefined) return respondOverridden(call, override);
  const response = execute(call, undefined);
  const coreResponse = changedResponse(call, response, { isChanged: false });
  recordRequest(call, { coreResponse, response });
  return coreResponse;
}

/** The status after a failure of a test's function, or of this server. Clients repeat a 500, and would hide the failure. */
const FAILED = 501;

/** Returns the overrides of a request; an error if a function of a test failed. */
function takeOverride({
  server,
  request,
  operation,
  params,
  query,
}: OperationCall): AppliedOverride | Error | undefined {
  try {
    return server.overrides.take(operation, () => requestView(request, operation, params, query));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function respondMatcherFailure(call: OperationCall, { message }: Error): CoreResponse {
  const { api, server, operation } = call;
  const reason = `A matcher of on("${operation}") failed: ${message}`;
  const response = { ...api.errors.serverError(reason, server.readings), status: FAILED };
  const coreResponse = serialize(response);
  recordRequest(call, { coreResponse, response });
  return coreResponse;
}

/** Responds to a path or a method that no contract describes: a header says so. */
function respondUnrouted(
  { errors }: ApiDefinition<unknown, HandlerInput>,
  server: Server<unknown>,
  request: CoreRequest,
  match: Match<string> | undefined,
): CoreResponse {
  const response = match === undefined ? errors.unknownPath(server.readings) : errors.method(server.readings);
  const headers: Record<string, string> = { [OUTSIDE_HEADER]: match === undefined ? "path" : "method" };
  if (match !== undefined) headers.allow = [...match.operations.keys()].join(", ");
  const message =
    match === undefined ? "no operation has this path" : `the path supports only ${headers.allow}`;
  const marked = { ...response, headers, violations: [{ path: "", message }] };
  const serialized = serialize(marked);
  const coreResponse = request.method === "HEAD" ? { ...serialized, body: null } : serialized;
  recordRequest({ server, request, operation: null, params: {} }, { coreResponse, response: marked });
  return coreResponse;
}

function execute(call: OperationCall, paging: PagingFault | undefined): ApiResponse {
  try {
    const result = validateRequest(call, { paging, isCounted: true });
    if ("refusal" in result) return { ...result.refusal, violations: result.violations };
    const response = handlerOf(call).run(result.context);
    if (call.request.method !== "GET" && response.status < 300) noteWrite(call);
    if (result.violations.length === 0) return response;
    return { ...response, violations: [...result.violations, ...(response.violations ?? NO_ISSUES)] };
  } catch (error) {
    return respondFailure(call, error);
  }
}

function noteWrite({ server, request }: OperationCall): void {
  server.written = new Set([...server.written, request.base]);
}

function respondFailure({ api, server }: OperationCall, error: unknown): ApiResponse {
  const reason = `The reference server failed: ${String(error)}`;
  return { ...api.errors.serverError(reason, server.readings), status: FAILED };
}

/** Serializes a response; a state that a test changed may contain values that are not JSON. */
function serializeSafely(call: OperationCall, response: ApiResponse): CoreResponse {
  try {
    return serialize(response);
  } catch (error) {
    return serialize(respondFailure(call, error));
  }
}

function respondOverridden(call: OperationCall, override: AppliedOverride): CoreResponse {
  const { ids, delay, fault, response: forced, paging, changes } = override;
  const isSkipped = fault !== undefined && !isExecuted(fault, call.request.method);
  const isForcedFirst = replacesResponse(forced) && override.isExecuted !== true;
  const own = isSkipped || isForcedFirst ? validateOnly(call) : execute(call, paging);
  const response = executeWrites(call, override, own);
  const final = forced === undefined ? response : applyForced(call, response, forced);
  const isChanged = forced !== undefined || paging !== undefined;
  const whole = changedResponse(call, final, { changes, isChanged });
  const coreResponse = { ...(fault === undefined ? whole : applyFault(whole, fault)), delay };
  recordRequest(call, { coreResponse, response: final, fault: fault?.kind, overrides: ids });
  return coreResponse;
}

/** Executes the requests of other writers; returns 500 if the API rejects one of them. */
function executeWrites(call: OperationCall, { writes }: AppliedOverride, response: ApiResponse): ApiResponse {
  try {
    for (const write of writes) executeWrite(call, write);
    if (writes.length > 0) noteWrite(call);
    return response;
  } catch (error) {
    return respondFailure(call, error);
  }
}

/** Returns a response after the change of the options and those of overrides. */
function changedResponse(
  call: OperationCall,
  response: ApiResponse,
  { changes = [], isChanged }: { changes?: readonly ResponseChange[]; isChanged: boolean },
): CoreResponse {
  const { change, written } = call.server;
  const all = change === undefined ? changes : [change, ...changes];
  const isOther = isChanged || written.has(call.request.base);
  return all.reduce((sent, one) => applyChange(call, sent, one, isOther), serializeSafely(call, response));
}

function applyChange(
  call: OperationCall,
  sent: CoreResponse,
  change: ResponseChange,
  isChanged: boolean,
): CoreResponse {
  const { status, headers, body } = sent;
  const { request, operation, params, query } = call;
  const view = requestView(request, operation, params, query);
  try {
    const changed = change(
      { status, headers, body: body === null ? undefined : bodyValue(body) },
      view,
      isChanged,
    );
    return changed === undefined ? sent : serialize({ status, body: undefined, ...validateForced(changed) });
  } catch (error) {
    return serialize(respondFailure(call, error));
  }
}

/** Whether a forced response replaces the body of the API: 2xx without a body keeps it. */
function replacesResponse(forced: ForcedResponse | undefined): boolean {
  return forced !== undefined && (forced.body !== undefined || (forced.status ?? 200) >= 300);
}

/** Validates a request without executing it, for the journal. */
function validateOnly(call: OperationCall): ApiResponse {
  try {
    return { status: 200, body: {}, violations: validateRequest(call, { isCounted: false }).violations };
  } catch {
    return { status: 200, body: {} };
  }
}

function applyForced(
  { api, server, request, operation }: OperationCall,
  response: ApiResponse,
  forced: ForcedResponse,
): ApiResponse {
  const headers = { ...response.headers, ...forced.headers };
  if (!replacesResponse(forced)) {
    const status = response.status < 300 ? (forced.status ?? response.status) : response.status;
    return { ...response, status, headers };
  }
  const { status = 200 } = forced;
  const {
    body = api.forcedBody?.(server, request, operation, status) ??
      api.errors.documentedBody(status, server.readings),
  } = forced;
  return { ...response, status, body, headers };
}

/** `operation` is null for a path or a method that no contract describes. */
interface RecordedCall extends Pick<OperationCall, "server" | "request" | "params"> {
  readonly operation: string | null;
}

interface RecordedResponse {
  readonly coreResponse: CoreResponse;
  readonly response: ApiResponse;
  readonly fault?: FaultKind | undefined;
  readonly overrides?: readonly number[];
}

function recordRequest(
  { server, request, operation, params }: RecordedCall,
  { coreResponse, response, fault, overrides }: RecordedResponse,
): void {
  const sentHeaders = headersOf(request);
  const { status, headers, body } = coreResponse;
  server.journal.add({
    operation,
    base: request.base,
    method: request.method,
    target: request.target,
    params,
    headers: sentHeaders,
    body: request.body,
    presented: unknownSecrets(sentHeaders, server.secrets),
    // adapters add their own headers
    response: isReplaced(fault) ? null : { status, headers: { ...headers }, body },
    at: server.clock.ms(),
    fault,
    overrides,
    issues: response.violations ?? NO_ISSUES,
  });
}

/** Whether the caller receives no complete head of a response. */
function isReplaced(fault: FaultKind | undefined): boolean {
  return fault === "reset" || fault === "close" || fault === "stall";
}
