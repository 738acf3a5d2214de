import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { CoreResponse, TransportFault } from "../../server/endpoint.ts";
import type { BodyEncoder } from "./body-encoder.ts";

/** Sends a response, with its fault. */
export function send(response: ServerResponse, coreResponse: CoreResponse, encoder: BodyEncoder): void {
  if (coreResponse.fault !== null) {
    const { fault } = coreResponse;
    whenSocketReady(response, (socket) => sendFault(response, socket, coreResponse, fault));
    return;
  }
  const payload = coreResponse.body === null ? null : encoder.encode(coreResponse.body);
  writeHead(response, coreResponse, payload);
  response.end(payload ?? undefined);
}

const BODILESS = new Set([204, 304]);

function writeHead(
  response: ServerResponse,
  { status, headers }: CoreResponse,
  payload: string | Buffer | null,
): void {
  if (payload !== null) headers["content-length"] ??= String(Buffer.byteLength(payload));
  else if (!BODILESS.has(status) && response.req.method !== "HEAD") headers["content-length"] ??= "0";
  response.writeHead(status, headers);
}

/** Waits until the earlier responses of a pipeline are sent. */
function whenSocketReady(response: ServerResponse, act: (socket: Socket) => void): void {
  if (response.socket !== null) act(response.socket);
  else response.once("socket", act);
}

function sendFault(
  response: ServerResponse,
  socket: Socket,
  coreResponse: CoreResponse,
  fault: TransportFault,
): void {
  switch (fault.kind) {
    case "reset":
      socket.resetAndDestroy();
      return;
    case "close":
      socket.destroySoon();
      return;
    case "truncate":
      sendPart(response, coreResponse, fault);
      socket.destroySoon();
      return;
    case "stall":
      if (fault.at === "body") sendPart(response, coreResponse, fault);
  }
}

/** Sends the head, with the length of the whole body, and only a part of the body. */
function sendPart(response: ServerResponse, coreResponse: CoreResponse, { at }: TransportFault): void {
  // Sends nothing for a response without a body, because its head is the whole response.
  if (coreResponse.body === null) return;
  const bytes = Buffer.from(coreResponse.body);
  writeHead(response, coreResponse, bytes);
  if (at === "head") response.flushHeaders();
  else response.write(bytes.subarray(0, bytes.length >> 1));
}
