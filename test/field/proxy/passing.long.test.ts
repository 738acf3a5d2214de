import { createHash, randomBytes } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ProxyOptionError, mountServices } from "../../../src/field/proxy/services.ts";
import { proxyFor, receive, send, service, valuesOf } from "./upstream.ts";

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** A proxy in front of one listener, which is the store API. */
async function startInFrontOf(listener: Parameters<typeof service>[0]) {
  return proxyFor({ storeUrl: await service(listener) });
}

describe("a response passes through the proxy unchanged", () => {
  it("with its status, reason phrase, spelling of header names and repeated headers", async () => {
    const { origin } = await startInFrontOf((_, response) => {
      response.writeHead(418, "Short and stout", ["X-One", "1", "Set-Cookie", "a=1", "set-cookie", "b=2"]);
      response.end("tea");
    });
    const received = await send(`${origin}/v1/stores`);
    expect([received.status, received.message, String(received.body)]).toEqual([
      418,
      "Short and stout",
      "tea",
    ]);
    expect(received.rawHeaders.slice(0, 6)).toEqual(["X-One", "1", "Set-Cookie", "a=1", "set-cookie", "b=2"]);
  });

  it.each([
    ["GET", 200],
    ["HEAD", 200],
    ["GET", 204],
  ])("to %s with status %i, with bytes beyond ASCII in its header and its reason", async (method, status) => {
    const bytes = Buffer.from("Żabka").toString("latin1"); // Node has a character for each byte of a header
    const { origin } = await startInFrontOf((_, response) => {
      response.writeHead(status, bytes.replaceAll(/[^\x20-\x7e]/g, "\u00e9"), ["X-Name", bytes]);
      response.end(Buffer.from(status === 204 ? "" : "tea"));
    });
    const received = await send(`${origin}/v1/stores`, { method });
    expect([received.message, valuesOf(received, "x-name")]).toEqual(["\u00e9\u00e9abka", [bytes]]);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("with a body in %s, byte by byte", async (coding, compress) => {
    const bytes = compress(randomBytes(300_000));
    const { origin } = await startInFrontOf((_, response) => {
      response.writeHead(200, { "content-encoding": coding, "content-length": bytes.length });
      response.end(bytes);
    });
    const received = await send(`${origin}/v1/stores`);
    expect(digest(received.body)).toBe(digest(bytes));
    expect(valuesOf(received, "content-encoding")).toEqual([coding]);
    expect(valuesOf(received, "content-length")).toEqual([String(bytes.length)]);
  });

  it("to HEAD, with the length that a GET would have", async () => {
    const { origin } = await startInFrontOf((_, response) => {
      response.writeHead(200, { "content-length": "1234" });
      response.end();
    });
    const received = await send(`${origin}/v1/stores`, { method: "HEAD" });
    expect([received.status, received.body.length]).toEqual([200, 0]);
    expect(valuesOf(received, "content-length")).toEqual(["1234"]);
  });

  it.each([204, 304])("with status %i and no body", async (status) => {
    const { origin } = await startInFrontOf((_, response) => {
      response.writeHead(status, { etag: '"1"' });
      response.end();
    });
    const received = await send(`${origin}/v1/stores`);
    expect([received.status, received.body.length]).toEqual([status, 0]);
    expect(valuesOf(received, "etag")).toEqual(['"1"']);
  });

  it("in chunks with trailers", async () => {
    const { origin } = await startInFrontOf((_, response) => {
      response.writeHead(200, { trailer: "x-sum" });
      response.write("one");
      response.write("two");
      response.addTrailers({ "x-sum": "6" });
      response.end();
    });
    const received = await send(`${origin}/v1/stores`);
    expect([String(received.body), received.trailers]).toEqual(["onetwo", ["x-sum", "6"]]);
    expect(valuesOf(received, "transfer-encoding")).toEqual(["chunked"]);
  });

  it("after early hints and 100", async () => {
    const { origin } = await startInFrontOf((incoming, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" });
      incoming.resume().on("end", () => response.end("done"));
    });
    const seen: unknown[] = [];
    const received = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${origin}/v1/stores/a`, { method: "PUT", headers: { expect: "100-continue" } });
      sent.on("information", ({ statusCode, headers }) => seen.push([statusCode, headers["link"]]));
      sent.on("continue", () => {
        seen.push(100);
        sent.end("{}");
      });
      sent.on("response", resolve);
      sent.on("error", reject);
    });
    expect(String((await receive(received)).body)).toBe("done");
    expect(seen).toEqual(expect.arrayContaining([[103, "</a>; rel=preload"], 100]));
  });
});

describe("a request passes through the proxy unchanged", () => {
  it("with method, target, headers and body; only the host is that of the service", async () => {
    const body = randomBytes(200_000);
    let seen: IncomingMessage | undefined;
    let arrived = Buffer.alloc(0);
    const { origin } = await startInFrontOf((incoming, response) => {
      seen = incoming;
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        arrived = Buffer.concat(chunks);
        response.end();
      });
    });
    const headers = {
      "X-Odd-Case": "v",
      "content-type": "application/json",
      "content-length": String(body.length),
    };
    await send(`${origin}/v1/stores/a%2Fb?x=1&x=%20`, { method: "PUT", headers, body });
    expect([seen?.method, seen?.url]).toEqual(["PUT", "/v1/stores/a%2Fb?x=1&x=%20"]);
    expect(seen?.rawHeaders).toEqual(
      expect.arrayContaining(["X-Odd-Case", "content-length", String(body.length)]),
    );
    expect(seen?.headers.host).not.toBe(new URL(origin).host);
    expect(digest(arrived)).toBe(digest(body));
  });

  it.each(["DELETE", "PUT"])("without a body if it is a %s without one", async (method) => {
    let seen: IncomingMessage | undefined;
    const { origin } = await startInFrontOf((incoming, response) => {
      seen = incoming;
      incoming.resume().on("end", () => response.end());
    });
    await send(`${origin}/v1/stores/a`, {
      method,
      headers: method === "PUT" ? { "content-length": "0" } : {},
    });
    expect(seen?.headers["transfer-encoding"]).toBeUndefined();
  });

  it("while it is still being sent, as does the response", async () => {
    const { origin } = await startInFrontOf((incoming, response) => {
      incoming.once("data", (chunk: Buffer) => response.write(`got ${String(chunk)}`));
      incoming.on("end", () => response.end(" end"));
    });
    const sent = request(`${origin}/v1/stores/a`, {
      method: "PUT",
      headers: { "transfer-encoding": "chunked" },
    });
    const arrived = new Promise<IncomingMessage>((resolve) => sent.on("response", resolve));
    sent.write("first");
    const response = await arrived;
    const first = await new Promise<Buffer>((resolve) => response.once("data", resolve));
    expect(String(first)).toBe("got first");
    sent.end();
    expect(String((await receive(response)).body)).toBe(" end");
  });
});

describe("the proxy applies backpressure", () => {
  it("when the program does not read", async () => {
    let written = 0;
    const { origin } = await startInFrontOf((_, response) => {
      const chunk = Buffer.alloc(65_536);
      const write = (): void => {
        let isRunning = true;
        while (isRunning && written < 200_000_000) {
          written += chunk.length;
          isRunning = response.write(chunk);
        }
      };
      response.on("drain", write);
      write();
    });
    const response = await new Promise<IncomingMessage>((resolve) =>
      request(`${origin}/v1/stores`, resolve).end(),
    );
    response.pause();
    let before = -1;
    while (written !== before) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(written).toBeLessThan(60_000_000);
    response.destroy();
  });

  it("when the service does not read", async () => {
    const { origin } = await startInFrontOf((incoming) => incoming.pause());
    const sent = request(`${origin}/v1/stores/a`, {
      method: "PUT",
      headers: { "transfer-encoding": "chunked" },
    });
    sent.on("error", () => undefined);
    const chunk = Buffer.alloc(65_536);
    let isFull = false;
    for (let count = 0; count < 3_000 && !isFull; count += 1) {
      if (sent.write(chunk)) continue;
      const drained = new Promise<boolean>((resolve) => sent.once("drain", () => resolve(true)));
      const waited = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 300));
      isFull = !(await Promise.race([drained, waited]));
    }
    expect(isFull).toBe(true);
    sent.destroy();
  });
});

describe("the proxy ends the other side", () => {
  it("at the service when the program disconnects", async () => {
    let gone: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const { origin } = await startInFrontOf((_, response) => {
      response.on("close", gone);
      response.write("part");
    });
    const response = await new Promise<IncomingMessage>((resolve) =>
      request(`${origin}/v1/stores`, resolve).end(),
    );
    response.on("error", () => undefined);
    response.destroy();
    await expect(closed).resolves.toBeUndefined();
  });

  it("at the program when the service cuts its response", async () => {
    const { origin, proxy } = await startInFrontOf((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("part");
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
    });
    await expect(send(`${origin}/v1/stores`)).rejects.toThrow(/aborted|ECONNRESET|socket hang up/);
    expect(proxy.summary().failures).toBe(1);
  });

  it("with a 502 when the service is unreachable", async () => {
    const { origin } = await proxyFor({ storeUrl: "http://127.0.0.1:1" });
    const received = await send(`${origin}/v1/stores`);
    expect(received.status).toBe(502);
    expect(String(received.body)).toBe(
      "shelfleet proxy: no response from http://127.0.0.1:1: it refused the connection (ECONNREFUSED)\n",
    );
  });

  it("with a 502 when the service closes the connection without a response", async () => {
    const { origin } = await startInFrontOf((incoming) => incoming.socket.destroy());
    expect((await send(`${origin}/v1/stores`)).status).toBe(502);
  });
});

describe("the proxy forwards nothing", () => {
  it.each(["/v1/../admin", "/v1/%2e%2E/admin", "/.%2e/", "/v1\\..\\admin"])(
    "for the path %s",
    async (path) => {
      let count = 0;
      const { origin } = await startInFrontOf((_, response) => {
        count += 1;
        response.end();
      });
      const line = await new Promise<string>((resolve) => {
        const { hostname, port } = new URL(origin);
        const socket = connect(Number(port), hostname, () =>
          socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`),
        );
        socket.once("data", (data) => resolve(String(data).split("\r\n", 1)[0] ?? ""));
      });
      expect([line, count]).toEqual(["HTTP/1.1 404 Not Found", 0]);
    },
  );

  it("for a request to the host name of another site", async () => {
    const { origin } = await startInFrontOf((_, response) => response.end());
    const received = await send(`${origin}/v1/stores`, { headers: { host: "evil.example" } });
    expect(received.status).toBe(421);
  });

  it("outside the path of the base URL", async () => {
    const urls: (string | undefined)[] = [];
    const url = await service((incoming, response) => {
      urls.push(incoming.url);
      response.end();
    });
    const base = `${url}/api/third-party/v1`;
    const { origin, proxy } = await proxyFor({ fleetUrl: base, sandboxUrl: base });
    expect(proxy.services.map(({ mount }) => mount)).toEqual([
      "/api/third-party/v1",
      "/sandbox/api/third-party/v1",
    ]);
    for (const path of ["/api/third-party/v1/vehicles?page=1", "/sandbox/api/third-party/v1/vehicles"])
      await send(origin + path);
    expect((await send(`${origin}/api/third-party/v10/vehicles`)).status).toBe(404);
    expect(urls).toEqual(["/api/third-party/v1/vehicles?page=1", "/api/third-party/v1/vehicles"]);
  });

  it.each(["ftp://a", "http://user:secret@a", "http://a?x=1", "nothing"])(
    "for the base URL %s, which it rejects",
    (storeUrl) => {
      expect(() => mountServices({ storeUrl })).toThrow(ProxyOptionError);
    },
  );
});
