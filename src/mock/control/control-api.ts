import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject } from "../../wire/json.ts";
import { messageOf } from "../../wire/thrown.ts";
import { type ReadBody, readBody } from "../adapters/request-body.ts";
import type { ReferenceServer } from "../index.ts";
import { parseBody, Refusal } from "../server/exchange.ts";
import { Routes } from "../server/routes.ts";
import { type ControlRoute, controlRoutes } from "./routes.ts";

/** Where the control API begins, at the root of the server. */
export const CONTROL_PATH = "/__ref";

/** The path that responds with 200 without a token, for scripts that wait for the server. */
export const HEALTH_PATH = `${CONTROL_PATH}/health`;

/** Largest body of a request, in bytes: a state of 100 000 stores and their lists. */
export const CONTROL_BODY_LIMIT = 134_217_728;

const routes = new Routes(
  Object.fromEntries(
    Object.keys(controlRoutes).map((route) => {
      const [method = "", path = ""] = route.split(" ");
      return [route, { method, path }];
    }),
  ),
);

/**
 * Handles the requests below `/__ref` that carry the token; returns whether a request was one of them. Without a token only
 * the health of the server is served.
 */
export function controlApi(
  ref: ReferenceServer,
  token: string | undefined,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const [path = "", query] = (request.url ?? "").split("?", 2);
    const isHealth = path === HEALTH_PATH && request.method === "GET";
    const isControl = token !== undefined && `${path}/`.startsWith(`${CONTROL_PATH}/`);
    if (!isHealth && !isControl) return false;
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        const { status = 400, headers } = error instanceof Refusal ? error : {};
        const text = ref.redact(messageOf(error), request.headers);
        send(response, status, { error: text }, headers);
      }
    };
    attempt(() => {
      request.resume();
      if (!isHealth) assertAllowed(request, token ?? "");
      const [[, run], id] = findRoute(request, path);
      if (query !== undefined) throw new Error("No route has query parameters");
      readBody(request, CONTROL_BODY_LIMIT, (body) =>
        attempt(() => {
          const given = readJson(request, body) as never; // the reference server checks it
          const result = run({ ref, id, body: given });
          send(response, result === undefined ? 204 : 200, result);
        }),
      );
    });
    return true;
  };
}

/** Refuses requests of web pages, which always have an origin, and requests without the token. */
function assertAllowed({ headers }: IncomingMessage, token: string): void {
  if (headers.origin !== undefined) throw new Refusal(403, { message: "Cross-origin requests are rejected" });
  if (headers.authorization === `Bearer ${token}`) return;
  const message =
    'Expected the header "Authorization: Bearer <control token>" with the token printed at startup';
  throw new Refusal(401, { message: message }, { "www-authenticate": "Bearer" });
}

function findRoute({ method = "" }: IncomingMessage, path: string): [route: ControlRoute, id: string] {
  const match = routes.match(path.slice(CONTROL_PATH.length));
  if (match === undefined)
    throw new Refusal(404, {
      message: `Unknown route. Expected one of ${Object.keys(controlRoutes).join(", ")}`,
    });
  const route = controlRoutes[match.operations.get(method) ?? ""];
  if (route !== undefined) return [route, match.params.id ?? ""];
  const allow = [...match.operations.keys()].join(", ");
  throw new Refusal(405, { message: `Expected ${allow}` }, { allow });
}

/** Returns the JSON object of a body; an empty one if there is no body. */
function readJson({ headers }: IncomingMessage, body: ReadBody): object {
  const { body: text = "", tooLarge, notUtf8 } = body;
  if (text === "" && tooLarge === undefined && notUtf8 === undefined) return {};
  if (tooLarge) throw new Refusal(413, { message: `The body is larger than ${CONTROL_BODY_LIMIT} bytes` });
  if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? ""))
    throw new Refusal(415, { message: "The content-type must be application/json" });
  const { value, issue } = parseBody(body);
  if (issue !== undefined) throw new Error(`The body ${issue.message}`);
  if (!isObject(value)) throw new Error("The body must be a JSON object");
  return value;
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: Record<string, string>,
): void {
  const text = JSON.stringify(body);
  const described = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text ?? ""),
  };
  response.writeHead(status, { ...(text !== undefined && described), ...headers }).end(text);
}
