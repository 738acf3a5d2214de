import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  constants,
  createSecureServer,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Certificate } from "./certificates.ts";

/** The responses of Node's two HTTP servers have these parts in common. */
export type Reply = ServerResponse & Partial<Pick<Http2ServerResponse, "stream">>;

/** Sends a response with JSON. */
export type Respond = (reply: Reply, status: number, json: string, attempt: number) => void;

const headers = { "content-type": "application/json" };

const encoded =
  (name: string, compress: (text: string) => Buffer): Respond =>
  (reply, status, json) =>
    void reply.writeHead(status, { ...headers, "content-encoding": name }).end(compress(json));

/** The ways in which a service responds. */
export const responses = {
  plain: (reply, status, json) => void reply.writeHead(status, headers).end(json),
  after102(reply, status, json) {
    reply.writeProcessing();
    reply.writeHead(status, headers).end(json);
  },
  after103(reply, status, json) {
    reply.writeEarlyHints({ link: "</style.css>; rel=preload" });
    reply.writeHead(status, headers).end(json);
  },
  gzip: encoded("gzip", gzipSync),
  br: encoded("br", brotliCompressSync),
  deflate: encoded("deflate", deflateSync),
  /** Each byte is a chunk of `transfer-encoding: chunked`. */
  bytes(reply, status, json) {
    reply.writeHead(status, { ...headers, "transfer-encoding": "chunked" }).flushHeaders();
    const sent = Buffer.alloc(json.length * 6, "1\r\n.\r\n");
    for (const [index, byte] of Buffer.from(json).entries()) sent[index * 6 + 3] = byte;
    reply.socket?.write(sent);
    reply.end();
  },
  /** The first body of a GET is cut off in its middle. */
  cut(reply, status, json, attempt) {
    reply.writeHead(status, { ...headers, "content-length": String(json.length) });
    if (status === 201 || attempt > 1) reply.end(json);
    else reply.write(json.slice(0, json.length / 2), () => disconnect(reply));
  },
} satisfies Record<string, Respond>;

/** Ends a connection without a response. */
function disconnect({ stream, socket }: Reply): void {
  if (stream === undefined) socket?.destroy();
  else stream.session?.destroy();
}

/** The ways in which a response is lost over HTTP/2 besides a connection that ends. */
const losses = {
  reset: (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
  /** The service does not say that it has not processed the request. */
  goaway(stream: ServerHttp2Stream) {
    stream.session?.goaway(constants.NGHTTP2_NO_ERROR, stream.id ?? 0);
    stream.close(constants.NGHTTP2_CANCEL);
  },
} as const;

export interface ServiceOptions {
  protocol: "http" | "https" | "h2";
  certificate: Certificate;
  /** The authority of the client's certificate, if the service asks for one. */
  clientAuthority?: string | undefined;
  respond: Respond;
  /** How a response is lost over HTTP/2 (default: the connection ends). */
  loss?: keyof typeof losses | undefined;
}

/** A fleet service with one vehicle of 1 MB, one that is never sent, and a POST whose response is lost. */
export class Service {
  readonly #server: Server;
  readonly #respond: Respond;
  readonly #events = new EventEmitter();
  readonly #connections = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #protocol: string;
  readonly #loss: keyof typeof losses | undefined;
  /** The number of requests with each method and ID. */
  readonly requests: Record<string, number> = {};
  /** The versions of HTTP of the requests. */
  readonly versions = new Set<string>();
  /** The common names of the clients' certificates. */
  readonly clients = new Set<string>();

  constructor({ protocol, certificate, clientAuthority, respond, loss }: ServiceOptions) {
    const tls = {
      ...certificate,
      allowHTTP1: true,
      ...(clientAuthority !== undefined && {
        ca: clientAuthority,
        requestCert: true,
        rejectUnauthorized: true,
      }),
    };
    const listener = (request: IncomingMessage, reply: ServerResponse): void =>
      void this.#handle(request, reply);
    this.#respond = respond;
    this.#loss = loss;
    this.#protocol = protocol === "http" ? "http" : "https";
    if (protocol === "http") this.#server = createServer(listener);
    else if (protocol === "https") this.#server = createTlsServer(tls, listener);
    else this.#server = createSecureServer(tls, listener as never) as never; // the parts that both have
    this.#server.on(protocol === "http" ? "connection" : "secureConnection", (socket: Socket) => {
      this.#connections.add(socket);
      socket.on("error", () => {}).on("close", () => this.#connections.delete(socket));
    });
    this.#server.on("session", (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.on("error", () => {}).on("close", () => this.#sessions.delete(session));
    });
  }

  async listen(): Promise<this> {
    await once(this.#server.listen(0), "listening");
    return this;
  }

  urlAt(host: string): string {
    const { port } = this.#server.address() as AddressInfo; // it listens on a port
    return `${this.#protocol}://${host}:${port}/api/third-party/v1`;
  }

  /** Resolves with the next event: `stalled`, when a request waits for ever, or `closed`, when its client has gone. */
  async next(event: "stalled" | "closed"): Promise<void> {
    await once(this.#events, event);
  }

  /** Ends the idle connections, and waits until the client has noticed. */
  async closeIdle(): Promise<void> {
    const idle = [...this.#connections];
    const ended = idle.map((socket) => once(socket, "close"));
    if (this.#sessions.size === 0) for (const socket of idle) socket.end();
    for (const session of this.#sessions) session.close();
    await Promise.all(ended);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#connections) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, reply: Reply): Promise<void> {
    reply.on("error", () => {});
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = "" } = request;
    const id =
      method === "POST"
        ? (JSON.parse(text) as { plateNumber: string }).plateNumber
        : request.url?.split("/").at(-1);
    const name = `${method} ${id}`;
    const attempt = (this.requests[name] ?? 0) + 1;
    this.requests[name] = attempt;
    this.versions.add(request.httpVersion);
    const socket = request.socket as { getPeerCertificate?: () => { subject?: { CN?: string } } };
    this.clients.add(socket.getPeerCertificate?.().subject?.CN ?? "none");
    if (id === "lost")
      return this.#loss === undefined ? disconnect(reply) : losses[this.#loss](reply.stream as never); // HTTP/2
    if (id === "stalled") {
      reply.on("close", () => this.#events.emit("closed"));
      this.#events.emit("stalled");
      return;
    }
    const vehicle = { id, note: id === "large" ? "x".repeat(1_000_000) : "" };
    this.#respond(
      reply,
      method === "POST" ? 201 : 200,
      JSON.stringify({ data: vehicle, meta: { version: "v1" } }),
      attempt,
    );
  }
}
