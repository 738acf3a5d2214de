import type { Api } from "./api.ts";
import { type ApiResponse, OUTSIDE_HEADER } from "./api-response.ts";
import { type FaultKind, isExecuted } from "./faults.ts";
import type { Exchange } from "./handler.ts";
import { type OperationCall, handlerOf } from "./operation-call.ts";
import type { AppliedOverride, ForcedAnswer } from "./overrides.ts";
import type { PagingFault } from "./paging-fault.ts";
import { hasTooManyParameters, parseQuery, splitTarget } from "./query.ts";
import { bearerToken } from "./redaction.ts";
import type { CoreAnswer, CoreRequest } from "./request.ts";
import { NO_ISSUES, validateRequest } from "./request-validation.ts";
import type { Match } from "./routes.ts";
import { applyFault, serialize } from "./serialization.ts";
import type { Tenant } from "./tenant.ts";

/** Returns the response to one request: routing, overrides, validation, handler, journal. */
export function handleRequest<State, Context extends Exchange>(
  api: Api<State, Context>,
  tenant: Tenant<State>,
  request: CoreRequest,
): CoreAnswer {
  const [path, queryText] = splitTarget(request.target);
  const match = api.routes.match(path);
  const operation = match?.operations.get(request.method);
  if (match === undefined || operation === undefined) return respondUnrouted(api, tenant, request, match);
  const query = parseQuery(queryText);
  const isQueryTooLong = hasTooManyParameters(queryText);
  const call = { api, tenant, request, operation, params: match.params, query, isQueryTooLong };
  const override = tenant.overrides.take(operation);
  if (override !== undefined) return respondOverridden(call, override);
  const response = execute(call, undefined);
  const answer = serializeSafely(call, response);
  recordRequest(tenant, request, operation, { ...response, status: answer.status });
  return answer;
}

/** Returns 404 or 405, which no contract describes: a header says so. */
function respondUnrouted<State, Context extends Exchange>(
  { errors }: Api<State, Context>,
  tenant: Tenant<State>,
  request: CoreRequest,
  match: Match | undefined,
): CoreAnswer {
  const response = match === undefined ? errors.unknownPath(tenant.readings) : errors.method(tenant.readings);
  const headers: Record<string, string> = { [OUTSIDE_HEADER]: match === undefined ? "path" : "method" };
  if (match !== undefined) headers.allow = [...match.operations.keys()].join(", ");
  const message = match === undefined ? "no operation has this path" : `the path takes ${headers.allow}`;
  const marked = { ...response, headers, violations: [{ path: "", message }] };
  recordRequest(tenant, request, null, marked);
  const answer = serialize(marked);
  return request.method === "HEAD" ? { ...answer, body: null } : answer;
}

function execute<State, Context extends Exchange>(
  call: OperationCall<State, Context>,
  paging: PagingFault | undefined,
): ApiResponse {
  try {
    const result = validateRequest(call, paging);
    if ("refusal" in result) return { ...result.refusal, violations: result.violations };
    const response = handlerOf(call).run(result.context);
    if (result.violations.length === 0) return response;
    return { ...response, violations: [...result.violations, ...(response.violations ?? NO_ISSUES)] };
  } catch (error) {
    return respondFailure(call, error);
  }
}

function respondFailure<State, Context extends Exchange>(
  { api, tenant }: OperationCall<State, Context>,
  error: unknown,
): ApiResponse {
  return api.errors.serverError(`The reference server failed: ${String(error)}`, tenant.readings);
}

/** Serializes a response; a state that a test changed may hold values that are not JSON. */
function serializeSafely<State, Context extends Exchange>(
  call: OperationCall<State, Context>,
  response: ApiResponse,
): CoreAnswer {
  try {
    return serialize(response);
  } catch (error) {
    return serialize(respondFailure(call, error));
  }
}

/** Applies what `ref.on` declared: a forced response, a fault, a delay, a paging fault. */
function respondOverridden<State, Context extends Exchange>(
  call: OperationCall<State, Context>,
  { delay, fault, answer: forced, paging }: AppliedOverride,
): CoreAnswer {
  const isSkipped = fault !== undefined && !isExecuted(fault, call.request.method);
  const response = isSkipped || replacesResponse(forced) ? validateOnly(call) : execute(call, paging);
  const final = forced === undefined ? response : applyForced(call, response, forced);
  const answer = serializeSafely(call, final);
  recordRequest(call.tenant, call.request, call.operation, { ...final, status: answer.status }, fault?.kind);
  return { ...(fault === undefined ? answer : applyFault(answer, fault)), delay };
}

/** Whether a forced response replaces the API's own: 2xx without a body keeps its body. */
function replacesResponse(forced: ForcedAnswer | undefined): boolean {
  return forced !== undefined && (forced.body !== undefined || (forced.status ?? 200) >= 300);
}

/** Validates a request without executing it, for the journal. */
function validateOnly<State, Context extends Exchange>(call: OperationCall<State, Context>): ApiResponse {
  try {
    return { status: 200, body: {}, violations: validateRequest(call, undefined).violations };
  } catch {
    return { status: 200, body: {} };
  }
}

function applyForced<State, Context extends Exchange>(
  { api, tenant, request, operation }: OperationCall<State, Context>,
  response: ApiResponse,
  forced: ForcedAnswer,
): ApiResponse {
  const headers = { ...response.headers, ...forced.headers };
  if (!replacesResponse(forced)) {
    const status = response.status < 300 ? (forced.status ?? response.status) : response.status;
    return { ...response, status, headers };
  }
  const { status = 200 } = forced;
  const body =
    forced.body ??
    api.forcedBody?.(tenant, request, operation, status) ??
    api.errors.documentedBody(status, tenant.readings);
  return { ...response, status, body, headers };
}

function recordRequest<State>(
  tenant: Tenant<State>,
  request: CoreRequest,
  operation: string | null,
  response: ApiResponse,
  fault?: FaultKind,
): void {
  const presented = bearerToken(request.authorization);
  tenant.journal.add({
    operation,
    base: request.base,
    method: request.method,
    target: request.target,
    body: request.body,
    presented: presented === undefined || tenant.secrets.has(presented) ? undefined : presented,
    status: observedStatus(fault, response.status),
    code: fault === undefined ? errorCodeOf(response.body) : undefined,
    at: tenant.clock.ms(),
    fault,
    issues: response.violations ?? NO_ISSUES,
  });
}

/** The status that the caller sees. */
function observedStatus(fault: FaultKind | undefined, status: number): number | null {
  if (fault === "malformed" || fault === "html") return 200;
  return fault === undefined || fault === "truncate" ? status : null;
}

/** The code of an error body: `{ error: { code } }` or `{ errors: [{ code }] }`. */
function errorCodeOf(body: unknown): string | undefined {
  const { error, errors } = (body ?? {}) as { error?: { code?: unknown }; errors?: { code?: unknown }[] };
  const code = error?.code ?? (Array.isArray(errors) ? errors[0]?.code : undefined);
  return typeof code === "string" ? code : undefined;
}
