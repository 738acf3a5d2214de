import { type Answer, type Issue, OUTSIDE_HEADER } from "./api-response.ts";
import { exceeds, parseBody } from "./body.ts";
import { type Call, handlerOf } from "./operation-call.ts";
import type { Exchange } from "./handler.ts";
import { checked } from "./schema-check.ts";
import type { PagingFault } from "./paging-fault.ts";
import { BODY_LIMIT } from "./request.ts";

/** What came out of looking at a request: a refusal, or what its handler needs; and what breaks the contract. */
export type Examination<Context> = { unmet: readonly Issue[] } & ({ refusal: Answer } | { context: Context });

/** Nothing is wrong. */
export const NOTHING: readonly Issue[] = [];

/** Checks a request in the order of the contract: 503, 401, 403, then 413, then 404 and 400. */
export function examined<Context extends Exchange>(
  call: Call<Context>,
  paging: PagingFault | undefined,
): Examination<Context> {
  const { api, tenant, request, id } = call;
  const refused = api.admit(tenant, request, id);
  if (refused !== undefined) return { refusal: refused, unmet: refused.unmet ?? NOTHING };
  if (api.schemas[id]?.body !== undefined && isTooLarge(call)) return tooLarge(call);

  const input = inputOf(call);
  const context = api.context(tenant, request, {
    params: call.params,
    query: input.query,
    body: input.body,
    readings: tenant.readings,
    clock: tenant.clock,
    ids: tenant.ids,
    paging,
  });
  return verdict(call, context, input);
}

function verdict<Context extends Exchange>(
  call: Call<Context>,
  context: Context,
  { issues: broken, tolerated }: Input,
): Examination<Context> {
  const { api, tenant } = call;
  const handler = handlerOf(call);
  const issues = broken.length > 0 ? broken : (handler.check?.(context) ?? NOTHING);
  const unmet = tolerated.length === 0 ? issues : [...issues, ...tolerated];
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
  const query = checked(schemas.query, api.query(id, rawQuery, readings));
  const body = schemas.body === undefined ? undefined : parseBody(request.body);
  const value = body !== undefined && "value" in body ? body.value : undefined;
  const issues = [...(headers.refuse ? headers.issues : NOTHING), ...query.issues];
  if (body !== undefined && "issue" in body) issues.push(body.issue);
  else issues.push(...checked(schemas.body, value).issues);
  issues.push(...api.unknown(id, rawQuery, value, readings));
  const tolerated = headers.refuse ? NOTHING : headers.issues;
  return { query: query.value as Record<string, unknown>, body: value, issues, tolerated };
}

/** gap limits.body-size */
function isTooLarge<Context extends Exchange>({ tenant, request }: Call<Context>): boolean {
  if (tenant.readings["limits.body-size"] === "unlimited") return false;
  return request.tooLarge === true || (request.body !== undefined && exceeds(request.body, BODY_LIMIT));
}

function tooLarge<Context extends Exchange>({ api, tenant }: Call<Context>): Examination<Context> {
  const answer = api.refusals.tooLarge(tenant.readings);
  const unmet = [{ path: "", message: `the body is larger than ${BODY_LIMIT} bytes` }];
  return { refusal: { ...answer, headers: { [OUTSIDE_HEADER]: "body-size" } }, unmet };
}
