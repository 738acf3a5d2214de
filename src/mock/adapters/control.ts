import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject } from "../../wire/json.ts";
import { messageOf } from "../../wire/message.ts";
import type { ReferenceServer } from "../reference-server.ts";
import { parseBody, Refusal } from "../server/exchange.ts";
import { Routes } from "../server/operations.ts";
import { readBody, type ReadBody } from "./http-listener.ts";

/** Where the control API begins, at the root of the server. */
export const CONTROL_PATH = "/__ref";

/** The path that responds with 200 without a token, for scripts that wait for the server. */
export const HEALTH_PATH = `${CONTROL_PATH}/health`;

/** Largest body of a request, in bytes: the state of about 10 000 generated stores. */
export const CONTROL_BODY_LIMIT = 134_217_728;

/** A request to a route. The reference server checks what it is given, so that the body has the type that it asks for. */
interface ControlRequest {
  readonly ref: ReferenceServer;
  readonly body: never;
  /** The path parameter. */
  readonly id: string;
}

/** Executes a request; returns the body of its response, or nothing for 204. */
type ControlRoute = (request: ControlRequest) => unknown;

/** The routes by method and path below `/__ref`. `specs/control.openapi.yaml` describes them. */
export const controlRoutes: Readonly<Record<string, ControlRoute>> = {
  "GET /health": () => ({ status: "ok" }),
  "POST /reset": ({ ref }) => ref.reset(),
  "GET /state": ({ ref }) => ref.exportState(),
  "PUT /state": ({ ref, body }) => ref.importState(body),
  "GET /journal": ({ ref }) => ({ requests: ref.journal.all(), violations: ref.journal.violations() }),
  "DELETE /journal": ({ ref }) => ref.journal.clear(),
  "POST /journal/find": ({ ref, body }) => ({ requests: ref.journal.find(body) }),
  "POST /journal/expect": expectRequests,
  "GET /overrides": ({ ref }) => ({ overrides: ref.overrides.all() }),
  "POST /overrides": ({ ref, body }) => ref.overrides.declare(body),
  "DELETE /overrides": ({ ref }) => ref.overrides.clear(),
  "DELETE /overrides/{id}": removeOverride,
  "GET /clock": ({ ref }) => ({ now: ref.clock.now().toISOString() }),
  "PUT /clock": ({ ref, body }) => ref.clock.set((body as { now: string }).now),
  "POST /clock/advance": ({ ref, body }) => ref.clock.advance(body),
  "GET /readings": ({ ref }) => ref.readings,
  "POST /readings": ({ ref, body }) => ref.switchReadings(body),
  "GET /limits": ({ ref }) => ref.limits,
  "PUT /limits": ({ ref, body }) => ref.switchLimits(body),
  "GET /credentials": ({ ref }) => ({ credentials: ref.credentials.list() }),
  "POST /credentials/tokens": ({ ref, body }) => ref.credentials.addToken(body),
  "POST /credentials/keys": ({ ref, body }) => ref.credentials.addKey(body),
  "POST /credentials/{id}/expire": ({ ref, id, body }) =>
    ref.credentials.expire(id, (body as { at?: string }).at),
};

/** Responds with 409 and the differences if the journal does not contain the expected requests. */
function expectRequests({ ref, body }: ControlRequest): object {
  const { times, ...matcher } = body as { times?: number };
  ref.journal.find(matcher); // an invalid matcher is a 400
  try {
    return { requests: ref.journal.expect(matcher, { times }) };
  } catch (error) {
    throw new Refusal(409, { message: messageOf(error) });
  }
}

function removeOverride({ ref, id }: ControlRequest): void {
  if (!ref.overrides.remove(Number(id)))
    throw new Refusal(404, { message: `No override with the ID "${id.slice(0, 40)}" is in force` });
}

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
    const [path = ""] = (request.url ?? "").split("?", 1);
    const isHealth = path === HEALTH_PATH && request.method === "GET";
    const isControl = token !== undefined && `${path}/`.startsWith(`${CONTROL_PATH}/`);
    if (!isHealth && !isControl) return false;
    void execute(ref, isHealth ? undefined : token, request).then(
      (result) => send(response, result === undefined ? 204 : 200, result),
      (error: unknown) => {
        request.resume();
        const { status = 400, headers } = error instanceof Refusal ? error : {};
        send(response, status, { error: ref.secrets.text(messageOf(error)) }, headers);
      },
    );
    return true;
  };
}

/** Executes a request; `token` is the one that it needs. */
async function execute(
  ref: ReferenceServer,
  token: string | undefined,
  request: IncomingMessage,
): Promise<unknown> {
  if (token !== undefined) assertAllowed(request, token);
  const [path = "", query] = (request.url ?? "").split("?", 2);
  const [run, id] = findRoute(request, path);
  if (query !== undefined) throw new Error("No route has query parameters");
  const body = readJson(request, await readBody(request, CONTROL_BODY_LIMIT));
  return run({ ref, id, body: body as never }); // the reference server checks it
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

function send(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  const text = JSON.stringify(body);
  const type = text === undefined ? {} : { "content-type": "application/json" };
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries({ ...type, ...headers })));
  response.end(text);
}
