import type { IncomingMessage } from "node:http";
import { ByteCollector } from "../../../wire/byte-collector.ts";
import { type DecodedBody, decodeBody } from "../../server/endpoint.ts";

/** The result of reading a body: its bytes, or the fact that it is larger than the limit. */
export interface ReadBody extends DecodedBody {
  readonly tooLarge?: true;
}

const NONE: ReadBody = {};
const TOO_LARGE: ReadBody = { tooLarge: true };

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
    done(TOO_LARGE);
    return;
  }
  const body = new ByteCollector();
  let over = false;
  request.on("data", (chunk: Buffer) => {
    if (over) return;
    if (body.size + chunk.length > limit) {
      over = true;
      body.take();
      done(TOO_LARGE);
      return;
    }
    body.add(chunk);
  });
  request.on("end", () => {
    if (!over) done(body.size === 0 ? NONE : decodeBody(body.take()));
  });
}
