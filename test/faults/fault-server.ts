import { createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request that arrived completely. */
export interface ReceivedRequest {
  method: string;
  target: string;
  headers: string;
  body: string;
}

/** The behavior of a server that replaces its response to a request that it has read. */
export type SendFault = (socket: Socket, responseParts: ResponseParts, requests: ReceivedRequest) => void;

export interface ResponseParts {
  status: number;
  body: string;
}

export interface FaultPlan {
  respond: (requests: ReceivedRequest) => ResponseParts;
  /** Decides which requests the fault affects, counted from 0. */
  applies: (index: number) => boolean;
  sendFault: SendFault;
  /** Resets connections before anything is read, as long as the fault applies. */
  unread?: boolean;
}

export interface FaultServer {
  origin: string;
  requests: ReceivedRequest[];
}

/** A server on a bare socket for the current test. No HTTP library corrects its errors. */
export async function faultServer(plan: FaultPlan): Promise<FaultServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    if (plan.unread === true && plan.applies(connections++)) return void socket.resetAndDestroy();
    readRequests(socket, (request) => {
      requests.push(request);
      const responseParts = plan.respond(request);
      if (plan.unread !== true && plan.applies(requests.length - 1))
        plan.sendFault(socket, responseParts, request);
      else write(socket, responseParts);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { origin: `http://127.0.0.1:${port}`, requests };
}

/** A complete response, or one with other headers. */
export function write(
  socket: Socket,
  { status, body }: ResponseParts,
  headers: Record<string, string | number> = {},
): void {
  const bytes = Buffer.from(body);
  const all = { "content-type": "application/json", "content-length": bytes.length, ...headers };
  socket.write(head(status, all));
  socket.write(bytes);
}

export function head(status: number, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Any\r\n${lines.join("")}\r\n`;
}

function readRequests(socket: Socket, take: (requests: ReceivedRequest) => void): void {
  let waiting = "";
  socket.on("data", (bytes) => {
    waiting += bytes.toString("latin1");
    for (let end = endOf(waiting); end !== undefined; end = endOf(waiting)) {
      const [headers = "", body = ""] = waiting.slice(0, end).split(/\r\n\r\n(.*)/s);
      const [method = "", target = ""] = headers.split(" ");
      waiting = waiting.slice(end);
      take({ method, target, headers, body });
    }
  });
}

/** The end of the first request; undefined if the request is incomplete. */
function endOf(text: string): number | undefined {
  const at = text.indexOf("\r\n\r\n");
  if (at === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, at))?.[1] ?? 0);
  return text.length >= at + 4 + length ? at + 4 + length : undefined;
}
