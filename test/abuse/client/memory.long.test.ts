// Finding 1: 317 bytes of brotli expanded to 1.4 GB of memory; an endless body grew until the deadline.
import { execFile } from "node:child_process";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { serveAttack } from "./attack.ts";

const mebibyte = 1024 * 1024;
const child = fileURLToPath(new URL("bomb-child.ts", import.meta.url));

/** The memory of sockets, decompression and the engine, in MiB. */
const slack = 48;

interface Outcome {
  name: string;
  message: string;
  attempts: number;
  /** The peak growth of the process, in MiB. */
  grown: number;
}

/** Calls a server in a child process with a heap of 64 MiB. */
async function callInChild(send: (response: ServerResponse) => void, limit?: number): Promise<Outcome> {
  const server = await serveAttack((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url?.endsWith("small") === true) return response.end('{"storeId":"1"}');
    return send(response);
  });
  const flags = [
    "--max-old-space-size=64",
    child,
    server.url,
    ...(limit === undefined ? [] : [String(limit)]),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  expect(server.requests.map(({ url }) => url)).toEqual(["/v1/stores/small", "/v1/stores/large"]);
  return JSON.parse(stdout) as Outcome;
}

function respondCompressed(name: "gzip" | "br"): (response: ServerResponse) => void {
  const block = Buffer.alloc(64 * mebibyte, "0");
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const whole =
    name === "gzip" ? gzipSync(block) : brotliCompressSync(Buffer.alloc(256 * mebibyte, "0"), { params });
  // a gzip stream may have many parts
  const bomb = name === "gzip" ? Buffer.concat([whole, whole, whole, whole]) : whole;
  return (response) => void response.setHeader("content-encoding", name).end(bomb);
}

function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, " ");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}

describe("the client's memory", () => {
  it.each([
    ["256 MiB of gzip", respondCompressed("gzip"), undefined],
    ["256 MiB of brotli", respondCompressed("br"), undefined],
    ["an endless body", endless, undefined],
    ["256 MiB of brotli under a limit of 8 MiB", respondCompressed("br"), 8 * mebibyte],
    ["an endless body under a limit of 8 MiB", endless, 8 * mebibyte],
  ] as const)("stays within twice maxResponseBytes for %s", async (_, send, limit) => {
    const bytes = limit ?? 64 * mebibyte;
    const { grown, ...outcome } = await callInChild(send, limit);
    expect(outcome).toEqual({
      name: "UnexpectedResponseError",
      message: `GET /v1/stores/{externalId}: 200 with a body over ${bytes} bytes (maxResponseBytes)`,
      attempts: 1,
    });
    expect(grown).toBeLessThan((2 * bytes) / mebibyte + slack);
  });
});
