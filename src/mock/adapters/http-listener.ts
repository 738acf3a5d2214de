import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostGuard } from "./host-guard.ts";
import type { ReferenceServer } from "../reference-server.ts";
import type { Base, CoreResponse } from "../server/exchange.ts";
import { CORS_HEADERS, preflightHeaders } from "./cors.ts";
import { sendResponse } from "./http-response.ts";
import { type ReadBody, readBody } from "./request-body.ts";

/** One request, as a log shows it. */
export interface RequestSummary {
  method: string;
  /** Without the query and without secrets. */
  path: string;
  /** `null` if a fault replaced the response. */
  status: number | null;
  fault: string | null;
  /** Milliseconds since the head of the request was read. */
  milliseconds: number;
}

/** What the command line adds to a server. */
export interface ServeHooks {
  /** Receives each request first; returns whether it responds. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly onRequest?: (summary: RequestSummary) => void;
}

/** The path of one of the three APIs on the server, without a trailing slash. */
export interface Mount {
  readonly base: Base;
  readonly path: string;
}

/** What a listener needs besides the reference server. */
interface ListenerParts extends ServeHooks {
  readonly mounts: readonly Mount[];
  readonly hosts: HostGuard;
  readonly cors: boolean;
}

/** Returns the function that handles the requests to a reference server. */
export function httpListener(
  ref: ReferenceServer,
  parts: ListenerParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  const mounts = parts.mounts.toSorted((a, b) => b.path.length - a.path.length);

  async function respond(request: IncomingMessage, response: ServerResponse, body: ReadBody, log: Log) {
    const core = responseTo(ref, mounts, request, body);
    const { delay, fault } = core;
    if (parts.cors) core.headers = { ...CORS_HEADERS, ...core.headers };
    try {
      const signal = delay > 0 || fault !== null ? disconnection(response) : null;
      if (delay > 0) await ref.timers.wait(delay, signal);
      if (fault === null) response.once("finish", log);
      else log(fault.kind);
      await sendResponse(response, core, ref.timers, signal);
    } catch (error) {
      if (response.headersSent || response.destroyed) return; // the client has disconnected
      // a header of `ref.on` that is invalid in HTTP
      response.writeHead(500, { "content-type": "text/plain" });
      response.end(String(error));
    }
  }

  return (request, response) => {
    const log = logOf(ref, parts, request, response);
    if (isHandled(parts, request, response)) {
      response.once("finish", log);
      return;
    }
    // the body of a GET is read too, so that the requests of a pipeline are handled in their order
    const { resets, bodyLimit } = ref;
    readBody(request, bodyLimit, (body) => {
      // a request that began before a reset belongs to the test before
      if (resets === ref.resets) void respond(request, response, body, log);
      else request.socket.destroy();
    });
  };
}

/** Reports the end of a request, with the fault that replaced its response. */
type Log = (fault?: string) => void;

function logOf(
  ref: ReferenceServer,
  { onRequest }: ServeHooks,
  { method = "", url = "", headers }: IncomingMessage,
  response: ServerResponse,
): Log {
  const start = performance.now();
  return (fault) => {
    const [path = ""] = pathOf(url).split("?", 1); // without the password of an absolute URL
    const status = fault === undefined ? response.statusCode : null;
    const milliseconds = performance.now() - start;
    onRequest?.({ method, path: ref.redact(path, headers), status, fault: fault ?? null, milliseconds });
  };
}

/** Responds to a request that is not one to an API; returns whether it is one. */
function isHandled(
  { hosts, cors, intercept }: ListenerParts,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (!hosts.allows(request.headers.host)) {
    request.resume();
    response.writeHead(421, { "content-type": "text/plain" });
    response.end("The Host of this request is not an address of the server; see allowHosts or --allow-host");
    return true;
  }
  if (intercept?.(request, response) === true) return true;
  const preflight = cors ? preflightHeaders(request) : undefined;
  if (preflight === undefined) return false;
  response.writeHead(204, preflight).end();
  return true;
}

function responseTo(
  ref: ReferenceServer,
  longestFirst: readonly Mount[],
  { headers, method = "", url = "" }: IncomingMessage,
  body: ReadBody,
): CoreResponse {
  const target = pathOf(url);
  const mount = longestFirst.find(
    ({ path }) => target.startsWith(path) && /^(?:[/?#]|$)/.test(target.slice(path.length)),
  );
  if (mount === undefined) {
    const text = "No API of the reference server has this path";
    return { status: 404, headers: { "content-type": "text/plain" }, body: text, delay: 0, fault: null };
  }
  return ref.respond({
    base: mount.base,
    method,
    target: target.slice(mount.path.length),
    authorization: headers.authorization,
    contentType: headers["content-type"],
    apiVersion: headers["x-service-api-version"] as string | undefined, // only Set-Cookie is an array
    headers,
    ...body,
  });
}

/** A signal that is aborted when the client disconnects before its response is complete. */
function disconnection(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}

/** Returns path and query; a request to a proxy has an absolute URL. */
function pathOf(url: string): string {
  if (url.startsWith("/") || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
