import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  type ApiError,
  ConnectionError,
  StoreApiError,
  UnexpectedResponseError,
} from "../../../src/client/store/index.ts";
import { respondWith, type Handler, socketServer } from "../core/socket-server.ts";
import { socketClient } from "./socket-client.ts";

const problem = (code: string, more: object = {}) =>
  JSON.stringify({ error: { code, message: "no", ...more } });

describe("a documented error", () => {
  it("has the response's headers without cookies", async () => {
    const { error } = await failureOf(respondWith(404, "{}", { "x-request-id": "r1", "set-cookie": "a=b" }));
    expect(Object.fromEntries((error as ApiError).headers)).toMatchObject({ "x-request-id": "r1" });
    expect((error as ApiError).headers.has("set-cookie")).toBe(false);
  });
});

const deep = "[".repeat(100_000) + "]".repeat(100_000);
const megabyte = JSON.stringify({ error: { code: "x", message: "m".repeat(1_000_000) } });
const bodies: [name: string, body: string | Buffer, headers?: Record<string, string>][] = [
  ["HTML", "<!doctype html><h1>Bad gateway</h1>", { "content-type": "text/html" }],
  ["an empty body", ""],
  ["truncated JSON", '{"error":{"code":"not_fo'],
  ["an array", "[1,2]"],
  ["a string", '"no"'],
  ["a number", "5"],
  ["null", "null"],
  ["an error that is a string", '{"error":"no"}'],
  ["an error of numbers", '{"error":{"code":5,"message":{},"issues":{}}}'],
  ["deep JSON", deep],
  ["a megabyte", megabyte],
  ["a byte order mark", "\ufeff{}"],
  ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ["a wrong content type", "{}", { "content-type": "image/png" }],
  ["gzip", gzipSync(problem("x")), { "content-encoding": "gzip" }],
];

describe("with any body, an error status is a StoreApiError", () => {
  it.each([400, 401, 404, 418, 500, 503])("with status %i", async (status) => {
    for (const [name, body, headers] of bodies) {
      const { error } = await failureOf(respondWith(status, body, headers));
      expect(error, name).toBeInstanceOf(StoreApiError);
      expect(error, name).toMatchObject({ status });
      expect((error as Error).message.length, name).toBeLessThan(3000);
      expect(String((error as ApiError).body).length, name).toBeLessThanOrEqual(65_536);
    }
  });
});

describe("a malformed success", () => {
  it.each([
    ...bodies.slice(0, 7),
    ["deep JSON", deep] as const,
    ["half a byte order mark", Buffer.from([0xef, 0xbb])] as const,
  ])("is an UnexpectedResponseError for %s", async (_, body) => {
    const { error, requests } = await failureOf(respondWith(200, body));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect((error as UnexpectedResponseError).body.length).toBeLessThanOrEqual(1024);
    expect(requests).toBe(1);
  });

  it.each([204, 205, 304])("is an UnexpectedResponseError for %i without a body", async (status) => {
    const { error } = await failureOf((_, response) => response.writeHead(status).end());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status });
  });

  it("is an UnexpectedResponseError for an empty object where the contract shows properties", async () => {
    const { url } = await socketServer(respondWith(200, "{}"));
    const { stores, contacts, expectations, expositions, protocols } = socketClient(url);
    const calls = [
      stores.get("S"),
      stores.upsert("S", {}),
      stores.list(),
      contacts.get("S"),
      contacts.replace("S", []),
      expectations.get("S"),
      expectations.replace("S", []),
      expositions.get("S"),
      expositions.upsert("S", []),
      protocols.get("S", "P"),
    ];
    for (const result of await Promise.allSettled(calls)) {
      expect(result.status === "rejected" && result.reason).toBeInstanceOf(UnexpectedResponseError);
    }
  });
});

// test/faults has the faults of connections
describe("without a connection", () => {
  it("a refused port and an unknown host name are ConnectionErrors", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    for (const url of [`http://127.0.0.1:${port}`, "https://nobody.invalid"]) {
      const error = await catchError(socketClient(url).stores.get("S"));
      expect(error).toBeInstanceOf(ConnectionError);
      expect((error as Error).message).toMatch(/^GET \/v1\/stores\/\{externalId\}: no complete response: .+/);
    }
  });
});

async function failureOf(handler: Handler): Promise<{ error: unknown; requests: number }> {
  const { url, requests } = await socketServer(handler);
  return { error: await catchError(socketClient(url).stores.get("S")), requests: requests.length };
}

function catchError(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    (value) => ({ "answered instead of failing": value }),
    (reason: unknown) => reason,
  );
}
