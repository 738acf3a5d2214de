import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ReadBody, readBody } from "../adapters/node/request-body.ts";
import type { ReferenceServer } from "../index.ts";
import { isObject } from "../../wire/json.ts";
import { parseBody } from "../server/endpoint.ts";
import { CONTROL_PATH } from "./paths.ts";
import { ControlError, Created, type UncheckedObject } from "./route.ts";
import { type ControlRoute, controlPaths, controlRoutes, routesOfPath } from "./routes.ts";
import { messageOf } from "../../wire/thrown.ts";

/** Largest body of a request, in bytes: a state of 100 000 stores and their lists. */
export const CONTROL_BODY_LIMIT = 134_217_728;

interface JsonResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A route with what the request's target gives. */
interface FoundRoute {
  readonly route: ControlRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
}

/** Handles the requests below `/__ref` that carry the token; returns whether a request was one of them. */
export function controlApi(
  ref: ReferenceServer,
  token: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const expected = digest(`Bearer ${token}`);
  return (request, response) => {
    const [path, search] = splitAtMark(request.url ?? "");
    if (path !== CONTROL_PATH && !path.startsWith(`${CONTROL_PATH}/`)) return false;
    const found = refuse(request, expected) ?? findRoute(request, path, search);
    if ("status" in found) {
      request.resume();
      send(response, found);
      return true;
    }
    readBody(request, CONTROL_BODY_LIMIT, (body) => send(response, respondTo(ref, found, request, body)));
    return true;
  };
}

function splitAtMark(url: string): [path: string, search: string] {
  const mark = url.indexOf("?");
  return mark === -1 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Refuses requests of web pages, which always have an origin, and requests without the token. */
function refuse({ headers }: IncomingMessage, expected: Buffer): JsonResponse | undefined {
  if (headers.origin !== undefined) return errorResponse(403, "Cross-origin requests are rejected");
  if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) return undefined;
  const message =
    'Expected the header "Authorization: Bearer <control token>" with the token printed at startup';
  return { ...errorResponse(401, message), headers: { "www-authenticate": "Bearer" } };
}

function findRoute({ method }: IncomingMessage, path: string, search: string): FoundRoute | JsonResponse {
  const match = routesOfPath.match(path.slice(CONTROL_PATH.length));
  if (match === undefined) {
    const paths = controlPaths.map((known) => known.slice(1)).join(", ");
    return errorResponse(404, `Unknown route. Expected one of ${paths}`);
  }
  const route = controlRoutes[match.operations.get(method ?? "") ?? ""];
  if (route !== undefined) return { route, params: match.params, search };
  const allowed = [...match.operations.keys()].join(", ");
  return { ...errorResponse(405, `Expected ${allowed}`), headers: { allow: allowed } };
}

/** The reference server rejects unknown values with an error. */
function respondTo(
  ref: ReferenceServer,
  { route, params, search }: FoundRoute,
  request: IncomingMessage,
  body: ReadBody,
): JsonResponse {
  try {
    const query = queryOf(search, route.query);
    return responseOf(route.run({ ref, params, query, body: parseBodyOf(route, request, body) }));
  } catch (error) {
    const status = error instanceof ControlError ? error.status : 400;
    return errorResponse(status, ref.redact(messageOf(error), request.headers));
  }
}

function responseOf(result: unknown): JsonResponse {
  if (result instanceof Created) return { status: 201, body: result.body };
  return result === undefined ? { status: 204 } : { status: 200, body: result };
}

function queryOf(search: string, known: readonly string[]): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    if (!known.includes(name)) {
      const expected = known.length === 0 ? "Expected none" : `Expected ${known.join(", ")}`;
      throw new Error(`Unknown query parameter "${name}". ${expected}`);
    }
    if (Object.hasOwn(query, name)) throw new Error(`The query parameter "${name}" is given twice`);
    query[name] = value;
  }
  return query;
}

function parseBodyOf(
  { method }: ControlRoute,
  request: IncomingMessage,
  { body = "", tooLarge, notUtf8 }: ReadBody,
): UncheckedObject {
  const isEmpty = body === "" && tooLarge === undefined && notUtf8 === undefined;
  if (isEmpty) return {};
  if (method === "GET" || method === "DELETE") throw new Error(`A ${method} takes no body`);
  if (tooLarge) throw new ControlError(413, `The body is larger than ${CONTROL_BODY_LIMIT} bytes`);
  if (!/^application\/json *(;|$)/i.test(request.headers["content-type"] ?? ""))
    throw new ControlError(415, "The content-type must be application/json");
  const parsed = parseBody(body, notUtf8);
  if ("issue" in parsed) throw new Error(`The body ${parsed.issue.message}`);
  const { value } = parsed;
  if (isObject(value)) return value;
  throw new Error("The body must be a JSON object");
}

function errorResponse(status: number, message: string): JsonResponse {
  return { status, body: { error: message } };
}

function send(response: ServerResponse, jsonResponse: JsonResponse): void {
  const { status, headers, text } = toText(jsonResponse);
  if (text === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  response.end(text);
}

/** A journal may contain what cannot be serialized, because a test handed it in. */
function toText(jsonResponse: JsonResponse): JsonResponse & { text?: string } {
  if (jsonResponse.body === undefined) return jsonResponse;
  try {
    return { ...jsonResponse, text: JSON.stringify(jsonResponse.body) };
  } catch (error) {
    return { status: 500, text: JSON.stringify({ error: messageOf(error) }) };
  }
}
