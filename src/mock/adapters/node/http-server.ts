import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { ReferenceServer } from "../../reference-server.ts";
import type { CoreResponse, TransportFault } from "../../server/endpoint.ts";
import { addCorsHeaders, BodyEncoder, handlePreflight, send } from "./sending.ts";
import { Connections } from "./connections.ts";
import type { HostGuard } from "../../../wire/host-guard.ts";
import { listenOn } from "../../../wire/listen.ts";
import { type Mount, Mounts } from "./mounts.ts";
import { type ReadBody, declaresTooLarge, hasBody, readBody } from "./request-body.ts";

/** A request and its end, reported when its response is sent. */
export interface ServedRequest {
  request: IncomingMessage;
  /** `null` if a fault replaced the response. */
  status: number | null;
  fault: TransportFault | null;
  /** Milliseconds since the head of the request was read. */
  milliseconds: number;
}

export interface HttpServerOptions {
  /** Whether pages of other origins can read responses; preflights are included. */
  cors: boolean;
  /** Checks the header `Host` of every request. */
  hosts: HostGuard;
  /** Receives each request first; returns whether it has responded. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  onServed?: (served: ServedRequest) => void;
}

/** Longer than the pauses in a test: a connection that is closed in a pause would be an unwanted fault. */
const KEEP_ALIVE = 60_000;

/** The largest head of a request in bytes: enough for a query with thousands of IDs. */
const HEAD_LIMIT = 262_144;

/** The number of open connections of clients. */
const MAX_CONNECTIONS = 2_000;

/** The time limits of a request in milliseconds. */
const TIME_LIMITS = { headersTimeout: 60_000, requestTimeout: 300_000 };

/** A reference server on `node:http`. */
export class HttpServer {
  readonly mounts: Mounts;
  readonly #ref: ReferenceServer;
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #encoder = new BodyEncoder();

  constructor(ref: ReferenceServer, options: HttpServerOptions) {
    this.#ref = ref;
    this.#options = options;
    this.mounts = new Mounts(ref);
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE, maxHeaderSize: HEAD_LIMIT, ...TIME_LIMITS });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#connections = new Connections(this.#server);
    this.#server.on("request", (request, response) => this.#accept(request, response));
    this.#server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
      if (!declaresTooLarge(request, this.#ref.bodyLimit)) response.writeContinue();
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
    const { cors, hosts, intercept } = this.#options;
    const startTime = this.#options.onServed === undefined ? 0 : performance.now();
    if (!hosts.allows(request.headers.host)) {
      rejectHost(request, response);
      this.#reportServed(request, response, null, startTime);
      return;
    }
    if (intercept?.(request, response) === true) {
      response.once("finish", () => this.#reportServed(request, response, null, startTime));
      return;
    }
    if (cors && handlePreflight(request, response)) {
      this.#reportServed(request, response, null, startTime);
      return;
    }
    const { socket } = request;
    // In a pipeline, a GET waits for an earlier write whose body is still being read.
    if (!hasBody(request) && !this.#connections.isReadingBody(socket)) {
      this.#connections.whenWritable(socket, () =>
        this.#coreResponse(request, response, undefined, startTime),
      );
      return;
    }
    this.#connections.countBodyRead(socket, 1);
    readBody(request, this.#ref.bodyLimit, (body) => {
      this.#connections.whenWritable(socket, () => this.#coreResponse(request, response, body, startTime));
      this.#connections.countBodyRead(socket, -1);
    });
  }

  #coreResponse(
    request: IncomingMessage,
    response: ServerResponse,
    body: ReadBody | undefined,
    startTime: number,
  ): void {
    const target = pathOf(request.url ?? "");
    const mount = this.mounts.find(target);
    const coreResponse = mount === undefined ? respondOutside() : this.#respond(mount, target, request, body);
    if (this.#options.cors) addCorsHeaders(coreResponse.headers);
    if (coreResponse.delay > 0) void this.#sendDelayed(request, response, coreResponse, startTime);
    else this.#send(request, response, coreResponse, startTime);
  }

  #respond(mount: Mount, target: string, request: IncomingMessage, body: ReadBody | undefined): CoreResponse {
    const { headers } = request;
    return this.#ref.respond({
      base: mount.base,
      method: request.method ?? "",
      target: mount.path === "" ? target : target.slice(mount.path.length),
      authorization: headers.authorization,
      contentType: headers["content-type"],
      apiVersion: headers["x-service-api-version"] as string | undefined, // only Set-Cookie is an array
      headers,
      ...body,
    });
  }

  async #sendDelayed(
    request: IncomingMessage,
    response: ServerResponse,
    coreResponse: CoreResponse,
    startTime: number,
  ): Promise<void> {
    const { socket } = request;
    const disconnected = new AbortController();
    this.#connections.delayed(socket, 1);
    response.once("close", () => {
      disconnected.abort();
      if (coreResponse.fault === null) this.#connections.delayed(socket, -1);
    });
    try {
      await this.#ref.timers.wait(coreResponse.delay, disconnected.signal);
    } catch {
      return; // the client has disconnected
    }
    this.#send(request, response, coreResponse, startTime);
    if (coreResponse.fault !== null) this.#connections.delayed(socket, -1);
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    coreResponse: CoreResponse,
    startTime: number,
  ): void {
    try {
      send(response, coreResponse, this.#encoder);
      if (coreResponse.fault === null)
        this.#connections.countUnsent(
          request.socket,
          response,
          Number(coreResponse.headers["content-length"] ?? 0),
        );
    } catch (error) {
      // a header of `ref.on` that is invalid in HTTP
      response.writeHead(500, { "content-type": "text/plain" });
      response.end(String(error));
    }
    this.#reportServed(request, response, coreResponse.fault, startTime);
  }

  #reportServed(
    request: IncomingMessage,
    response: ServerResponse,
    fault: TransportFault | null,
    startTime: number,
  ): void {
    const { onServed } = this.#options;
    if (onServed === undefined) return;
    const status = fault === null ? response.statusCode : null;
    onServed({ request, status, fault, milliseconds: performance.now() - startTime });
  }
}

function rejectHost(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(421, { "content-type": "text/plain" });
  response.end("The Host of this request is not an address of the server; see allowHosts or --allow-host");
}

/** Returns path and query; a request to a proxy has an absolute URL. */
function pathOf(url: string): string {
  if (url.startsWith("/") || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The response for a path outside the APIs. */
function respondOutside(): CoreResponse {
  const headers = { "content-type": "text/plain" };
  return {
    status: 404,
    headers,
    body: "No API of the reference server has this path",
    delay: 0,
    fault: null,
  };
}
