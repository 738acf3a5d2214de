import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ConnectionError, FleetClient, StoreClient, UnexpectedResponseError } from "../../../src/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import { createAuthority } from "./certificates.ts";
import { failureOf, listen, rawServer, transportFor } from "./exchanges.ts";

const token = "planted-token-of-the-test";

test("one transport serves both clients", async () => {
  const ref = createReferenceServer();
  const served = await serve(ref);
  onTestFinished(() => served.close());
  const transport = transportFor();
  const store = new StoreClient({ baseUrl: served.storeUrl, token: ref.token, transport });
  const fleet = new FleetClient({ baseUrl: served.fleetUrl, key: ref.keys[0]?.key ?? "", transport });
  const { data, response, requestId } = await store.stores.get("S-1").withResponse();
  expect(data.externalId).toBe("S-1");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(requestId).toBe(response.headers.get("x-request-id") ?? undefined);
  expect((await fleet.vehicles.list()).items.length).toBeGreaterThan(0);
});

test("an expired certificate is reported by a ConnectionError", async () => {
  const authority = createAuthority();
  const expired = authority.issue("localhost", { hosts: ["127.0.0.1"], until: new Date("2026-01-01") });
  const baseUrl = `https://127.0.0.1:${await listen(createServer(expired))}`;
  const transport = transportFor({ connect: { ca: authority.cert } });
  const client = new StoreClient({ baseUrl, token, transport, retry: 0 });
  const error = await failureOf(client.stores.get("S-1"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toMatch(
    /^GET \/v1\/stores\/\{externalId\}: .*certificate has expired \(CERT_HAS_EXPIRED\)$/,
  );
  expect(error.cause).toMatchObject({ code: "CERT_HAS_EXPIRED" });
});

test("a body that expands over maxResponseBytes is rejected", async () => {
  const body = gzipSync(JSON.stringify({ name: "x".repeat(1_000_000) }));
  const { url } = await rawServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.write(body);
  });
  const options = { baseUrl: url, token, transport: transportFor(), retry: 0 };
  const client = new StoreClient({ ...options, maxResponseBytes: 100_000 });
  const error = await failureOf(client.stores.get("S-1"));
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error.message).toContain("maxResponseBytes");
});

test("the error of a broken connection contains no token", async () => {
  const { url, heads } = await rawServer((socket) => socket.resetAndDestroy());
  const client = new StoreClient({ baseUrl: url, token, transport: transportFor(), retry: 0 });
  const error = await failureOf(client.stores.get("S-1"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(heads[0]).toContain(token);
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(token);
});

test.each(["planted-key:", "planted-key", "user:planted-key"])(
  "a response of a proxy that quotes its credentials %s is shown without them",
  async (credentials) => {
    const server = createHttpServer((request, response) => {
      response.writeHead(500).end(`planted-key ${request.headers["proxy-authorization"]}`);
    });
    const proxy = `http://${credentials}@127.0.0.1:${await listen(server)}`;
    const options = { baseUrl: "http://stores.example", allowInsecure: true, token, retry: 0 };
    const client = new StoreClient({ ...options, transport: transportFor({ proxy }) });
    const error = await failureOf(client.stores.get("S-1"));
    expect(error).toMatchObject({ status: 500, body: "[redacted] Basic [redacted]" });
  },
);

test("an unreachable proxy is named without its password", async () => {
  const transport = transportFor({ proxy: "http://user:planted-password@127.0.0.1:1" });
  const client = new StoreClient({ baseUrl: "https://stores.example", token, transport, retry: 0 });
  const error = await failureOf(client.stores.get("S-1"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toContain("connect ECONNREFUSED 127.0.0.1:1");
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain("planted");
});
