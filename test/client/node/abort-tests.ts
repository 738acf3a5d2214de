import { getEventListeners, once } from "node:events";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { failureOf, rawServer, send, textOf, transportFor } from "./exchanges.ts";

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
const stalled = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{";

/** A signal, and the number of its listeners. */
function countListeners(): { controller: AbortController; signal: AbortSignal; listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  return { controller, signal, listeners: () => getEventListeners(signal, "abort").length };
}

async function closed(socket: Socket | undefined): Promise<void> {
  if (socket?.closed === false) await once(socket, "close");
}

export function abortTests(): void {
  describe("an abort", () => {
    test("before the request sends nothing", async () => {
      const { url, sockets } = await rawServer((socket) => socket.write(ok));
      const reason = new Error("early");
      expect(await failureOf(send(transportFor(), url, { signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect(sockets).toHaveLength(0);
    });

    test("before the headers ends the connection and rejects with its reason", async () => {
      const { controller, signal, listeners } = countListeners();
      const reason = new Error("enough");
      const { url, sockets } = await rawServer(() => controller.abort(reason));
      expect(await failureOf(send(transportFor(), url, { signal }))).toBe(reason);
      await closed(sockets[0]);
      expect(listeners()).toBe(0);
    });

    test("while the body is read ends the connection", async () => {
      const { controller, signal, listeners } = countListeners();
      const { url, sockets } = await rawServer((socket) => socket.write(stalled));
      const response = await send(transportFor(), url, { signal });
      const reading = response.read(1000);
      const reason = new Error("enough");
      setImmediate(() => controller.abort(reason));
      expect(await failureOf(reading)).toBe(reason);
      await closed(sockets[0]);
      expect(listeners()).toBe(0);
    });

    test("while a compressed body is read ends the connection", async () => {
      const { controller, signal } = countListeners();
      const body = gzipSync("{}");
      const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`;
      const { url, sockets } = await rawServer((socket) => {
        socket.write(head);
        socket.write(body.subarray(0, -1));
      });
      const response = await send(transportFor(), url, { signal });
      const reading = response.read(1000);
      setTimeout(() => controller.abort(new Error("enough")), 10);
      expect((await failureOf(reading)).message).toBe("enough");
      await closed(sockets[0]);
    });

    test("before the body is read ends the connection, and the read rejects", async () => {
      const { controller, signal, listeners } = countListeners();
      const { url, sockets } = await rawServer((socket) => socket.write(stalled));
      const response = await send(transportFor(), url, { signal });
      controller.abort(new Error("enough"));
      await closed(sockets[0]);
      expect((await failureOf(response.read(1000))).message).toBe("enough");
      expect(listeners()).toBe(0);
    });

    test("of a request that waits for a connection rejects at once and sends nothing", async () => {
      const { controller, signal, listeners } = countListeners();
      let respond = (): void => {};
      const { url, heads } = await rawServer((socket, index) => {
        if (index === 0) respond = () => socket.write(ok);
        else socket.write(ok);
      });
      const transport = transportFor({ connections: 1 });
      const first = send(transport, url);
      const waiting = send(transport, url, { signal });
      while (heads.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      const reason = new Error("enough");
      controller.abort(reason);
      expect(await failureOf(waiting)).toBe(reason);
      expect(listeners()).toBe(0);
      respond();
      expect(await textOf(await first)).toBe("{}");
      expect(await textOf(await send(transport, url))).toBe("{}");
      expect(heads).toHaveLength(2);
    });

    test("after the body has been read changes nothing", async () => {
      const { controller, signal, listeners } = countListeners();
      const { url, sockets } = await rawServer((socket) => socket.write(ok));
      const transport = transportFor({ connections: 1 });
      const response = await send(transport, url, { signal });
      expect(await textOf(response)).toBe("{}");
      expect(listeners()).toBe(0);
      controller.abort();
      await textOf(await send(transport, url));
      expect(sockets).toHaveLength(1);
    });

    test("leaves no listener after failures and unread bodies", async () => {
      const { signal, listeners } = countListeners();
      const { url } = await rawServer((socket, index) =>
        index === 0 ? socket.resetAndDestroy() : socket.write(ok),
      );
      const transport = transportFor();
      await failureOf(send(transport, url, { signal }));
      expect(listeners()).toBe(0);
      await send(transport, url, { signal });
      while (listeners() > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      expect(listeners()).toBe(0);
    });
  });
}
