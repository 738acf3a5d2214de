import { type Answer, OUTSIDE_HEADER } from "./api-response.ts";
import type { Api } from "./api.ts";
import { type Call, handlerOf } from "./operation-call.ts";
import { NOTHING, examined } from "./request-validation.ts";
import { type FaultKind, carriedOut } from "./faults.ts";
import type { Exchange } from "./handler.ts";
import type { OperationId } from "../apis/operations.ts";
import type { Encounter, ForcedAnswer } from "./overrides.ts";
import type { PagingFault } from "./paging-fault.ts";
import { parseQuery, splitTarget } from "./query.ts";
import type { CoreAnswer, CoreRequest } from "./request.ts";
import type { Match } from "./routes.ts";
import { redacted, secretsOf } from "./redaction.ts";
import type { Tenant } from "./tenant.ts";
import { spoilt, written } from "./serialization.ts";

/** The answer to one request: the whole reference server as a plain function. */
export function answerRequest<Context extends Exchange>(
  api: Api<Context>,
  tenant: Tenant,
  request: CoreRequest,
): CoreAnswer {
  const [path, queryText] = splitTarget(request.target);
  const match = api.routes.match(path);
  const id = match?.operations.get(request.method) as OperationId | undefined;
  if (match === undefined || id === undefined) return unrouted(api, tenant, request, match);
  const call = { api, tenant, request, id, params: match.params, rawQuery: parseQuery(queryText) };
  const encounter = tenant.overrides.take(id);
  if (encounter !== undefined) return overridden(call, encounter);
  const answer = carryOut(call, undefined);
  const wire = wired(call, answer);
  note(tenant, request, id, { ...answer, status: wire.status });
  return wire;
}

/** 404 and 405, which no contract describes: the header says so. */
function unrouted<Context extends Exchange>(
  { refusals }: Api<Context>,
  tenant: Tenant,
  request: CoreRequest,
  match: Match | undefined,
): CoreAnswer {
  const answer =
    match === undefined ? refusals.unknownPath(tenant.readings) : refusals.method(tenant.readings);
  const headers: Record<string, string> = { [OUTSIDE_HEADER]: match === undefined ? "path" : "method" };
  if (match !== undefined) headers.allow = [...match.operations.keys()].join(", ");
  const message = match === undefined ? "no operation has this path" : `the path takes ${headers.allow}`;
  const marked = { ...answer, headers, unmet: [{ path: "", message }] };
  note(tenant, request, null, marked);
  const wire = written(marked);
  return request.method === "HEAD" ? { ...wire, body: null } : wire;
}

function carryOut<Context extends Exchange>(call: Call<Context>, paging: PagingFault | undefined): Answer {
  try {
    const examination = examined(call, paging);
    if ("refusal" in examination) return { ...examination.refusal, unmet: examination.unmet };
    const answer = handlerOf(call).run(examination.context);
    if (examination.unmet.length === 0) return answer;
    return { ...answer, unmet: [...examination.unmet, ...(answer.unmet ?? NOTHING)] };
  } catch (error) {
    return failed(call, error);
  }
}

function failed<Context extends Exchange>({ api, tenant }: Call<Context>, error: unknown): Answer {
  return api.refusals.broken(`The reference server failed: ${String(error)}`, tenant.readings);
}

/** A state that was changed by hand may hold what is no JSON. */
function wired<Context extends Exchange>(call: Call<Context>, answer: Answer): CoreAnswer {
  try {
    return written(answer);
  } catch (error) {
    return written(failed(call, error));
  }
}

/** What `ref.on` makes of a request: an answer of its own, a spoilt one, a late one. */
function overridden<Context extends Exchange>(call: Call<Context>, encounter: Encounter): CoreAnswer {
  const { delay, fault, answer: forced, paging } = encounter;
  const lost = fault !== undefined && !carriedOut(fault, call.request.method);
  const answer = lost || isWhole(forced) ? lookedAt(call) : carryOut(call, paging);
  const shown = forced === undefined ? answer : withForced(call, answer, forced);
  const wire = wired(call, shown);
  note(call.tenant, call.request, call.id, { ...shown, status: wire.status }, fault?.kind);
  return { ...(fault === undefined ? wire : spoilt(wire, fault)), delay };
}

/** Whether an answer of the test's own stands for all of it: 2xx without a body asks for the API's. */
function isWhole(forced: ForcedAnswer | undefined): boolean {
  return forced !== undefined && (forced.body !== undefined || (forced.status ?? 200) >= 300);
}

/** Looks at a request without carrying it out, for the journal. */
function lookedAt<Context extends Exchange>(call: Call<Context>): Answer {
  try {
    return { status: 200, body: {}, unmet: examined(call, undefined).unmet };
  } catch {
    return { status: 200, body: {} };
  }
}

function withForced<Context extends Exchange>(
  { api, tenant }: Call<Context>,
  answer: Answer,
  forced: ForcedAnswer,
): Answer {
  const headers = { ...answer.headers, ...forced.headers };
  if (!isWhole(forced)) return { ...answer, headers };
  const { status = 200, body = api.refusals.documented(status, tenant.readings) } = forced;
  return { ...answer, status, body, headers };
}

function note(
  tenant: Tenant,
  request: CoreRequest,
  operation: OperationId | null,
  answer: Answer,
  fault?: FaultKind,
): void {
  const secrets = secretsOf(tenant.secrets, request.authorization);
  tenant.journal.add({
    operation,
    base: request.base,
    method: request.method,
    target: redacted(request.target, secrets),
    body: request.body === undefined ? undefined : redacted(request.body, secrets),
    status: statusUnder(fault, answer.status),
    code: fault === undefined ? codeOf(answer.body) : undefined,
    at: tenant.clock.ms(),
    fault,
    issues: answer.unmet ?? NOTHING,
  });
}

/** The status that the caller sees. */
function statusUnder(fault: FaultKind | undefined, status: number): number | null {
  if (fault === "malformed" || fault === "html") return 200;
  return fault === undefined || fault === "truncate" ? status : null;
}

/** The code of an error body of either API. */
function codeOf(body: unknown): string | undefined {
  const { error, errors } = (body ?? {}) as { error?: { code?: unknown }; errors?: { code?: unknown }[] };
  const code = error?.code ?? (Array.isArray(errors) ? errors[0]?.code : undefined);
  return typeof code === "string" ? code : undefined;
}
