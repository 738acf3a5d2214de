import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject } from "../../wire/json.ts";
import { messageOf } from "../../wire/thrown.ts";
import { type ReadBody, readBody } from "../adapters/bodies.ts";
import type { ReferenceServer } from "../index.ts";
import { parseBody } from "../server/exchange.ts";
import {
  CONTROL_PATH,
  ControlError,
  type ControlRoute,
  parseControlBody,
  routesOfPath,
  controlRoutes,
} from "./routes.ts";

/** Largest body of a request, in bytes: a state of 100 000 stores and their lists. */
export const CONTROL_BODY_LIMIT = 134_217_728;

/** Handles the requests below `/__ref` that carry the token; returns whether a request was one of them. */
export function controlApi(
  ref: ReferenceServer,
  token: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const expected = digest(`Bearer ${token}`);
  return (request, response) => {
    const [path = "", search] = (request.url ?? "").split("?", 2);
    if (path !== CONTROL_PATH && !path.startsWith(`${CONTROL_PATH}/`)) return false;
    const fail = (error: unknown) => {
      const [status, headers] =
        error instanceof RouteError ? [error.status, error.headers] : [statusOf(error), {}];
      send(response, status, { error: ref.redact(messageOf(error), request.headers) }, headers);
    };
    try {
      assertAllowed(request, expected);
      const { route, id } = findRoute(request, path);
      const query = queryOf(search, route.query);
      readBody(request, CONTROL_BODY_LIMIT, (body) => {
        try {
          const result = route.run({
            ref,
            id,
            query,
            body: parseControlBody(route, readJson(request, body)),
          });
          send(response, result === undefined ? 204 : route.status, result);
        } catch (error) {
          fail(error);
        }
      });
    } catch (error) {
      request.resume();
      fail(error);
    }
    return true;
  };
}

/** An error with headers that explain it. */
class RouteError extends ControlError {
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string>) {
    super(status, message);
    this.headers = headers;
  }
}

function statusOf(error: unknown): number {
  return error instanceof ControlError ? error.status : 400;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Refuses requests of web pages, which always have an origin, and requests without the token. */
function assertAllowed({ headers }: IncomingMessage, expected: Buffer): void {
  if (headers.origin !== undefined) throw new ControlError(403, "Cross-origin requests are rejected");
  if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) return;
  const message =
    'Expected the header "Authorization: Bearer <control token>" with the token printed at startup';
  throw new RouteError(401, message, { "www-authenticate": "Bearer" });
}

function findRoute({ method = "" }: IncomingMessage, path: string): { route: ControlRoute; id: string } {
  const match = routesOfPath.match(path.slice(CONTROL_PATH.length));
  if (match === undefined) {
    const paths = [...new Set(Object.values(controlRoutes).map(({ path: known }) => known.slice(1)))];
    throw new ControlError(404, `Unknown route. Expected one of ${paths.join(", ")}`);
  }
  const route = controlRoutes[match.operations.get(method) ?? ""];
  if (route !== undefined) return { route, id: match.params.id ?? "" };
  const allow = [...match.operations.keys()].join(", ");
  throw new RouteError(405, `Expected ${allow}`, { allow });
}

function queryOf(search: string | undefined, known: readonly string[]): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const expected = known.length === 0 ? "none" : known.join(", ");
    if (!known.includes(name)) throw new Error(`Unknown query parameter "${name}". Expected ${expected}`);
    if (Object.hasOwn(query, name)) throw new Error(`The query parameter "${name}" is given twice`);
    query[name] = value;
  }
  return query;
}

function readJson({ method, headers }: IncomingMessage, body: ReadBody): object {
  const { body: text = "", tooLarge, notUtf8 } = body;
  if (text === "" && tooLarge === undefined && notUtf8 === undefined) return {};
  if (method === "GET" || method === "DELETE") throw new Error(`A ${method} takes no body`);
  if (tooLarge) throw new ControlError(413, `The body is larger than ${CONTROL_BODY_LIMIT} bytes`);
  if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? ""))
    throw new ControlError(415, "The content-type must be application/json");
  const { value, issue } = parseBody(body);
  if (issue !== undefined) throw new Error(`The body ${issue.message}`);
  if (isObject(value)) return value;
  throw new Error("The body must be a JSON object");
}

function send(
  response: ServerResponse,
  given: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  let [status, text] = [given, ""];
  try {
    text = JSON.stringify(body) ?? "";
  } catch (error) {
    // a journal may contain what cannot be serialized, because a test handed it in
    [status, text] = [500, JSON.stringify({ error: messageOf(error) })];
  }
  if (text === "") response.writeHead(status, headers).end();
  else {
    const length = Buffer.byteLength(text);
    response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
    response.end(text);
  }
}
