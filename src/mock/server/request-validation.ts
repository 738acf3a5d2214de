import type { ApiDefinition, Handler, HandlerInput } from "./api.ts";
import { checkSchema, MAX_ISSUES, type RequestSchemas, type SchemaCheck } from "./schemas.ts";
import { MAX_PARAMETERS, type UncheckedQuery } from "../http/query.ts";
import { BODY_LIMIT, type CoreRequest } from "../http/request.ts";
import type { Server } from "./server.ts";
import { type ApiResponse, type Issue, OUTSIDE_HEADER } from "../http/api-response.ts";
import { exceedsBytes, parseBody } from "../http/body.ts";
import type { PagingFault } from "../testing/rule.ts";
import { bearerToken } from "../../wire/credentials.ts";
import { type JsonObject, objectOf } from "../../wire/json.ts";

/** A request whose path and method belong to an operation. Only its API reads the state of its server. */
export interface OperationCall {
  readonly api: ApiDefinition<unknown, HandlerInput>;
  readonly server: Server<unknown>;
  readonly request: CoreRequest;
  readonly operation: string;
  readonly params: Record<string, string>;
  readonly query: UncheckedQuery;
  /** Whether the query has more parameters than were parsed. */
  readonly isQueryTooLong: boolean;
}

export function handlerOf({ api, operation }: OperationCall): Handler<HandlerInput> {
  const handler = api.handlers[operation];
  if (handler === undefined) throw new Error(`No handler for operation ${operation}`);
  return handler;
}

/** An error response or the context of the handler, with every violation of the contract. */
type ValidationResult = { violations: readonly Issue[] } & (
  | { refusal: ApiResponse }
  | { context: HandlerInput }
);

export const NO_ISSUES: readonly Issue[] = [];

interface ValidationOptions {
  readonly paging?: PagingFault | undefined;
  /** Whether the request counts for the rate limit. */
  readonly isCounted: boolean;
  /** Whether the request needs no token or key. */
  readonly isTrusted?: boolean;
}

/** Validates a request in the order of the contract: 503, 401, 403, then 429, 413, then 404 and 400. */
export function validateRequest(
  call: OperationCall,
  { paging, isCounted, isTrusted = false }: ValidationOptions,
): ValidationResult {
  const { api, server, request, operation } = call;
  const schemas = api.schemas(operation, server.readings);
  const unauthorized = isTrusted ? undefined : api.authorize(server, request, operation);
  if (unauthorized !== undefined)
    return { refusal: unauthorized, violations: unauthorized.violations ?? NO_ISSUES };
  const throttled = isCounted ? throttle(call) : undefined;
  if (throttled !== undefined) return { refusal: throttled, violations: NO_ISSUES };
  if (schemas.body !== undefined && isTooLarge(call)) return respondTooLarge(call);

  const input = readInput(call, schemas);
  const context: HandlerInput = {
    params: call.params,
    query: input.query,
    body: input.body,
    data: api.dataOf(server.state, request),
    readings: server.readings,
    clock: server.clock,
    ids: server.ids,
    paging,
  };
  return decide(call, context, input);
}

/** Returns 429 if the token or key of an authorized request has exceeded its limit. */
function throttle({ api, server, request }: OperationCall): ApiResponse | undefined {
  if (!api.isRateLimited(server.readings)) return undefined;
  const headers = server.limiter.acquire(bearerToken(request.authorization) ?? "");
  return headers === undefined ? undefined : { ...api.errors.tooManyRequests(server.readings), headers };
}

function decide(call: OperationCall, context: HandlerInput, input: Input): ValidationResult {
  const { api, server } = call;
  const handler = handlerOf(call);
  const noticed = [...input.tolerated, ...(api.findMissingReferences?.(context) ?? NO_ISSUES)];
  const rejected = server.isStrict ? [...input.issues, ...noticed] : input.issues;
  const found = rejected.length > 0 ? rejected : (handler.check?.(context) ?? NO_ISSUES);
  const issues = found.length > MAX_ISSUES ? found.slice(0, MAX_ISSUES) : found;
  const violations = server.isStrict || noticed.length === 0 ? issues : [...issues, ...noticed];
  const invalid = () => (issues.length > 0 ? api.errors.invalid(issues, server.readings) : undefined);
  const missing = () => handler.find?.(context);
  // gap requests.check-order
  const refusal = api.notFoundFirst(server.readings) ? (missing() ?? invalid()) : (invalid() ?? missing());
  return refusal === undefined ? { context, violations } : { refusal, violations };
}

const QUERY_TOO_LONG: Issue = {
  path: "query",
  message: `must have at most ${MAX_PARAMETERS} parameters`,
  code: "too_big",
};

interface Input {
  query: JsonObject;
  body: unknown;
  /** The issues that cause a 400. */
  issues: readonly Issue[];
  /** Violations of the contract that the server tolerates. */
  tolerated: readonly Issue[];
}

function readInput(call: OperationCall, schemas: RequestSchemas): Input {
  const { api, server, request, operation } = call;
  const { readings } = server;
  const headers = api.checkHeaders(request, readings);
  const query = checkQuery(schemas, api.normalizeQuery(operation, call.query, readings));
  const body = schemas.body === undefined ? undefined : parseBody(request.body, request.notUtf8);
  const value = body !== undefined && "value" in body ? body.value : undefined;
  const bodyIssues =
    body !== undefined && "issue" in body ? [body.issue] : checkSchema(schemas.body, value).issues;
  const unknown = api.findUnknownInput(operation, call.query, value, readings);
  const issues = [
    ...(headers.refuse ? headers.issues : NO_ISSUES),
    ...(call.isQueryTooLong ? [QUERY_TOO_LONG] : NO_ISSUES),
    ...query.issues,
    ...bodyIssues,
    ...unknown.rejected,
  ];
  const tolerated = [...(headers.refuse ? NO_ISSUES : headers.issues), ...unknown.ignored];
  return { query: objectOf(query.value), body: value, issues, tolerated };
}

/** Checks the parameters; an array is the value of a parameter that was given several times. */
function checkQuery({ query: schema }: RequestSchemas, query: UncheckedQuery): SchemaCheck {
  const { issues, value } = checkSchema(schema, query);
  const named = issues.map((issue) =>
    Array.isArray(query[issue.path]) ? { ...issue, message: "must be given once" } : issue,
  );
  return { issues: named, value };
}

/** gap limits.body-size */
function isTooLarge({ server, request }: OperationCall): boolean {
  if (server.readings["limits.body-size"] === "unlimited") return false;
  return request.tooLarge === true || (request.body !== undefined && exceedsBytes(request.body, BODY_LIMIT));
}

function respondTooLarge({ api, server }: OperationCall): ValidationResult {
  const response = api.errors.tooLarge(server.readings);
  const violations = [{ path: "", message: `must have at most ${BODY_LIMIT} bytes` }];
  return { refusal: { ...response, headers: { [OUTSIDE_HEADER]: "body-size" } }, violations };
}
