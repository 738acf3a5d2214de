import { type IncomingMessage, type RequestListener, createServer, request } from "node:http";
import { type AddressInfo, type Socket, connect, createServer as createSocketServer } from "node:net";
import { onTestFinished } from "vitest";
import type { Finding } from "../../../src/field/proxy/check/finding.ts";
import { Proxy, type ProxyOptions } from "../../../src/field/proxy/proxy.ts";

/** Starts a service for the current test. Returns its origin. */
export async function service(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.maxHeadersCount = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface RunningProxy {
  readonly proxy: Proxy;
  readonly origin: string;
  readonly findings: Finding[];
}

/** Starts a proxy on a free port for the current test. */
export async function proxyFor(options: Partial<ProxyOptions>): Promise<RunningProxy> {
  const findings: Finding[] = [];
  const proxy = new Proxy({
    port: 0,
    host: "127.0.0.1",
    allowHosts: [],
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  const origin = await proxy.listen();
  onTestFinished(async () => {
    await proxy.close();
  });
  return { proxy, origin, findings };
}

export interface Received {
  readonly status: number;
  readonly message: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly trailers: readonly string[];
}

export async function receive(response: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    message: response.statusMessage ?? "",
    rawHeaders: response.rawHeaders,
    body: Buffer.concat(chunks),
    trailers: response.rawTrailers,
  };
}

/** Sends a request without a connection pool. Returns the response with its raw header. */
export function send(
  url: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      receive(response).then(resolve, reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The values of a header. */
export function valuesOf({ rawHeaders }: Received, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** Starts a service that sends these bytes as its response to each request; resolves with its origin. */
export async function rawService(response: () => string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.from(response(), "latin1")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}

/** Sends bytes to the proxy and resolves with all bytes until it closes the connection. */
export function exchange(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("latin1");
    socket.on("data", (part: string) => (received += part));
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

/** Starts a proxy before a service that keeps method and body of each request, and the last trailers. */
export async function requestsTo(): Promise<{ origin: string; requests: string[][]; trailers: string[] }> {
  const [requests, trailers]: [string[][], string[]] = [[], []];
  const storeUrl = await service((received, response) => {
    let body = "";
    received.on("data", (chunk: Buffer) => (body += String(chunk)));
    received.on("end", () => {
      requests.push([received.method ?? "", body]);
      trailers.push(...received.rawTrailers);
      response.end("{}");
    });
  });
  const { origin } = await proxyFor({ storeUrl });
  return { origin, requests, trailers };
}
