import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ReadBody, readBody } from "../adapters/node/request-body.ts";
import type { ReferenceServer } from "../index.ts";
import { BODY_LIMIT } from "../kernel/endpoint.ts";
import { type ControlRoute, type Members, controlRoutes } from "./routes.ts";

/** Where the control API begins, at the root of the server. */
export const CONTROL_PATH = "/__ref";

interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Handles the requests below `/__ref` that carry the token; returns whether a request was one of them. */
export function controlApi(
  ref: ReferenceServer,
  token: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const expected = digest(`Bearer ${token}`);
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (path !== CONTROL_PATH && !path.startsWith(`${CONTROL_PATH}/`)) return false;
    const refusal = refuse(request, expected);
    const name = path.slice(CONTROL_PATH.length + 1);
    const route = Object.hasOwn(controlRoutes, name) ? controlRoutes[name] : undefined;
    readBody(request, BODY_LIMIT, (body) => send(response, refusal ?? replyTo(ref, route, request, body)));
    return true;
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Refuses requests of web pages, which always have an origin, and requests without the token. */
function refuse({ headers }: IncomingMessage, expected: Buffer): Reply | undefined {
  if (headers.origin !== undefined) return errorReply(403, "Cross-origin requests are rejected");
  if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) return undefined;
  const message =
    'Expected the header "Authorization: Bearer <control token>" with the token printed at startup';
  return { ...errorReply(401, message), headers: { "www-authenticate": "Bearer" } };
}

function replyTo(
  ref: ReferenceServer,
  route: ControlRoute | undefined,
  { method, headers }: IncomingMessage,
  { body, tooLarge, notUtf8 }: ReadBody,
): Reply {
  if (route === undefined)
    return errorReply(404, `Unknown route. Expected one of ${Object.keys(controlRoutes).join(", ")}`);
  if (method !== route.method)
    return { ...errorReply(405, `Expected ${route.method}`), headers: { allow: route.method } };
  if (tooLarge) return errorReply(413, "The body is too large");
  if (notUtf8) return errorReply(400, "The body is not UTF-8");
  if (route.method === "GET") return runRoute(() => ({ status: 200, body: route.run(ref) }));
  if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? ""))
    return errorReply(415, "The content-type must be application/json");
  return runRoute(() => {
    route.run(ref, parseMembers(body ?? "{}"));
    return { status: 204 };
  });
}

/** The reference server rejects unknown values with an error. */
function runRoute(run: () => Reply): Reply {
  try {
    return run();
  } catch (error) {
    return errorReply(400, (error as Error).message);
  }
}

function parseMembers(text: string): Members {
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
  throw new Error("The body must be a JSON object");
}

function errorReply(status: number, message: string): Reply {
  return { status, body: { error: message } };
}

function send(response: ServerResponse, reply: Reply): void {
  const { status, headers, text } = toText(reply);
  if (text === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  response.end(text);
}

/** A journal may contain what cannot be serialized, because a test handed it in. */
function toText(reply: Reply): Reply & { text?: string } {
  if (reply.body === undefined) return reply;
  try {
    return { ...reply, text: JSON.stringify(reply.body) };
  } catch (error) {
    return { status: 500, text: JSON.stringify({ error: (error as Error).message }) };
  }
}
