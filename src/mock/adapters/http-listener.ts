import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ReferenceServer } from "../reference-server.ts";
import {
  type Base,
  BODY_LIMIT,
  type CoreRequest,
  type CoreResponse,
  decodeBody,
  type RequestHeaders,
  serialize,
} from "../server/exchange.ts";
import type { Timers } from "../server/clock.ts";
import { CORS_HEADERS, faultyBody, preflightHeaders } from "./fetch.ts";

/** One request, as a log shows it. */
export interface RequestSummary {
  method: string;
  /** Without the query and without secrets. */
  path: string;
  /** `null` if a fault replaced the response. */
  status: number | null;
  fault: string | null;
  /** The first violation of the contract, without secrets; `null` without one. */
  violation: string | null;
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
  /** The longest path first. */
  readonly mounts: readonly Mount[];
  readonly isAllowedHost: (header: string | undefined) => boolean;
  readonly cors: boolean;
}

/** Returns the function that handles the requests to a reference server. */
export function httpListener(
  ref: ReferenceServer,
  parts: ListenerParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) =>
    void respond(ref, parts, request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return; // the client has disconnected
      // a header of `ref.on` that is invalid in HTTP
      response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
    });
}

async function respond(
  ref: ReferenceServer,
  parts: ListenerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { resets } = ref;
  const start = performance.now();
  const report = (core?: CoreResponse): void =>
    parts.onRequest?.(summaryOf(ref, response, performance.now() - start, core));
  if (isHandled(parts, request, response)) {
    response.once("finish", () => report());
    return;
  }
  // the body of a GET is read too, so that the requests of a pipeline are handled in their order
  const body = await readBody(request, BODY_LIMIT);
  if (resets !== ref.resets) {
    request.socket.destroy(); // a request that began before a reset belongs to the test before
    return;
  }
  const core = responseTo(ref, parts.mounts, request, body);
  if (parts.cors) core.headers = { ...CORS_HEADERS, ...core.headers };
  const disconnected = new AbortController();
  // creating the reason of an abort takes a third of a short response
  response.once("close", () => response.writableFinished || disconnected.abort());
  if (core.delay > 0) await ref.timers.wait(core.delay, disconnected.signal);
  if (core.fault === null) response.once("finish", () => report(core));
  else report(core);
  await sendResponse(response, core, ref.timers, disconnected.signal);
}

/** Describes a request at its end, which is a fault or its response, for a log. */
function summaryOf(
  { secrets }: ReferenceServer,
  { req: { method = "", url = "" }, statusCode }: ServerResponse,
  milliseconds: number,
  { fault = null, violations: [issue] = [] }: Partial<CoreResponse> = {},
): RequestSummary {
  const [path = ""] = pathOf(url).split("?", 1); // without the password of an absolute URL
  return {
    method,
    path: secrets.text(path),
    status: fault === null ? statusCode : null,
    fault: fault && fault.kind,
    violation: issue ? secrets.text([issue.path, issue.message].filter(Boolean).join(": ")) : null,
    milliseconds,
  };
}

/** Responds to a request that is not one to an API; returns whether it is one. */
function isHandled(
  { isAllowedHost, cors, intercept }: ListenerParts,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (!isAllowedHost(request.headers.host)) {
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
  mounts: readonly Mount[],
  { headers, method = "", url = "" }: IncomingMessage,
  body: ReadBody,
): CoreResponse {
  const target = pathOf(url);
  const mount = mounts.find(
    ({ path }) => target.startsWith(path) && /^(?:[/?#]|$)/.test(target.slice(path.length)),
  );
  if (mount === undefined)
    return serialize({ status: 404, body: "No API of the reference server has this path" });
  return ref.respond({
    base: mount.base,
    method,
    target: target.slice(mount.path.length),
    headers: headers as RequestHeaders, // only Set-Cookie is an array, which requests do not have
    ...body,
  });
}

/** Returns path and query; a request to a proxy has an absolute URL. */
function pathOf(url: string): string {
  if (url.startsWith("/") || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Sends a response with its fault. `signal` is aborted when the client disconnects. */
async function sendResponse(
  response: ServerResponse,
  { status, headers, body, fault }: CoreResponse,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries(headers)));
  if (fault === null) {
    response.end(body ?? undefined);
    return;
  }
  // the earlier responses of a pipeline are sent first
  const socket = response.socket ?? ((await once(response, "socket")) as [Socket])[0];
  const { kind, at } = fault;
  if (kind === "reset") socket.resetAndDestroy();
  else if (kind === "close" || (kind === "truncate" && body === null)) socket.destroySoon();
  // a response without a body is complete with its head, so that nothing of it is sent
  else if (body !== null && !(kind === "stall" && at === "head")) {
    const payload = Buffer.from(body);
    if (!response.hasHeader("content-length")) response.setHeader("content-length", payload.length);
    response.flushHeaders();
    try {
      for await (const part of faultyBody(payload, fault, timers, signal)) response.write(part);
      response.end();
    } catch {
      socket.destroySoon(); // the body is cut, or the client has disconnected
    }
  }
}

/** A body that was read: its text, or the fact that it is larger than the limit. */
export type ReadBody = Pick<CoreRequest, "body" | "notUtf8" | "tooLarge">;

/**
 * Reads a body; never resolves for a request that is cut short. Bytes after the limit are read and discarded. The bodies of a
 * pipeline end in the order of their requests.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  });
  return new Promise((resolve) => {
    request.once("end", () => {
      if (size > limit) resolve({ tooLarge: true });
      else resolve(size === 0 ? {} : decodeBody(Buffer.concat(chunks)));
    });
  });
}
