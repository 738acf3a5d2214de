import { transcode } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { CoreResponse, TransportFault } from "../../server/endpoint.ts";

/** Node writes shorter strings together with the head. */
const LARGE = 4_096;

/** No response of the APIs is longer, in UTF-16 units. */
const MAX_LENGTH = 524_288;

/**
 * Encodes a body. For a large string Node first counts the bytes and then writes one character at a time, which
 * takes as long as `JSON.stringify`; encoding through UTF-16 takes a quarter (24 µs instead of 97 for a page of 100
 * stores).
 */
export class BodyEncoder {
  #units = Buffer.alloc(0);

  encode(text: string): string | Buffer {
    if (text.length < LARGE || text.length > MAX_LENGTH) return text;
    if (this.#units.length === 0) this.#units = Buffer.allocUnsafeSlow(MAX_LENGTH * 2);
    const length = this.#units.write(text, "utf16le");
    try {
      return transcode(this.#units.subarray(0, length), "utf16le", "utf8");
    } catch {
      return text; // a lone surrogate, which Node replaces
    }
  }
}

/** The time for which a browser caches a preflight, in seconds. */
const PREFLIGHT_MAX_AGE = "600";

/** Responds to a CORS preflight, which the APIs do not define; returns whether the request was a preflight. */
export function handlePreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  const wanted = headers["access-control-request-method"];
  if (method !== "OPTIONS" || headers.origin === undefined || wanted === undefined) return false;
  response.writeHead(204, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": wanted,
    // by name, because * does not cover Authorization
    "access-control-allow-headers": headers["access-control-request-headers"] ?? "*",
    "access-control-max-age": PREFLIGHT_MAX_AGE,
    vary: "access-control-request-method, access-control-request-headers",
  });
  response.end();
  return true;
}

/** Lets pages read a response and its headers. */
export function addCorsHeaders(headers: Record<string, string>): void {
  headers["access-control-allow-origin"] ??= "*";
  headers["access-control-expose-headers"] ??= "*";
}

export function send(response: ServerResponse, coreResponse: CoreResponse, encoder: BodyEncoder): void {
  if (coreResponse.fault !== null) {
    const { fault } = coreResponse;
    whenSocketReady(response, (socket) => sendFault(response, socket, coreResponse, fault));
    return;
  }
  const payload = coreResponse.body === null ? null : encoder.encode(coreResponse.body);
  writeHead(response, coreResponse, payload);
  // with a body that is a string, Node sends the header as UTF-8
  const isText = typeof payload === "string" && Object.values(coreResponse.headers).some(hasBytesBeyondAscii);
  response.end(isText ? Buffer.from(payload) : (payload ?? undefined));
}

function hasBytesBeyondAscii(value: string): boolean {
  return /[\x80-\xff]/.test(value);
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
  if (at === "head") response.write(Buffer.alloc(0));
  else response.write(bytes.subarray(0, bytes.length >> 1));
}
