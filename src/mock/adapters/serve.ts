import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import * as z from "zod/mini";
import { HOST_NAME_EXPECTED, HostGuard, isHostName, originOf } from "../../wire/host-guard.ts";
import { listenOn } from "../../wire/listen.ts";
import type { ReferenceServer } from "../reference-server.ts";
import type { Base, CoreResponse } from "../server/exchange.ts";
import { parse } from "../server/schemas.ts";
import { CORS_HEADERS, preflightHeaders } from "./cors.ts";
import { sendResponse } from "./http-response.ts";
import { OpenConnections } from "./open-connections.ts";
import { declaresTooLarge, type ReadBody, readBody } from "./request-body.ts";

/** Options of `serve`. */
export interface ServeOptions {
  /** The port. Default: a free port. */
  port?: number | undefined;
  /** The address to listen on. Default: `127.0.0.1`, which other machines cannot reach. */
  host?: string | undefined;
  /** Whether pages of any origin may call the server. */
  cors?: boolean | undefined;
  /**
   * Further names that the header `Host` of a request may have, such as the name of a container. By default it must
   * be the address that the server listens on; a request with another name gets 421.
   */
  allowHosts?: readonly string[] | undefined;
}

/** A reference server that listens. */
export interface ServedReference {
  readonly storeUrl: string;
  readonly fleetUrl: string;
  readonly sandboxUrl: string;
  readonly port: number;
  /** Finishes open responses, ends connections that are idle for half a second, and frees the port. May be called twice. */
  close(): Promise<void>;
}

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
  intercept?(request: IncomingMessage, response: ServerResponse): boolean;
  onRequest?(summary: RequestSummary): void;
}

const serveSchema = z.strictObject({
  port: z.optional(z.int().check(z.gte(0), z.lte(65_535))),
  host: z.optional(z.string()),
  cors: z.optional(z.boolean()),
  allowHosts: z.optional(z.array(z.string().check(z.refine(isHostName, HOST_NAME_EXPECTED)))),
});

/** Enough for a query with thousands of IDs; a connection that is closed in a pause of a test would be an unwanted fault. */
const HTTP_LIMITS = {
  maxHeaderSize: 262_144,
  keepAliveTimeout: 60_000,
  headersTimeout: 60_000,
  requestTimeout: 300_000,
};

const MAX_CONNECTIONS = 2_000;

/**
 * Serves a reference server over HTTP. Rejects with Node's error if it cannot listen, such as
 * `EADDRINUSE`.
 *
 * @example const { storeUrl, close } = await serve(ref, { port: 4010 });
 */
export async function serve(ref: ReferenceServer, options: ServeOptions = {}): Promise<ServedReference> {
  return serveWith(ref, options, {});
}

/** Serves a reference server with the hooks of the command line. */
export async function serveWith(
  ref: ReferenceServer,
  options: ServeOptions,
  hooks: ServeHooks,
): Promise<ServedReference> {
  const parsed = parse(serveSchema, options, "serve");
  const { port = 0, host = "127.0.0.1", cors = false, allowHosts = [] } = parsed;
  const http = createServer(HTTP_LIMITS);
  http.maxConnections = MAX_CONNECTIONS;
  const mounts = mountsOf(ref);
  const hosts = new HostGuard(host, allowHosts);
  const server = new HttpServer(http, ref, { mounts, hosts, cors, hooks });
  const bound = await listenOn(http, port, host);
  const [store = "", fleet = "", sandbox = ""] = mounts.map(({ path }) => originOf(host, bound) + path);
  return {
    storeUrl: store,
    fleetUrl: fleet,
    sandboxUrl: sandbox,
    port: bound,
    close: () => server.connections.close(),
  };
}

/** The path of one of the three APIs on the server, without a trailing slash. */
interface Mount {
  readonly base: Base;
  readonly path: string;
}

/** Each API keeps the path of its base URL; a path that is already used gets the name of the base as a prefix. */
function mountsOf({ storeUrl, fleetUrl, sandboxUrl }: ReferenceServer): Mount[] {
  const mounts: Mount[] = [];
  const urls: [Base, string][] = [
    ["store", storeUrl],
    ["fleet", fleetUrl],
    ["sandbox", sandboxUrl],
  ];
  for (const [base, url] of urls) {
    let path = new URL(url).pathname.replace(/\/+$/, "");
    while (mounts.some((other) => other.path === path)) path = `/${base}${path}`;
    mounts.push({ base, path });
  }
  return mounts;
}

interface HttpServerParts {
  readonly mounts: readonly Mount[];
  readonly hosts: HostGuard;
  readonly cors: boolean;
  readonly hooks: ServeHooks;
}

/** A reference server on `node:http`. */
class HttpServer {
  readonly connections: OpenConnections;
  readonly #ref: ReferenceServer;
  readonly #longestFirst: readonly Mount[];
  readonly #hosts: HostGuard;
  readonly #cors: boolean;
  readonly #hooks: ServeHooks;

  constructor(server: Server, ref: ReferenceServer, { mounts, hosts, cors, hooks }: HttpServerParts) {
    this.connections = new OpenConnections(server);
    this.#ref = ref;
    this.#longestFirst = mounts.toSorted((a, b) => b.path.length - a.path.length);
    this.#hosts = hosts;
    this.#cors = cors;
    this.#hooks = hooks;
    server.on("request", (request, response) => this.#accept(request, response));
    server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
      if (!declaresTooLarge(request, ref.bodyLimit)) response.writeContinue();
      this.#accept(request, response);
    });
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    const start = performance.now();
    this.connections.count(request.socket, response);
    if (this.#isHandled(request, response)) {
      this.#logWhenSent(request, response, start);
      return;
    }
    // the body of a GET is read too, so that the requests of a pipeline are handled in their order
    const { resets, bodyLimit } = this.#ref;
    readBody(request, bodyLimit, (body) => {
      // a request that began before a reset belongs to the test before
      if (resets === this.#ref.resets) void this.#respond(request, response, body, start);
      else request.socket.destroy();
    });
  }

  /** Responds to a request that is not one to an API; returns whether it is one. */
  #isHandled(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#hosts.allows(request.headers.host)) {
      request.resume();
      response.writeHead(421, { "content-type": "text/plain" });
      response.end(
        "The Host of this request is not an address of the server; see allowHosts or --allow-host",
      );
      return true;
    }
    if (this.#hooks.intercept?.(request, response) === true) return true;
    const preflight = this.#cors ? preflightHeaders(request) : undefined;
    if (preflight === undefined) return false;
    response.writeHead(204, preflight).end();
    return true;
  }

  async #respond(
    request: IncomingMessage,
    response: ServerResponse,
    body: ReadBody,
    start: number,
  ): Promise<void> {
    const core = this.#responseTo(request, body);
    const { delay, fault } = core;
    if (this.#cors) core.headers = { ...CORS_HEADERS, ...core.headers };
    try {
      const signal = delay > 0 || fault !== null ? disconnection(response) : null;
      if (delay > 0) await this.#ref.timers.wait(delay, signal);
      if (fault === null) this.#logWhenSent(request, response, start);
      else this.#log(request, null, fault.kind, start);
      await sendResponse(response, core, this.#ref.timers, signal);
    } catch (error) {
      if (response.headersSent || response.destroyed) return; // the client has disconnected
      // a header of `ref.on` that is invalid in HTTP
      response.writeHead(500, { "content-type": "text/plain" });
      response.end(String(error));
    }
  }

  #responseTo(request: IncomingMessage, body: ReadBody): CoreResponse {
    const { headers, method = "" } = request;
    const target = pathOf(request.url ?? "");
    const mount = this.#longestFirst.find(
      ({ path }) => target.startsWith(path) && /^(?:[/?#]|$)/.test(target.slice(path.length)),
    );
    if (mount === undefined) {
      const text = "No API of the reference server has this path";
      return { status: 404, headers: { "content-type": "text/plain" }, body: text, delay: 0, fault: null };
    }
    return this.#ref.respond({
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

  #logWhenSent(request: IncomingMessage, response: ServerResponse, start: number): void {
    if (this.#hooks.onRequest === undefined) return;
    response.once("finish", () => this.#log(request, response.statusCode, null, start));
  }

  #log(request: IncomingMessage, status: number | null, fault: string | null, start: number): void {
    const { method = "", url = "", headers } = request;
    const milliseconds = performance.now() - start;
    const [path = ""] = pathOf(url).split("?", 1); // without the password of an absolute URL
    this.#hooks.onRequest?.({ method, path: this.#ref.redact(path, headers), status, fault, milliseconds });
  }
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
