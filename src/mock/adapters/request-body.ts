import type { IncomingMessage } from "node:http";
import { type CoreRequest, decodeBody } from "../server/exchange.ts";

/** A body that was read: its text, or the fact that it is larger than the limit. */
export type ReadBody = Pick<CoreRequest, "body" | "notUtf8" | "tooLarge">;

export function declaresTooLarge({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers["content-length"]) > limit;
}

/**
 * Reads a body and calls `done` once; never for a request that is cut short. Bytes after the limit are read and
 * discarded, so that a client that is still sending receives its response.
 */
export function readBody(request: IncomingMessage, limit: number, done: (body: ReadBody) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = declaresTooLarge(request, limit);
  if (isDone) done({ tooLarge: true });
  request.on("data", (chunk: Buffer) => {
    if (isDone) return;
    size += chunk.length;
    chunks.push(chunk);
    if (size <= limit) return;
    isDone = true;
    chunks.length = 0;
    done({ tooLarge: true });
  });
  request.on("end", () => {
    if (!isDone) done(size === 0 ? {} : decodeBody(Buffer.concat(chunks)));
  });
}
