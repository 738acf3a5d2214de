import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import * as zlib from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { StoreClient } from "../../src/index.ts";
import { nodeTransport } from "../../src/client/node/index.ts";

const json = Buffer.from('{"storeId":"1","externalId":"S"}');
const gzip = zlib.gzipSync(json);
const deflate = zlib.deflateSync(json);
const raw = zlib.deflateRawSync(json);
const brotli = zlib.brotliCompressSync(json);

function response(status: string, headers: readonly string[], body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${[status, ...headers].join("\r\n")}\r\n\r\n`, "latin1"),
    body,
  ]);
}

function ok(body: Buffer, ...headers: string[]): Buffer {
  return response("200 OK", [`Content-Length: ${body.length}`, ...headers], body);
}

function coded(coding: string, body: Buffer): Buffer {
  return ok(body, `Content-Encoding: ${coding}`);
}

function redirect(...headers: string[]): Buffer {
  return response("307 Moved", headers);
}

const responses: Record<string, Buffer> = {
  "a redirect whose body never comes": redirect("Location: /v1/stores/ok", "Content-Length: 10"),
  "a redirect with a fragment": redirect("Location: /v1/stores/ok#a", "Content-Length: 0"),
  "two locations": redirect("Location: /v1/stores/ok", "Location: /v1/stores/ok", "Content-Length: 0"),
  "a redirect without location": redirect("Content-Length: 0"),
  "gzip without trailer": coded("gzip", gzip.subarray(0, -8)),
  "gzip with half of its trailer": coded("gzip", gzip.subarray(0, -4)),
  "gzip that is cut": coded("gzip", gzip.subarray(0, 20)),
  "gzip with nothing but a header": coded("gzip", gzip.subarray(0, 10)),
  "gzip with a wrong checksum": coded("gzip", Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8, 1)])),
  "gzip and more bytes": coded("gzip", Buffer.concat([gzip, Buffer.from("more")])),
  "two members of gzip": coded("gzip", Buffer.concat([gzip, gzip])),
  "gzip that is not": coded("gzip", json),
  "no gzip": coded("gzip", Buffer.alloc(0)),
  "deflate without checksum": coded("deflate", deflate.subarray(0, -4)),
  "deflate without header and end": coded("deflate", raw.subarray(0, -2)),
  "br that is cut": coded("br", brotli.subarray(0, -2)),
  "br and more bytes": coded("br", Buffer.concat([brotli, Buffer.from("more")])),
  zstd: coded("zstd", zlib.zstdCompressSync(json)),
  "zstd that is cut": coded("zstd", zlib.zstdCompressSync(json).subarray(0, -3)),
  "gzip and identity": coded("gzip, identity", gzip),
  identity: coded("identity", json),
  "gzip twice": coded("gzip, gzip", zlib.gzipSync(gzip)),
  "gzip twice in two headers": ok(zlib.gzipSync(gzip), "Content-Encoding: gzip", "Content-Encoding: gzip"),
  "an unknown coding": coded("foo, gzip", gzip),
  "an empty coding": coded("", json),
  "six codings": coded(
    Array.from({ length: 6 }, () => "gzip").join(),
    Array.from({ length: 5 }).reduce<Buffer>((body) => zlib.gzipSync(body), gzip),
  ),
  "a length that is too long": response("200 OK", ["Content-Length: 99", "Connection: close"], json),
  "no length": response("200 OK", ["Connection: close"], json),
  "two lengths": response("200 OK", ["Content-Length: 32", "Content-Length: 32"], json),
  "a byte order mark": ok(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json])),
  "bytes that are not UTF-8": ok(Buffer.from('{"storeId":"\xe9"}', "latin1")),
  "a body with 204": response("204 No Content", ["Content-Length: 2"], Buffer.from("{}")),
  "the status 99": response("099 Odd", []),
  "the status 600": response("600 Odd", ["Content-Length: 0"]),
  "another protocol": response("101 Switch", ["Upgrade: x", "Connection: upgrade"]),
  "early hints": Buffer.concat([response("103 Early", ["Link: </a>"]), ok(json)]),
  "an invalid header": response("200 OK", ["Bad Header: x"]),
  "a large header": ok(json, `X-Large: ${"a".repeat(20_000)}`),
  nothing: Buffer.alloc(0),
};

/** Starts a service that sends these bytes for the store `S`, and a store for every other path. */
async function rawService(bytes: Buffer): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (request) => {
      const isOther = !String(request).startsWith("GET /v1/stores/S ");
      socket.write(isOther ? ok(json) : bytes);
      if (bytes.length === 0 || bytes.includes("Connection: close")) socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the store, or the class and status of the error. A `ConnectionError` has the platform's message. */
async function outcomeOf(client: StoreClient): Promise<unknown> {
  try {
    return await client.stores.get("S");
  } catch (error) {
    const { name, message } = error as Error;
    return name === "ConnectionError" ? name : `${name}: ${message}`;
  }
}

describe("`fetch` and `nodeTransport` agree about", () => {
  it.each(Object.entries(responses))("%s", async (_, bytes) => {
    const baseUrl = await rawService(bytes);
    const transport = nodeTransport();
    onTestFinished(() => transport.close());
    const options = { baseUrl, token: "a-token-of-this-test", retry: 0, timeout: 300_000 };
    const outcome = await outcomeOf(new StoreClient({ ...options, transport }));
    expect(outcome).toEqual(await outcomeOf(new StoreClient(options)));
    expect(String(outcome)).not.toContain("TimeoutError");
  });
});
