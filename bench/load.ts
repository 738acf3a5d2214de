import { connect, type Socket } from "node:net";

/** A request that is sent repeatedly. */
export interface LoadRequest {
  method: "GET" | "PUT";
  path: string;
  body?: string;
  token: string;
  /** Whether the JSON of a response is correct. Checked once before each run. */
  fits: (response: unknown) => boolean;
}

const connections = 32;
const headEnd = "\r\n\r\n";

/**
 * Sends requests for the given number of ms over a few connections, each of which sends the next request after each
 * response. Returns the requests per second. Uses sockets, so that the server and not this client is the bottleneck.
 * Rejects for a wrong response and for a status other than 200.
 */
export async function load(origin: string, request: LoadRequest, ms: number): Promise<number> {
  await tryOnce(origin, request);
  const { hostname, port } = new URL(origin);
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => opened(hostname, Number(port))),
  );
  const text = written(request, hostname);
  const start = performance.now();
  const responses = await Promise.all(sockets.map((socket) => sendRequests(socket, text, start + ms)));
  const seconds = (performance.now() - start) / 1000;
  for (const socket of sockets) socket.destroy();
  return responses.reduce((sum, count) => sum + count, 0) / seconds;
}

async function tryOnce(origin: string, { method, path, body, token, fits }: LoadRequest): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(origin + path, { method, headers, body: body ?? null });
  const text = await response.text();
  if (response.status !== 200 || !fits(JSON.parse(text)))
    throw new Error(`${method} ${path}: ${text.slice(0, 200)}`);
}

function opened(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => resolve(socket.setNoDelay(true)));
    socket.once("error", reject);
  });
}

function written({ method, path, body, token }: LoadRequest, host: string): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    "Accept: application/json",
    ...(body === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return lines.join("\r\n") + headEnd + (body ?? "");
}

/** One connection: sends one request after the other until the end. Returns the number of responses. */
function sendRequests(socket: Socket, text: string, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let responses = 0;
    let received = "";
    socket.on("data", (chunk: Buffer) => {
      received = received === "" ? chunk.toString("latin1") : received + chunk.toString("latin1");
      const length = responseLength(received);
      if (length === undefined || received.length < length) return;
      if (!received.startsWith("HTTP/1.1 200")) {
        reject(new Error(received.slice(0, 200)));
        return;
      }
      received = received.slice(length);
      responses += 1;
      if (performance.now() < end) socket.write(text);
      else resolve(responses);
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed the connection")));
    socket.write(text);
  });
}

/** The length of a response in bytes, as soon as its head has arrived. */
function responseLength(received: string): number | undefined {
  const end = received.indexOf(headEnd);
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1];
  if (length === undefined) throw new Error("a response without a content-length");
  return end + headEnd.length + Number(length);
}
