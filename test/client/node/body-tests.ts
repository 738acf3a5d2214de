import { createServer } from "node:http";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { failureOf, listen, rawServer, send, textOf, transportFor } from "./exchanges.ts";

type Encode = (body: string | Buffer) => Buffer;

const plain = JSON.stringify({ items: Array.from({ length: 200 }, (_, index) => `item ${index} ä`) });

const encodings: Record<string, { header: string | string[]; encode: Encode }> = {
  gzip: { header: "gzip", encode: gzipSync },
  "x-gzip": { header: "x-gzip", encode: gzipSync },
  br: { header: "br", encode: brotliCompressSync },
  "deflate with the header of zlib": { header: "deflate", encode: deflateSync },
  "deflate without a header": { header: "deflate", encode: deflateRawSync },
  "capital letters": { header: "GZip", encode: gzipSync },
  identity: { header: "identity", encode: Buffer.from },
  "gzip, then br": { header: "gzip, br", encode: (body) => brotliCompressSync(gzipSync(body)) },
  "gzip twice": { header: "gzip, gzip", encode: (body) => gzipSync(gzipSync(body)) },
  "gzip, then raw deflate": { header: "gzip, deflate", encode: (body) => deflateRawSync(gzipSync(body)) },
  "two header lines": { header: ["gzip", "br"], encode: (body) => brotliCompressSync(gzipSync(body)) },
};

/** Sends a body in chunks of some bytes. */
async function readBody(header: string | string[], body: Buffer, piece = body.length || 1): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader("content-encoding", header).setHeader("content-length", body.length);
    for (let at = 0; at < body.length; at += piece) response.write(body.subarray(at, at + piece));
    response.end();
  });
  return `http://127.0.0.1:${await listen(server)}/`;
}

export function bodyTests(): void {
  describe("the transport", () => {
    test.each(Object.entries(encodings))("decodes %s", async (_, { header, encode }) => {
      const transport = transportFor();
      const body = encode(plain);
      const whole = await send(transport, await readBody(header, body));
      expect(await textOf(whole)).toBe(plain);
      const pieces = await send(transport, await readBody(header, body, 7));
      expect(await textOf(pieces)).toBe(plain);
    });

    test.each(["gzip", "br", "deflate", "gzip, br"])(
      "accepts an empty body with content-encoding %s",
      async (header) => {
        const response = await send(transportFor(), await readBody(header, Buffer.alloc(0)));
        expect(await response.read(10)).toEqual({ bytes: new Uint8Array(), complete: true });
      },
    );

    test("does not decode a body in an unknown encoding", async () => {
      const response = await send(transportFor(), await readBody("compress", Buffer.from("as it is")));
      expect(await textOf(response)).toBe("as it is");
    });

    test.each([
      ["the encodings that it decodes", "accept-encoding", "gzip, deflate, br", "identity"],
      ["no cached response", "cache-control", "no-cache", "max-age=60"],
    ])("requests %s, or what the caller requests", async (_, name, own, given) => {
      const { url, heads } = await rawServer((socket) => socket.write("HTTP/1.1 204 Any\r\n\r\n"));
      const transport = transportFor();
      await send(transport, url);
      await send(transport, url, { headers: { [name]: given } });
      const header = new RegExp(`^${name}: (.*)$`, "m");
      expect(heads.map((head) => header.exec(head)?.[1]?.trim())).toEqual([own, given]);
    });

    test.each([
      ["gzip", "incorrect header check"],
      ["deflate", "invalid"],
    ])("rejects a body that is not %s although its content-encoding says so", async (header, message) => {
      const response = await send(transportFor(), await readBody(header, Buffer.from("\xff{ plain text }")));
      const error = await failureOf(response.read(1000));
      expect(error.message).toMatch(`the body is not valid ${header}: `);
      expect(error.message).toMatch(message);
    });

    test("rejects a body with more than five encodings", async () => {
      const response = await send(
        transportFor(),
        await readBody(Array(6).fill("gzip").join(), Buffer.from("x")),
      );
      expect((await failureOf(response.read(10))).message).toBe(
        "the body has 6 content encodings; at most 5 are decoded",
      );
    });
  });

  describe("the body of a response", () => {
    test("may have exactly the size of the limit, but not more", async () => {
      const transport = transportFor();
      const url = await readBody("identity", Buffer.from("0123456789"));
      const read = async (limit: number): Promise<[string, boolean]> => {
        const { bytes, complete } = await (await send(transport, url)).read(limit);
        return [Buffer.from(bytes).toString(), complete];
      };
      expect(await read(10)).toEqual(["0123456789", true]);
      expect(await read(9)).toEqual(["012345678", false]);
      expect(await read(0)).toEqual(["", false]);
      expect(await read(10)).toEqual(["0123456789", true]);
    });

    test("ends the connection if it is endless", async () => {
      const piece = Buffer.alloc(64 * 1024);
      let over: () => void;
      const closed = new Promise<void>((resolve) => (over = resolve));
      const server = createServer((_, response) => {
        const more = (): void => void (response.destroyed || response.write(piece, () => setImmediate(more)));
        response.on("close", () => over());
        more();
      });
      const response = await send(transportFor(), `http://127.0.0.1:${await listen(server)}/`);
      const { bytes, complete } = await response.read(100_000);
      expect([bytes.length, complete]).toEqual([100_000, false]);
      await closed;
    });

    test.each(["gzip", "gzip, gzip"])(
      "takes at most twice the limit in memory when it expands: %s",
      async (header) => {
        const limit = 4 * 1024 * 1024;
        const zeros = gzipSync(Buffer.alloc(200 * 1024 * 1024));
        const bomb = header === "gzip" ? zeros : gzipSync(zeros);
        const response = await send(transportFor(), await readBody(header, bomb));
        const before = process.memoryUsage().arrayBuffers;
        const { bytes, complete } = await response.read(limit);
        // an upper bound: if the garbage collector does not run, nothing is collected between the two measurements
        const grown = process.memoryUsage().arrayBuffers - before;
        expect([bytes.length, complete]).toEqual([limit, false]);
        expect(grown).toBeLessThan(2 * limit + 1024 * 1024);
      },
    );

    test("is paused while it is not read", async () => {
      const size = 64 * 1024 * 1024;
      let written = 0;
      const server = createServer((_, response) => {
        const piece = Buffer.alloc(64 * 1024, "x");
        const more = (): void => {
          if (written === size) response.end();
          else response.write(piece, () => more());
          written += piece.length;
        };
        more();
      });
      const response = await send(transportFor(), `http://127.0.0.1:${await listen(server)}/`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(written).toBeLessThan(size / 2); // the rest is in the buffers of the operating system
      expect((await response.read(Infinity)).bytes.length).toBe(size);
    });

    test("can be read once", async () => {
      const response = await send(transportFor(), await readBody("identity", Buffer.from("{}")));
      expect(await textOf(response)).toBe("{}");
      expect((await failureOf(response.read(10))).message).toBe(
        "the body of a response can be read only once",
      );
    });
  });
}
