import { type Answer, type Issue, OUTSIDE_HEADER } from "./answer.ts";
import type { Api } from "./api.ts";
import { exceeds, parseBody } from "./body.ts";
import { HTML, MALFORMED, carriedOut, transportFault } from "./faults.ts";
import type { Exchange } from "./handler.ts";
import { checked } from "./issues.ts";
import { redacted, secretsOf } from "./secrets.ts";
import type { OperationId } from "./operation-ids.ts";
import type { Encounter } from "./overrides.ts";
import type { PagingFault } from "./paging-fault.ts";
import { type RawQuery, parseQuery, splitTarget } from "./query.ts";
import { BODY_LIMIT, type CoreAnswer, type CoreRequest } from "./request.ts";
import type { Match } from "./routes.ts";
import type { Tenant } from "./tenant.ts";

/** A request that found its operation. */
interface Call<Context extends Exchange> {
  readonly api: Api<Context>;
  readonly tenant: Tenant;
  readonly request: CoreRequest;
  readonly id: OperationId;
  readonly params: Record<string, string>;
  readonly rawQuery: RawQuery;
}

/** What came out of looking at a request: a refusal, or what its handler needs. */
type Examined<Context> = { unmet: readonly Issue[] } & ({ refusal: Answer } | { context: Context });

const NOTHING: readonly Issue[] = [];

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
  note(tenant, request, id, answer);
  return finished(answer);
}

function unrouted<Context extends Exchange>(
  api: Api<Context>,
  tenant: Tenant,
  request: CoreRequest,
  match: Match | undefined,
): CoreAnswer {
  const { refusals } = api;
  const answer =
    match === undefined ? refusals.unknownPath(tenant.readings) : refusals.method(tenant.readings);
  const headers: Record<string, string> = { [OUTSIDE_HEADER]: match === undefined ? "path" : "method" };
  if (match !== undefined) headers.allow = [...match.operations.keys()].join(", ");
  const message = match === undefined ? "no operation has this path" : `the path takes ${headers.allow}`;
  const marked = { ...answer, headers, unmet: [{ path: "", message }] };
  note(tenant, request, null, marked);
  return finished(marked);
}

function carryOut<Context extends Exchange>(call: Call<Context>, paging: PagingFault | undefined): Answer {
  try {
    const examined = examine(call, paging);
    if ("refusal" in examined) return { ...examined.refusal, unmet: examined.unmet };
    const answer = handlerOf(call).run(examined.context);
    return examined.unmet === NOTHING
      ? answer
      : { ...answer, unmet: [...examined.unmet, ...(answer.unmet ?? [])] };
  } catch {
    return call.api.refusals.broken(call.tenant.readings);
  }
}

function examine<Context extends Exchange>(
  call: Call<Context>,
  paging: PagingFault | undefined,
): Examined<Context> {
  const { api, tenant, request, id } = call;
  const refused = api.admit(tenant, request, id);
  if (refused !== undefined) return { refusal: refused, unmet: refused.unmet ?? NOTHING };
  const schemas = api.schemas[id] ?? {};
  if (schemas.body !== undefined && isTooLarge(call)) return tooLarge(call);

  const input = inputOf(call);
  const exchange: Exchange = {
    params: call.params,
    query: input.query,
    body: input.body,
    readings: tenant.readings,
    clock: tenant.clock,
    ids: tenant.ids,
    paging,
  };
  const context = api.context(tenant, request, exchange);
  return verdict(call, context, input);
}

function verdict<Context extends Exchange>(
  call: Call<Context>,
  context: Context,
  input: Input,
): Examined<Context> {
  const { api, tenant } = call;
  const handler = handlerOf(call);
  const issues = input.issues.length > 0 ? input.issues : (handler.check?.(context) ?? NOTHING);
  const unmet = input.tolerated.length === 0 ? issues : [...issues, ...input.tolerated];
  const invalid = () => (issues.length > 0 ? api.refusals.invalid(issues, tenant.readings) : undefined);
  const missing = () => handler.find?.(context);
  // gap requests.check-order
  const refusal = api.findFirst(tenant.readings) ? (missing() ?? invalid()) : (invalid() ?? missing());
  return refusal === undefined ? { context, unmet } : { refusal, unmet };
}

interface Input {
  query: Record<string, unknown>;
  body: unknown;
  /** What is refused. */
  issues: readonly Issue[];
  /** What breaks the contract and passes all the same. */
  tolerated: readonly Issue[];
}

function inputOf<Context extends Exchange>({ api, tenant, request, id, rawQuery }: Call<Context>): Input {
  const { readings } = tenant;
  const schemas = api.schemas[id] ?? {};
  const headers = api.headers(request, readings);
  const query = checked(schemas.query, api.query(rawQuery, readings));
  const body = schemas.body === undefined ? undefined : parseBody(request.body);
  const issues = [...(headers.refuse ? headers.issues : NOTHING), ...query.issues];
  const value = body !== undefined && "value" in body ? body.value : undefined;
  if (body !== undefined && "issue" in body) issues.push(body.issue);
  else if (schemas.body !== undefined) issues.push(...checked(schemas.body, value).issues);
  issues.push(...api.unknown(id, rawQuery, value, readings));
  const tolerated = headers.refuse ? NOTHING : headers.issues;
  return { query: query.value as Record<string, unknown>, body: value, issues, tolerated };
}

function isTooLarge<Context extends Exchange>({ tenant, request }: Call<Context>): boolean {
  if (tenant.readings["limits.body-size"] === "unlimited") return false;
  return request.tooLarge === true || (request.body !== undefined && exceeds(request.body, BODY_LIMIT));
}

function tooLarge<Context extends Exchange>({ api, tenant }: Call<Context>): Examined<Context> {
  const answer = api.refusals.tooLarge(tenant.readings);
  const unmet = [{ path: "", message: `the body is larger than ${BODY_LIMIT} bytes` }];
  return { refusal: { ...answer, headers: { [OUTSIDE_HEADER]: "body-size" } }, unmet };
}

function handlerOf<Context extends Exchange>({ api, id }: Call<Context>) {
  const handler = api.handlers[id];
  if (handler === undefined) throw new Error(`no handler for ${id}`);
  return handler;
}

/** What `ref.on` makes of a request: its own answer, a spoilt one, a late one. */
function overridden<Context extends Exchange>(call: Call<Context>, encounter: Encounter): CoreAnswer {
  const { delay, fault, answer: forced, paging } = encounter;
  const own = forced !== undefined && !isPlainSuccess(forced.status, forced.body);
  const spoilt = fault !== undefined && !carriedOut(fault, call.request.method);
  const answer = own || spoilt ? unanswered(call) : carryOut(call, paging);
  if (forced !== undefined && own) Object.assign(answer, forcedAnswer(call, forced));
  else if (forced?.headers !== undefined) answer.headers = { ...answer.headers, ...forced.headers };
  note(call.tenant, call.request, call.id, answer, fault?.kind);
  const plain = fault === undefined ? finished(answer) : spoiltAnswer(answer, fault.kind);
  return { ...plain, delay, fault: fault === undefined ? null : transportFault(fault) };
}

/** A status of 2xx without a body asks for the API's own answer. */
function isPlainSuccess(status = 200, body: unknown): boolean {
  return body === undefined && status < 300;
}

/** Looks at a request without carrying it out, for the journal. */
function unanswered<Context extends Exchange>(call: Call<Context>): Answer {
  try {
    return { status: 200, body: {}, unmet: examine(call, undefined).unmet };
  } catch {
    return { status: 200, body: {} };
  }
}

function forcedAnswer<Context extends Exchange>(
  { api, tenant }: Call<Context>,
  { status = 200, body, headers }: NonNullable<Encounter["answer"]>,
): Pick<Answer, "status" | "body" | "headers"> {
  return {
    status,
    body: body === undefined ? api.refusals.documented(status, tenant.readings) : body,
    headers: headers ?? {},
  };
}

function spoiltAnswer(answer: Answer, kind: string): CoreAnswer {
  const plain = finished(answer);
  if (kind === "malformed") return { ...plain, status: 200, body: MALFORMED };
  if (kind === "html") return { ...plain, status: 200, headers: { "content-type": "text/html" }, body: HTML };
  return plain;
}

const BODILESS = new Set([204, 205, 304]);

function finished({ status, body, headers }: Answer): CoreAnswer {
  if (body === undefined || BODILESS.has(status)) {
    return { status, headers: { ...headers }, body: null, delay: 0, fault: null };
  }
  const isText = typeof body === "string";
  const type = isText ? "text/plain" : "application/json";
  return {
    status,
    headers: { "content-type": type, ...headers },
    body: isText ? body : JSON.stringify(body),
    delay: 0,
    fault: null,
  };
}

function note(
  tenant: Tenant,
  request: CoreRequest,
  operation: OperationId | null,
  answer: Answer,
  fault?: NonNullable<Encounter["fault"]>["kind"],
): void {
  const lost = fault === "reset" || fault === "close" || fault === "stall";
  const secrets = secretsOf(tenant.secrets, request.authorization);
  tenant.journal.add({
    operation,
    base: request.base,
    method: request.method,
    target: redacted(request.target, secrets),
    body: request.body === undefined ? undefined : redacted(request.body, secrets),
    status: lost ? null : fault === "malformed" || fault === "html" ? 200 : answer.status,
    code: fault === undefined ? codeOf(answer.body) : undefined,
    at: tenant.clock.ms(),
    fault,
    issues: answer.unmet ?? NOTHING,
  });
}

function codeOf(body: unknown): string | undefined {
  const { error, errors } = (body ?? {}) as { error?: { code?: unknown }; errors?: { code?: unknown }[] };
  const code = error?.code ?? (Array.isArray(errors) ? errors[0]?.code : undefined);
  return typeof code === "string" ? code : undefined;
}
