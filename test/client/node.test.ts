import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { brotliCompressSync, createBrotliDecompress, deflateSync, gzipSync } from "node:zlib";
import { Agent as Agent8, MockAgent } from "undici";
import { Agent as Agent7 } from "undici7";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type NodeTransportOptions, nodeTransport } from "../../src/client/node.ts";
import { FleetClient } from "../../src/client/fleet/index.ts";
import { StoreClient, type StoreClientOptions, type Transport } from "../../src/client/store/index.ts";
import { BodyBytes } from "../../src/client/transport.ts";

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
  it.each<[string, (text: string) => string | Buffer]>([
    ["gzip", gzipSync],
    ["X-GZIP", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["unknown", String],
  ])("is decoded: %s", async (name, compress) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": name }).end(compress(body));
    });
    expect(await get(url, makeTransport())).toEqual(JSON.parse(body));
  });

  it("is decoded if its status is that of an error", async () => {
    const url = await serve((_request, response) => {
      const error = { error: { code: "not_found", message: "no such store" } };
      response.writeHead(404, { "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(error)));
    });
    await expect(get(url, makeTransport())).rejects.toMatchObject({ status: 404, code: "not_found" });
  });

  it.each<[string, string | Buffer]>([
    ["nothing", ""],
    ["half of it", gzipSync(body).subarray(0, 60)],
    ["something else", "no gzip"],
  ])("with the coding gzip that contains %s is an error", async (_name, sent) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(sent);
    });
    await expect(get(url, makeTransport())).rejects.toThrow(/empty body|no complete response|cut short/);
  });

  it("may name a coding although it has no body", async () => {
    const url = await serve(({ method }, response) => {
      response.writeHead(method === "DELETE" ? 204 : 404, { "content-encoding": "gzip" }).end();
    });
    const options = { key: `acme_${"0a".repeat(32)}`, transport: makeTransport(), retry: 0 };
    const { vehicles } = new FleetClient({ baseUrl: `${url}/api/third-party/v1`, ...options });
    await expect(vehicles.delete("1")).resolves.toBeNull();
    await expect(vehicles.get("1")).rejects.toMatchObject({ status: 404 });
  });

  it.each(["102", "103"])("may follow an informational one: %s", async (status) => {
    const url = await serve((_request, response) => {
      if (status === "102") response.writeProcessing();
      else response.writeEarlyHints({ link: "</a>; rel=preload" });
      response.writeHead(200, { "x-request-id": "r-1" }).end(body);
    });
    const { stores } = new StoreClient({ baseUrl: url, token, transport: makeTransport(), retry: 0 });
    const { response, requestId } = await stores.get("S-1").withResponse();
    expect([response.status, requestId, response.headers.get("link")]).toEqual([200, "r-1", null]);
  });

  it("may have repeated headers and trailers", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, [
        ["Set-Cookie", "a=1"],
        ["Set-Cookie", "b=2"],
        ["X-A", "1"],
        ["X-A", "2"],
        ["Trailer", "x-end"],
      ] as never);
      response.addTrailers({ "x-end": "1" });
      response.end(body);
    });
    const { stores } = new StoreClient({ baseUrl: url, token, transport: makeTransport(), retry: 0 });
    const { response } = await stores.get("S-1").withResponse();
    expect(response.headers.get("x-a")).toBe("1, 2");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
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
  it("says how a password of a proxy is written that is not percent-encoded", () => {
    vi.stubEnv("HTTPS_PROXY", "http://user:100%@proxy.example:3128");
    const create = () =>
      new StoreClient({ baseUrl: "https://a.example", token, transport: open({ proxy: "env" }) });
    expect(create).toThrow("nodeTransport: in the URL of a proxy, a % of its password is written as %25");
  });

  it("decodes no more than maxResponseBytes of a body that has arrived as a whole", async () => {
    const bomb = brotliCompressSync(Buffer.alloc(20_000_000, " "));
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "br" }).end(bomb);
    });
    const add = vi.spyOn(BodyBytes.prototype, "add");
    onTestFinished(() => add.mockRestore());
    await expect(get(url, open(), { maxResponseBytes: 100_000 })).rejects.toThrow("(maxResponseBytes)");
    // takes as long as the rest of the body
    for await (const chunk of createBrotliDecompress().end(bomb)) expect(chunk).toBeDefined();
    expect(add.mock.calls.length).toBeLessThan(20);
  });

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
    for (const connections of [0, -1])
      expect(() => open({ connections })).toThrow("an integer of at least 1");
  });

  it("sends the headers of the call over its own, and is not answered by a cache", async () => {
    const seen: unknown[] = [];
    const url = await serve(({ headers }, response) => {
      seen.push(["accept-encoding", "cache-control", "pragma"].map((name) => headers[name]));
      response.end(body);
    });
    const transport = open();
    await get(url, transport);
    await get(url, transport, { headers: { "Cache-Control": "max-age=5" } });
    const encodings = "gzip, br";
    expect(seen).toEqual([
      [encodings, "no-cache", "no-cache"],
      [encodings, "max-age=5", "no-cache"],
    ]);
  });

  it.each([true, false])("ends a request that is aborted, before it was sent: %s", async (isUnsent) => {
    const controller = new AbortController();
    const { signal } = controller;
    const closed: unknown[] = [];
    const url = await serve((request) => {
      request.on("close", () => closed.push(request.url));
      controller.abort("enough");
    });
    if (isUnsent) controller.abort("enough");
    const request = { method: "GET", url: `${url}/a?b=1`, headers: {}, signal, maxBytes: 9 };
    await expect(open()(request)).rejects.toBe("enough");
    await vi.waitFor(() => expect(closed).toEqual(isUnsent ? [] : ["/a?b=1"]), 60_000);
  });

  it("uses a dispatcher that has only the methods `dispatch` and `close`", async () => {
    const agent = new Agent8();
    const dispatcher = { dispatch: agent.dispatch.bind(agent), close: () => agent.close() };
    const url = await serve((_request, response) => response.end(body));
    expect(await get(url, open({ dispatcher, http2: undefined }))).toHaveProperty("storeId", "1");
    await agent.close();
  });

  it.each<[NodeTransportOptions, string[]]>([
    [{}, []],
    [{ proxy: "http://proxy.example" }, []],
    [{ proxy: "http://a%40b@proxy.example" }, ["a@b", btoa("a@b:")]],
    [{ proxy: new URL("http://user:p%40ss@proxy.example") }, ["p@ss", btoa("user:p@ss")]],
    [{ proxy: "env" }, ["p1", btoa("u:p1"), "p2", btoa("u:p2"), "p3", btoa("u:p3"), "p4", btoa("u:p4")]],
  ])("with %j has the secrets %j", (options, expected) => {
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
    for (const [index, name] of names.entries()) vi.stubEnv(name, `http://u:p${index + 1}@proxy.example`);
    expect(open(options).secrets?.()).toEqual(expected);
  });

  it("closes its connections, and rejects later requests", async () => {
    const url = await serve((_request, response) => response.end(body));
    const transport = nodeTransport();
    await get(url, transport);
    await transport.close();
    await expect(get(url, transport)).rejects.toMatchObject({
      message: expect.stringContaining("the transport is closed (UND_ERR_CLOSED)") as string,
      cause: { code: "UND_ERR_CLOSED" },
      retryable: false,
    });
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
