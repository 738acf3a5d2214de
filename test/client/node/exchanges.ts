import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { TransportResponse } from "../../../src/client/core/transport/transport.ts";
import {
  nodeTransport,
  type NodeTransport,
  type NodeTransportOptions,
} from "../../../src/client/node/index.ts";

/** A transport for the current test. */
export function transportFor(options?: NodeTransportOptions): NodeTransport {
  const transport = nodeTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

interface SentRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** Sends a GET, or the request in `sent`. */
export function send(
  transport: NodeTransport,
  url: string,
  sent: SentRequest = {},
): Promise<TransportResponse> {
  const { method = "GET", headers = {}, body, signal = new AbortController().signal } = sent;
  return transport({ method, url, headers, body, signal });
}

/** The whole body as a string. */
export async function textOf(response: TransportResponse): Promise<string> {
  const { bytes } = await response.read(Infinity);
  return Buffer.from(bytes).toString();
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  const settled = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(settled instanceof Error)) throw new Error(`expected an Error, got ${String(settled)}`);
  return settled;
}

/** Listens on a loopback port for the current test, and closes the connections after it. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port; // it listens on a port
}

export interface RawServer {
  url: string;
  /** The heads of the requests in the order of their arrival. */
  heads: string[];
  /** The number of connections that were opened. */
  sockets: Socket[];
}

/** A server that writes bytes: no HTTP library corrects them. `respond` is called for each head that has arrived. */
export async function rawServer(respond: (socket: Socket, index: number) => void): Promise<RawServer> {
  const heads: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let waiting = "";
    socket.on("data", (bytes) => {
      waiting += bytes.toString("latin1");
      for (let end = waiting.indexOf("\r\n\r\n"); end !== -1; end = waiting.indexOf("\r\n\r\n")) {
        heads.push(waiting.slice(0, end));
        waiting = waiting.slice(end + 4);
        respond(socket, heads.length - 1);
      }
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}/`, heads, sockets };
}
