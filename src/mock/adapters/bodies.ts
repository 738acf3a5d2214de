import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ByteCollector } from "../../wire/byte-collector.ts";
import type { Timers } from "../server/clock.ts";
import { type CoreRequest, type CoreResponse, decodeBody, type TransportFault } from "../server/exchange.ts";
import { slowParts } from "./fetch.ts";

/** A body that was read: its text, or the fact that it is larger than the limit. */
export type ReadBody = Pick<CoreRequest, "body" | "notUtf8" | "tooLarge">;

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return length === undefined ? headers["transfer-encoding"] !== undefined : length !== "0";
}

export function declaresTooLarge({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers["content-length"]) > limit;
}

/**
 * Reads a body and calls `done` once; never for a request that is cut short. Bytes after the limit are read and
 * discarded, so that a client that is still sending receives its response.
 */
export function readBody(request: IncomingMessage, limit: number, done: (body: ReadBody) => void): void {
  if (declaresTooLarge(request, limit)) {
    request.resume();
    done({ tooLarge: true });
    return;
  }
  const body = new ByteCollector();
  let isOver = false;
  request.on("data", (chunk: Buffer) => {
    if (isOver) return;
    isOver = body.size + chunk.length > limit;
    if (!isOver) {
      body.add(chunk);
      return;
    }
    body.take();
    done({ tooLarge: true });
  });
  request.on("end", () => {
    if (!isOver) done(body.size === 0 ? {} : decodeBody(body.take()));
  });
}

/** Node writes shorter strings together with the head; for longer ones it is slower than `Buffer.from`. */
const LARGE = 4_096;

/** Sends the body a few bytes at a time; ends early if the client disconnects. */
export async function sendSlowly(
  response: ServerResponse,
  given: CoreResponse,
  timers: Timers,
): Promise<void> {
  const bytes = Buffer.from(given.body ?? "");
  writeHead(response, given, bytes);
  for await (const part of slowParts(bytes, given.fault?.bytesPerSecond, timers, null)) {
    if (response.destroyed) return;
    response.write(part);
  }
  response.end();
}

/** Sends a response with its fault. */
export function sendResponse(response: ServerResponse, given: CoreResponse): void {
  const { body, headers, fault } = given;
  if (fault !== null) {
    whenSocketReady(response, (socket) => sendFault(response, socket, given, fault));
    return;
  }
  // with a body that is a string, Node sends the header as UTF-8
  const isBytes = body !== null && (body.length > LARGE || Object.values(headers).some(hasBytesBeyondAscii));
  const payload = isBytes ? Buffer.from(body) : body;
  writeHead(response, given, payload);
  response.end(payload ?? undefined);
}

function hasBytesBeyondAscii(value: string): boolean {
  return /[\x80-\xff]/.test(value);
}

function writeHead(
  response: ServerResponse,
  { status, headers }: CoreResponse,
  payload: string | Buffer | null,
): void {
  if (payload !== null) headers["content-length"] ??= String(Buffer.byteLength(payload));
  else if (status !== 204 && status !== 304 && response.req.method !== "HEAD")
    headers["content-length"] ??= "0";
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
  given: CoreResponse,
  { kind, at }: TransportFault,
): void {
  if (kind === "reset") {
    socket.resetAndDestroy();
    return;
  }
  // a response without a body is complete with its head, so that nothing of it is sent
  const isPart = kind === "truncate" || (kind === "stall" && at === "body");
  if (isPart && given.body !== null) {
    // the head, with the length of the whole body, and half of the body
    const bytes = Buffer.from(given.body);
    writeHead(response, given, bytes);
    response.write(bytes.subarray(0, at === "head" ? 0 : bytes.length >> 1));
  }
  if (kind !== "stall") socket.destroySoon();
}
