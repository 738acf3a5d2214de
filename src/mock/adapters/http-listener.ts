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
  readonly mounts: readonly Mount[];
  readonly isAllowedHost: (header: string | undefined) => boolean;
  readonly cors: boolean;
}

/** Returns the function that handles the requests to a reference server. */
export function httpListener(
  ref: ReferenceServer,
  parts: ListenerParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  const mounts = parts.mounts.toSorted((a, b) => b.path.length - a.path.length);

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    body: ReadBody,
    log: (fault?: string | null, violations?: CoreResponse["violations"]) => void,
  ) {
    const core = responseTo(ref, mounts, request, body);
    const { delay, fault, violations } = core;
    if (parts.cors) core.headers = { ...CORS_HEADERS, ...core.headers };
    try {
      const signal = delay > 0 || fault !== null ? disconnection(response) : null;
      if (delay > 0) await ref.timers.wait(delay, signal);
      if (fault === null) response.once("finish", () => log(null, violations));
      else log(fault.kind, violations);
      await sendResponse(response, core, ref.timers, signal);
    } catch (error) {
      if (response.headersSent || response.destroyed) return; // the client has disconnected
      // a header of `ref.on` that is invalid in HTTP
      response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
    }
  }

  return (request, response) => {
    const { method = "", url = "", headers } = request;
    const start = performance.now();
    /** Reports the end of a request, with the fault that replaced its response. */
    const log = (fault: string | null = null, [issue]: CoreResponse["violations"] = []): void => {
      if (parts.onRequest === undefined) return;
      const path = ref.redact(pathOf(url).split("?", 1)[0] ?? "", headers); // without the password of an absolute URL
      const status = fault === null ? response.statusCode : null;
      const words = issue === undefined ? null : [issue.path, issue.message].filter(Boolean).join(": ");
      const violation = words === null ? null : ref.redact(words, headers);
      parts.onRequest({ method, path, status, fault, violation, milliseconds: performance.now() - start });
    };
    if (isHandled(parts, request, response)) {
      response.once("finish", () => log());
      return;
    }
    // the body of a GET is read too, so that the requests of a pipeline are handled in their order
    const { resets } = ref;
    readBody(request, BODY_LIMIT, (body) => {
      // a request that began before a reset belongs to the test before
      if (resets === ref.resets) void respond(request, response, body, log);
      else request.socket.destroy();
    });
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
  longestFirst: readonly Mount[],
  { headers, method = "", url = "" }: IncomingMessage,
  body: ReadBody,
): CoreResponse {
  const target = pathOf(url);
  const mount = longestFirst.find(
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

/** Sends a response with its fault. `signal` is aborted when the client disconnects. */
async function sendResponse(
  response: ServerResponse,
  core: CoreResponse,
  timers: Timers,
  signal: AbortSignal | null,
): Promise<void> {
  const payload = core.body === null ? null : Buffer.from(core.body);
  if (core.fault === null) {
    writeHead(response, core, payload);
    response.end(payload ?? undefined);
    return;
  }
  // the earlier responses of a pipeline are sent first
  const socket = response.socket ?? ((await once(response, "socket")) as [Socket])[0];
  const { kind, at } = core.fault;
  if (kind === "reset") socket.resetAndDestroy();
  else if (kind === "close" || (kind === "truncate" && payload === null)) socket.destroySoon();
  // a response without a body is complete with its head, so that nothing of it is sent
  else if (payload !== null && !(kind === "stall" && at === "head")) {
    writeHead(response, core, payload);
    response.flushHeaders();
    try {
      for await (const part of faultyBody(payload, core.fault, timers, signal)) response.write(part);
      response.end();
    } catch {
      socket.destroySoon(); // the body is cut, or the client has disconnected
    }
  }
}

function writeHead(
  response: ServerResponse,
  { status, headers }: CoreResponse,
  payload: Buffer | null,
): void {
  const hasNoBody = status === 204 || status === 304 || response.req.method === "HEAD";
  const length = String(payload?.length ?? 0);
  // the length is last: an invalid header before it must not leave it in the response
  const added =
    payload === null && hasNoBody ? {} : { "content-length": headers["content-length"] ?? length };
  response.writeHead(status, { ...headers, ...added });
}

/** A body that was read: its text, or the fact that it is larger than the limit. */
export type ReadBody = Pick<CoreRequest, "body" | "notUtf8" | "tooLarge">;

export function declaresTooLarge({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers["content-length"]) > limit;
}

/**
 * Reads a body and calls `done` once; never for a request that is cut short. Bytes after the limit are read and
 * discarded, so that a client that is still sending receives its response.
 */
export function readBody(request: IncomingMessage, limit: number, done: (body: ReadBody) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = declaresTooLarge(request, limit);
  if (isDone) done({ tooLarge: true });
  request.on("data", (chunk: Buffer) => {
    if (isDone) return;
    size += chunk.length;
    chunks.push(chunk);
    if (size <= limit) return;
    isDone = true;
    chunks.length = 0;
    done({ tooLarge: true });
  });
  request.on("end", () => {
    if (!isDone) done(size === 0 ? {} : decodeBody(Buffer.concat(chunks)));
  });
}
