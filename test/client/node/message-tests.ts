import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { failureOf, listen, rawServer, send, textOf, transportFor } from "./exchanges.ts";

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

export function messageTests(): void {
  describe("the transport", () => {
    test("sends the method, the path, the headers in their order and the body", async () => {
      const { url, heads } = await rawServer((socket) => socket.write(ok));
      const headers = { "x-b": "1", "x-a": "2", authorization: "Bearer t", "x-latin": "ä" };
      const response = await send(transportFor(), `${url}v1/a%20b?q=%C3%A4&r=1`, {
        method: "PUT",
        headers,
        body: '{"name":"ä"}',
      });
      expect([response.status, await textOf(response)]).toEqual([200, "{}"]);
      const [line, ...lines] = heads[0]?.split("\r\n") ?? [];
      expect(line).toBe("PUT /v1/a%20b?q=%C3%A4&r=1 HTTP/1.1");
      expect(lines.filter((header) => /^(x-|auth|content-length)/.test(header))).toEqual([
        "x-b: 1",
        "x-a: 2",
        "authorization: Bearer t",
        "x-latin: ä",
        "content-length: 13",
      ]);
    });

    test("returns the headers of the response, including repeated ones", async () => {
      const { url } = await rawServer((socket) =>
        socket.write(ok.replace("\r\n", "\r\nSet-Cookie: a=1\r\nVia: x\r\nset-cookie: b=2\r\nVIA: y\r\n")),
      );
      const { headers } = await send(transportFor(), url);
      expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      expect([headers.get("via"), headers.get("content-length"), headers.get("none")]).toEqual([
        "x, y",
        "2",
        null,
      ]);
    });

    test("does not follow redirects", async () => {
      const { url, heads } = await rawServer((socket) =>
        socket.write("HTTP/1.1 302 Found\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n"),
      );
      const response = await send(transportFor(), url);
      expect([response.status, response.headers.get("location"), heads.length]).toEqual([302, "/other", 1]);
    });

    test("skips 102 and 103 responses", async () => {
      const { url } = await rawServer((socket) =>
        socket.write(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${ok}`),
      );
      const response = await send(transportFor(), url);
      expect([response.status, response.headers.get("link"), await textOf(response)]).toEqual([
        200,
        null,
        "{}",
      ]);
    });

    test("ignores trailers", async () => {
      const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n";
      const { url } = await rawServer((socket) => socket.write(`${chunked}2\r\n{}\r\n0\r\nx-sum: 1\r\n\r\n`));
      const response = await send(transportFor(), url);
      expect([await textOf(response), response.headers.get("x-sum")]).toEqual(["{}", null]);
    });

    test("reads HTTP/1.0, where the body ends with the connection", async () => {
      const { url } = await rawServer((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\n{}"));
      expect(await textOf(await send(transportFor(), url))).toBe("{}");
    });

    test.each([204, 304])(
      "treats a %i response as empty, regardless of its content-length",
      async (status) => {
        const { url } = await rawServer((socket) =>
          socket.write(`HTTP/1.1 ${status} Any\r\ncontent-length: 5\r\ncontent-encoding: gzip\r\n\r\n`),
        );
        const response = await send(transportFor(), url);
        expect([response.status, await response.read(10)]).toEqual([
          status,
          { bytes: new Uint8Array(), complete: true },
        ]);
      },
    );

    test("sets no deadline", async () => {
      const { url } = await rawServer(() => {});
      const transport = transportFor();
      const controller = new AbortController();
      const pending = send(transport, url, { signal: controller.signal });
      const first = await Promise.race([
        pending,
        new Promise((resolve) => setTimeout(resolve, 50, "pending")),
      ]);
      expect(first).toBe("pending");
      controller.abort(new Error("late"));
      expect((await failureOf(pending)).message).toBe("late");
    });
  });

  describe("the transport, when a request fails,", () => {
    test.each([
      ["a reset", (socket: Socket) => socket.resetAndDestroy(), /ECONNRESET/],
      ["a close", (socket: Socket) => socket.end(), /other side closed \(UND_ERR_SOCKET\)/],
      [
        "another protocol",
        (socket: Socket) => socket.end("hello\r\n\r\n"),
        /does not match the HTTP\/1\.1 protocol/,
      ],
    ])("rejects on %s before the headers", async (_, response, message) => {
      const { url, heads } = await rawServer(response);
      const error = await failureOf(send(transportFor(), url, { headers: { "x-key": "planted-value" } }));
      expect(error.message).toMatch(message);
      expect(inspect(error)).not.toContain("planted");
      expect(heads).toHaveLength(1);
    });

    test.each([
      ["with a length", "content-length: 99\r\n\r\n{}"],
      ["in chunks", "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"],
    ])("rejects the read of a body that is cut off: %s", async (_, rest) => {
      const { url } = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
      const transport = transportFor();
      const reading = await send(transport, url);
      expect((await failureOf(reading.read(1000))).code).toMatch(/^(UND_ERR|HPE)_/);
      const unread = await send(transport, url);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await failureOf(unread.read(1000))).code).toMatch(/^(UND_ERR|HPE)_/);
    });

    test("names the address that refuses the connection", async () => {
      const { url } = await rawServer((socket) => socket.destroy());
      const refused = "http://127.0.0.1:1/"; // only root may listen on this port, and no service does
      const error = await failureOf(send(transportFor(), refused));
      expect([error.message, error.code]).toEqual(["connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"]);
      expect(url).not.toBe(refused);
    });

    test("names a host name that cannot be resolved", async () => {
      const error = await failureOf(send(transportFor(), "http://nowhere.invalid/"));
      expect(error.message).toMatch(/getaddrinfo (ENOTFOUND|EAI_AGAIN) nowhere\.invalid/);
    });
  });

  describe("the transport's connections", () => {
    test("are kept open and reused", async () => {
      const { url, sockets } = await rawServer((socket) => socket.write(ok));
      const transport = transportFor();
      for (let round = 0; round < 9; round += 1) await textOf(await send(transport, url));
      // a connection is free in the turn of the event loop after its response
      expect(sockets.length).toBeLessThanOrEqual(2);
      const one = transportFor({ connections: 1 });
      for (let round = 0; round < 9; round += 1) await textOf(await send(one, url));
      expect(sockets.length).toBeLessThanOrEqual(3);
    });

    test("are at most as many as the option allows", async () => {
      let open = 0;
      let maximum = 0;
      const server = createServer((_, response) => {
        maximum = Math.max(maximum, (open += 1));
        setTimeout(() => {
          open -= 1;
          response.end("{}");
        }, 5);
      });
      const url = `http://127.0.0.1:${await listen(server)}/`;
      const transport = transportFor({ connections: 2 });
      const all = Array.from({ length: 10 }, async () => textOf(await send(transport, url)));
      expect(await Promise.all(all)).toEqual(Array(10).fill("{}"));
      expect(maximum).toBe(2);
    });

    test("are replaced when the server has closed them, also for a write", async () => {
      const { url, heads, sockets } = await rawServer((socket, index) =>
        index === 0 ? socket.end(ok) : socket.write(ok),
      );
      const transport = transportFor();
      await textOf(await send(transport, url));
      if (sockets[0]?.closed === false) await once(sockets[0], "close");
      expect(await textOf(await send(transport, url, { method: "POST", body: "{}" }))).toBe("{}");
      expect([heads.length, sockets.length]).toEqual([2, 2]);
    });

    test.each(["GET", "POST"])(
      "fail a %s that was sent when they are reset, and do not repeat it",
      async (method) => {
        const { url, heads } = await rawServer((socket, index) =>
          index === 0 ? socket.write(ok) : socket.resetAndDestroy(),
        );
        const transport = transportFor();
        await textOf(await send(transport, url));
        const body = method === "GET" ? {} : { body: "{}" };
        expect((await failureOf(send(transport, url, { method, ...body }))).code).toBe("ECONNRESET");
        expect(heads).toHaveLength(2);
      },
    );

    test("end with close(), after the requests in flight", async () => {
      let respond = (): void => {};
      const { url, heads, sockets } = await rawServer((socket) => {
        respond = () => socket.write(ok);
      });
      const transport = transportFor();
      const pending = send(transport, url);
      while (heads.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      const closing = transport.close();
      expect((await failureOf(send(transport, url))).message).toBe("the transport is closed");
      respond();
      expect(await textOf(await pending)).toBe("{}");
      await closing;
      const [socket] = sockets;
      if (socket?.closed === false) await once(socket, "close");
      expect(sockets).toHaveLength(1);
    });
  });
}
