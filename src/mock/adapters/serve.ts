import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import * as z from "zod/mini";
import { HOST_NAME_EXPECTED, HostGuard, isHostName, originOf } from "../../wire/host-guard.ts";
import { listenOn } from "../../wire/listen.ts";
import type { ReferenceServer } from "../reference-server.ts";
import type { Base, CoreResponse, TransportFault } from "../server/exchange.ts";
import { parse } from "../server/schemas.ts";
import { declaresTooLarge, hasBody, type ReadBody, readBody, sendResponse, sendSlowly } from "./bodies.ts";
import { Connections } from "./connections.ts";
import { CORS_HEADERS, preflightHeaders } from "./cors.ts";

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
  /** Finishes open responses, ends idle and stalled connections, and frees the port. May be called twice. */
  close(): Promise<void>;
}

/** A request and its end, reported when its response is sent. */
export interface ServedRequest {
  request: IncomingMessage;
  /** `null` if a fault replaced the response. */
  status: number | null;
  fault: TransportFault | null;
  /** Milliseconds since the head of the request was read. */
  milliseconds: number;
}

/** What the command line adds to a server. */
export interface ServeHooks {
  /** Receives each request first; returns whether it has responded. */
  intercept?(request: IncomingMessage, response: ServerResponse): boolean;
  onServed?(served: ServedRequest): void;
}

const serveSchema = z.strictObject({
  port: z.optional(z.int().check(z.gte(0), z.lte(65_535))),
  host: z.optional(z.string()),
  cors: z.optional(z.boolean()),
  allowHosts: z.optional(z.array(z.string().check(z.refine(isHostName, HOST_NAME_EXPECTED)))),
});

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
  const {
    port = 0,
    host = "127.0.0.1",
    cors = false,
    allowHosts = [],
  } = parse(serveSchema, options, "serve");
  const server = new HttpServer(ref, new HostGuard(host, allowHosts), cors, hooks);
  const bound = await server.listen(port, host);
  const [store, fleet, sandbox] = server.mounts.map(({ path }) => originOf(host, bound) + path);
  return {
    storeUrl: store ?? "",
    fleetUrl: fleet ?? "",
    sandboxUrl: sandbox ?? "",
    port: bound,
    close: () => server.close(),
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
  for (const [base, url] of [
    ["store", storeUrl] as const,
    ["fleet", fleetUrl] as const,
    ["sandbox", sandboxUrl] as const,
  ]) {
    let path = new URL(url).pathname.replace(/\/+$/, "");
    while (mounts.some((other) => other.path === path)) path = `/${base}${path}`;
    mounts.push({ base, path });
  }
  return mounts;
}

/** A connection that is closed in a pause of a test would be an unwanted fault. */
const KEEP_ALIVE = 60_000;

/** The largest head of a request in bytes: enough for a query with thousands of IDs. */
const HEAD_LIMIT = 262_144;

/** The number of open connections of clients. */
const MAX_CONNECTIONS = 2_000;

/** The time limits of a request in milliseconds. */
const TIME_LIMITS = { headersTimeout: 60_000, requestTimeout: 300_000 };

/** A reference server on `node:http`. */
class HttpServer {
  /** Those of the store API, of production and of the sandbox. */
  readonly mounts: readonly Mount[];
  readonly #ref: ReferenceServer;
  readonly #hosts: HostGuard;
  readonly #cors: boolean;
  readonly #hooks: ServeHooks;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #longestFirst: readonly Mount[];

  constructor(ref: ReferenceServer, hosts: HostGuard, cors: boolean, hooks: ServeHooks) {
    this.#ref = ref;
    this.#hosts = hosts;
    this.#cors = cors;
    this.#hooks = hooks;
    this.mounts = mountsOf(ref);
    this.#longestFirst = this.mounts.toSorted((a, b) => b.path.length - a.path.length);
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE, maxHeaderSize: HEAD_LIMIT, ...TIME_LIMITS });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#connections = new Connections(this.#server);
    this.#server.on("request", (request, response) => this.#accept(request, response));
    this.#server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
      if (!declaresTooLarge(request, ref.bodyLimit)) response.writeContinue();
      this.#accept(request, response);
    });
  }

  listen(port: number, host: string): Promise<number> {
    return listenOn(this.#server, port, host);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const start = this.#hooks.onServed === undefined ? 0 : performance.now();
    const preflight = this.#cors ? preflightHeaders(request) : undefined;
    const report = (fault: TransportFault | null) => this.#report(request, response, fault, start);
    if (!this.#hosts.allows(request.headers.host)) {
      request.resume();
      response.writeHead(421, { "content-type": "text/plain" });
      response.end(
        "The Host of this request is not an address of the server; see allowHosts or --allow-host",
      );
      report(null);
    } else if (this.#hooks.intercept?.(request, response) === true)
      response.once("finish", () => report(null));
    else if (preflight !== undefined) {
      response.writeHead(204, preflight).end();
      report(null);
    } else if (!hasBody(request) && !this.#connections.isReadingBody(socket)) {
      // in a pipeline, a GET waits for an earlier write whose body is still being read
      this.#connections.whenWritable(socket, () => void this.#respond(request, response, {}, report));
    } else {
      this.#connections.count(socket, "bodyReads", 1);
      const { resets } = this.#ref;
      readBody(request, this.#ref.bodyLimit, (body) => {
        // a request that began before a reset belongs to the test before
        if (resets !== this.#ref.resets) {
          socket.destroy();
          return;
        }
        this.#connections.whenWritable(socket, () => void this.#respond(request, response, body, report));
        this.#connections.count(socket, "bodyReads", -1);
      });
    }
  }

  async #respond(
    request: IncomingMessage,
    response: ServerResponse,
    body: ReadBody,
    report: (fault: TransportFault | null) => void,
  ): Promise<void> {
    const { socket } = request;
    const core = this.#responseTo(request, body);
    if (this.#cors) Object.assign(core.headers, { ...CORS_HEADERS, ...core.headers });
    if (core.delay > 0 && !(await this.#wait(core, socket, response))) return;
    try {
      if (core.fault?.kind === "slow") await sendSlowly(response, core, this.#ref.timers);
      else sendResponse(response, core);
      const bytes = Number(core.headers["content-length"] ?? 0);
      if (core.fault === null) this.#connections.countUnsent(socket, response, bytes);
    } catch (error) {
      // a header of `ref.on` that is invalid in HTTP
      response.writeHead(500, { "content-type": "text/plain" });
      response.end(String(error));
    }
    if (core.delay > 0 && core.fault !== null) this.#connections.count(socket, "delayed", -1);
    report(core.fault);
  }

  #responseTo(request: IncomingMessage, body: ReadBody): CoreResponse {
    const { headers, method = "" } = request;
    const target = pathOf(request.url ?? "");
    const mount = this.#longestFirst.find(
      ({ path }) =>
        target.startsWith(path) && /^(?:[/?#]|$)/.test(target.slice(path.length, path.length + 1)),
    );
    if (mount === undefined) {
      const text = "No API of the reference server has this path";
      return { status: 404, headers: { "content-type": "text/plain" }, body: text, delay: 0, fault: null };
    }
    return this.#ref.respond({
      base: mount.base,
      method,
      target: mount.path === "" ? target : target.slice(mount.path.length),
      authorization: headers.authorization,
      contentType: headers["content-type"],
      apiVersion: headers["x-service-api-version"] as string | undefined, // only Set-Cookie is an array
      headers,
      ...body,
    });
  }

  /** Waits for the delay of a response; returns false if the client has disconnected. */
  async #wait(
    { delay, fault }: CoreResponse,
    socket: IncomingMessage["socket"],
    response: ServerResponse,
  ): Promise<boolean> {
    const disconnected = new AbortController();
    this.#connections.count(socket, "delayed", 1);
    response.once("close", () => {
      disconnected.abort();
      if (fault === null) this.#connections.count(socket, "delayed", -1);
    });
    return this.#ref.timers.wait(delay, disconnected.signal).then(
      () => true,
      () => false,
    );
  }

  #report(
    request: IncomingMessage,
    response: ServerResponse,
    fault: TransportFault | null,
    start: number,
  ): void {
    const status = fault === null ? response.statusCode : null;
    this.#hooks.onServed?.({ request, status, fault, milliseconds: performance.now() - start });
  }
}

/** Returns path and query; a request to a proxy has an absolute URL. */
function pathOf(url: string): string {
  if (url.startsWith("/") || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
