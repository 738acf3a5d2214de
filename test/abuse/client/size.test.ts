// Finding 1: the size of a response was not limited.
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { serveAttack, clientOf, rejection } from "./attack.ts";
import { raw } from "../../../src/client/raw/index.ts";

const million = 1_000_000;
const zeros = Buffer.alloc(20 * million, "0");
const bombs = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros) };
const limit = "200 with a body over 1000000 bytes (maxResponseBytes)";

describe("a response over maxResponseBytes", () => {
  it.each(Object.entries(bombs))(
    "that was compressed with %s is an error and is not retried",
    async (name, bomb) => {
      const server = await serveAttack((_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": name }).end(bomb);
      });
      const client = clientOf({ baseUrl: server.url, maxResponseBytes: million });
      expect(await rejection(client.stores.get("S"))).toMatchObject({
        name: "UnexpectedResponseError",
        message: `GET /v1/stores/{externalId}: ${limit}`,
        attempts: 1,
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([200, 404, 500])("that never ends is ended by the client: status %i", async (status) => {
    const server = await serveAttack((_, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      const chunk = Buffer.alloc(65_536, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const client = clientOf({ baseUrl: server.url, maxResponseBytes: 4 * million, retry: 0 });
    const error = await rejection(client.stores.get("S"));
    expect(error).toHaveProperty("name", status === 200 ? "UnexpectedResponseError" : "StoreApiError");
    await vi.waitFor(() => expect(server.cutConnections()).toBe(1), 60_000);
    // the bytes that the client reads, and those in the sockets of both sides
    expect(server.bytesWritten()).toBeLessThan((status === 200 ? 4 : 1) * million + 16 * million);
  });

  it("is accepted if the option of one call is larger", async () => {
    const body = JSON.stringify({ storeId: "x".repeat(2000) });
    const fetch = async (): Promise<Response> => new Response(body);
    const client = clientOf({ fetch, maxResponseBytes: 1000 });
    expect(await rejection(client.stores.get("S"))).toMatchObject({ name: "UnexpectedResponseError" });
    expect(await client.stores.get("S", { maxResponseBytes: body.length })).toHaveProperty("storeId");
    expect(await rejection(client.stores.get("S", { maxResponseBytes: body.length - 1 }))).toMatchObject({
      message: `GET /v1/stores/{externalId}: 200 with a body over ${body.length - 1} bytes (maxResponseBytes)`,
    });
  });

  it("ends a walk over pages, and reads by `raw` and `fetch`", async () => {
    const fetch = async (): Promise<Response> => new Response(`{"items":[],"a":"${"x".repeat(2000)}"}`);
    const client = clientOf({ fetch, maxResponseBytes: 1000 });
    const calls = [
      client.stores.list().take(9),
      client.protocols.list("S", { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }).take(9),
      raw(client).GET("/v1/stores"),
      client.fetch("https://stores.example.com/v1/stores"),
    ];
    for (const error of await Promise.all(calls.map((call) => rejection(call))))
      expect(error).toMatchObject({
        name: "UnexpectedResponseError",
        message: expect.stringContaining("over 1000 bytes") as string,
      });
  });

  it("a response over 64 MiB is an error by default", async () => {
    const chunk = new Uint8Array(1024 * 1024);
    let chunks = 0;
    const body = new ReadableStream(
      {
        pull(stream) {
          chunks += 1;
          stream.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const client = clientOf({ fetch: async () => new Response(body) });
    expect(await rejection(client.stores.get("S"))).toMatchObject({
      message: expect.stringContaining("over 67108864 bytes") as string,
    });
    expect(chunks).toBe(65);
  });
});
