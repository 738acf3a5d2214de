import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RawConnection, wire } from "./raw-connection.ts";
import { serveReference } from "./served.ts";

const target = "/v1/stores/S-1";
const LIMIT = 10_000_000;

/** A store's body of exactly the given number of bytes. */
function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ name: "big", location: "" });
  return JSON.stringify({ name: "big", location: "x".repeat(bytes - frame.length) });
}

describe("a request body", () => {
  it("is accepted up to 10 MB, rejected with 413 from one byte more, and with 401 before if the token is wrong", async () => {
    const { storeUrl, headers, ref } = await serveReference();
    const send = async (length: number, authorization = headers.authorization) => {
      const init = { method: "PUT", headers: { ...headers, authorization }, body: bodyOf(length) };
      return (await fetch(storeUrl + target, init)).status;
    };
    expect([await send(LIMIT + 1), await send(LIMIT + 1, "Bearer wrong")]).toEqual([413, 401]);
    expect(ref.state.store.stores.get("S-1")?.name).not.toBe("big");
    expect([await send(LIMIT), ref.state.store.stores.get("S-1")?.name]).toEqual([200, "big"]);
  });

  it("without a content-length is rejected if it is too large, and is not kept in memory", async () => {
    const { port, headers } = await serveReference();
    const connection = new RawConnection(port).send(
      wire("PUT", target, { ...headers, "transfer-encoding": "chunked" }),
    );
    const chunk = Buffer.alloc(1_000_000, "x");
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 300; sent++) {
      connection
        .send(`${chunk.length.toString(16)}\r\n`)
        .send(chunk)
        .send("\r\n");
      if (connection.socket.writableNeedDrain) await once(connection.socket, "drain");
    }
    connection.send("0\r\n\r\n");
    await connection.until(({ received }) => received.endsWith("}"));
    expect(connection.received).toMatch(/^HTTP\/1\.1 413 /);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150_000_000);
    // the rest was read and discarded, and the connection can be used again
    connection.received = "";
    connection.send(wire("GET", target, headers));
    await connection.until(({ received }) => received.endsWith("}"));
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("in several chunks is joined, also within a character", async () => {
    const { port, headers, ref } = await serveReference();
    const bytes = Buffer.from(JSON.stringify({ name: "Żabka 🐸" }));
    const connection = new RawConnection(port);
    connection.send(wire("PUT", target, { ...headers, "content-length": bytes.length }));
    for (const byte of bytes) {
      connection.send(Buffer.from([byte]));
      await pause(1);
    }
    await connection.until(({ received }) => received.endsWith("}"));
    expect(ref.state.store.stores.get("S-1")?.name).toBe("Żabka 🐸");
  });

  it("of an aborted request is not executed", async () => {
    const { port, headers, ref, storeUrl } = await serveReference();
    const before = ref.state.store.stores.get("S-1");
    const body = JSON.stringify({ name: "half" });
    for (const cut of [1, 8, body.length - 1]) {
      const connection = new RawConnection(port);
      connection.send(wire("PUT", target, { ...headers, "content-length": body.length }, body.slice(0, cut)));
      await pause(20);
      if (cut === 8) connection.socket.resetAndDestroy();
      else connection.socket.destroy();
    }
    await pause(50);
    expect(ref.journal.all()).toEqual([]);
    expect(ref.state.store.stores.get("S-1")).toEqual(before);
    expect((await fetch(storeUrl + target, { headers })).status).toBe(200);
  });
});
