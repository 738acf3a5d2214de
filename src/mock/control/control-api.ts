import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReferenceServer } from "../index.ts";
import { type ReadBody, readBody } from "../adapters/node/request-body.ts";
import { BODY_LIMIT } from "../kernel/endpoint.ts";
import { type ControlRoute, type Members, controlRoutes } from "./routes.ts";

/** Where the control API begins, at the root of the server. */
export const CONTROL_PATH = "/__ref";

interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Handles the requests below `/__ref`; returns whether a request was one of them. */
export function controlApi(
  ref: ReferenceServer,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (path !== CONTROL_PATH && !path.startsWith(`${CONTROL_PATH}/`)) return false;
    const name = path.slice(CONTROL_PATH.length + 1);
    const route = Object.hasOwn(controlRoutes, name) ? controlRoutes[name] : undefined;
    readBody(request, BODY_LIMIT, (body) => send(response, replyTo(ref, route, request, body)));
    return true;
  };
}

function replyTo(
  ref: ReferenceServer,
  route: ControlRoute | undefined,
  { method, headers }: IncomingMessage,
  { text, tooLarge }: ReadBody,
): Reply {
  if (route === undefined)
    return errorReply(404, `Unknown route. Expected one of ${Object.keys(controlRoutes).join(", ")}`);
  if (method !== route.method)
    return { ...errorReply(405, `Expected ${route.method}`), headers: { allow: route.method } };
  if (tooLarge) return errorReply(413, "the body is too large");
  if (route.method === "GET") return { status: 200, body: route.run(ref) };
  // A page of whatever origin can send neither of the two without being found out.
  if (headers.origin !== undefined) return errorReply(403, "Cross-origin requests are rejected");
  if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? ""))
    return errorReply(415, "the content-type must be application/json");
  return runRoute(() => route.run(ref, parseMembers(text ?? "{}")));
}

function runRoute(deed: () => void): Reply {
  try {
    deed();
    return { status: 204 };
  } catch (error) {
    // the reference server rejects unknown values with an error
    return errorReply(400, (error as Error).message);
  }
}

function parseMembers(text: string): Members {
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
  throw new Error("the body must be a JSON object");
}

function errorReply(status: number, message: string): Reply {
  return { status, body: { error: message } };
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  response.end(text);
}
