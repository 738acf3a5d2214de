import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { gzipSync, brotliCompressSync } from "node:zlib";
import { Agent as Agent8, MockAgent } from "undici";
import { Agent as Agent7 } from "undici7";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type NodeTransportOptions, nodeTransport } from "../../src/client/node.ts";
import { StoreClient, type StoreClientOptions, type Transport } from "../../src/client/store/index.ts";

const token = "token-of-the-tests";
const body = JSON.stringify({ storeId: "1", externalId: "S-1", name: "ż".repeat(1000) });

afterEach(() => vi.unstubAllEnvs());

async function listen(
  server: Server,
  place: { path: string } | { port: number } = { port: 0 },
): Promise<string> {
  await new Promise<void>((resolve) => server.listen({ host: "127.0.0.1", ...place }, resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address() as AddressInfo | string; // it listens
  return typeof address === "string" ? address : `http://127.0.0.1:${address.port}`;
}

const serve = (listener: RequestListener): Promise<string> => listen(createServer(listener));

function open(options: NodeTransportOptions = {}) {
  const transport = nodeTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

function get(baseUrl: string, transport: Transport | undefined, options: Partial<StoreClientOptions> = {}) {
  return new StoreClient({ baseUrl, token, transport, retry: 0, ...options }).stores.get("S-1");
}

describe.each<[string, () => Transport | undefined]>([
  ["fetch", () => undefined],
  ["undici", open],
  ["an Agent of undici 8", () => open({ dispatcher: new Agent8() })],
  ["an Agent of undici 7", () => open({ dispatcher: new Agent7() })],
])("over %s, a response", (_, makeTransport) => {
  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("is decoded: %s", async (name, compress) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": name }).end(compress(body));
    });
    expect(await get(url, makeTransport())).toEqual(JSON.parse(body));
  });

  it.each(["endless", "a gzip bomb"])("over maxResponseBytes ends its connection: %s", async (kind) => {
    let isCut = false;
    const url = await serve((_request, response) => {
      response.on("close", () => (isCut = !response.writableFinished));
      if (kind !== "endless") response.setHeader("content-encoding", "gzip");
      const chunk = kind === "endless" ? Buffer.alloc(65_536, " ") : gzipSync(Buffer.alloc(16_000_000, " "));
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", write);
      };
      write();
    });
    await expect(get(url, makeTransport(), { maxResponseBytes: 1_000_000 })).rejects.toThrow(
      "a body over 1000000 bytes (maxResponseBytes)",
    );
    await vi.waitFor(() => expect(isCut).toBe(true), 60_000);
  });
});

describe("nodeTransport", () => {
  it.each<[string, (proxy: string) => NodeTransportOptions]>([
    ["its URL", (proxy) => ({ proxy })],
    [
      "the environment",
      (proxy) => {
        vi.stubEnv("HTTP_PROXY", proxy);
        vi.stubEnv("NO_PROXY", "");
        return { proxy: "env" };
      },
    ],
  ])("uses a proxy by %s, whose password is in no error", async (_, optionsOf) => {
    const seen: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request.headers["proxy-authorization"]);
      response.writeHead(407).end(`no: ${request.headers["proxy-authorization"]} p@ss`);
    });
    proxy.on("connect", (request, socket) => {
      seen.push(request.headers["proxy-authorization"]);
      socket.end("HTTP/1.1 407 No\r\n\r\n");
    });
    const url = (await listen(proxy)).replace("//", "//user:p%40ss@");
    const error: unknown = await get("http://127.0.0.1:1", open(optionsOf(url))).catch(
      (caught: unknown) => caught,
    );
    expect(seen).toEqual([`Basic ${btoa("user:p@ss")}`]);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/p@ss|p%40ss|dXNlcjpwQHNz/);
  });

  it("sends through its proxy", async () => {
    const seen: (string | undefined)[] = [];
    const proxy = await serve((request, response) => {
      seen.push(request.url);
      response.end(body);
    });
    await get("http://stores.example", open({ proxy }), { allowInsecure: true });
    expect(seen).toEqual(["http://stores.example/v1/stores/S-1"]);
  });

  it("passes `connect` on, such as the path of a socket", async () => {
    const path = join(tmpdir(), `shelfleet-${process.pid}.sock`);
    await listen(
      createServer((_request, response) => response.end(body)),
      { path },
    );
    const transport = open({ connect: { socketPath: path } });
    expect(await get("http://127.0.0.1:1", transport)).toHaveProperty("storeId", "1");
  });

  it("opens as many connections as `connections` says", async () => {
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end(body);
    });
    const transport = open({ connections: 2 });
    await Promise.all(Array.from({ length: 20 }, () => get(url, transport)));
    expect(sockets.size).toBe(2);
  });

  it("uses a MockAgent, which it does not close", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get("https://stores.example").intercept({ path: "/v1/stores/S-1" }).reply(200, body).times(2);
    const transport = nodeTransport({ dispatcher: agent });
    await get("https://stores.example", transport);
    await transport.close();
    await expect(get("https://stores.example", transport)).rejects.toThrow("the transport is closed");
    expect(await get("https://stores.example", open({ dispatcher: agent }))).toHaveProperty("storeId", "1");
    await agent.close();
  });
});
