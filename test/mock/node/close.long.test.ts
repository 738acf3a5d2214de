import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RawConnection, wire } from "./raw-connection.ts";
import { type Served, serveReference } from "./served.ts";

const target = "/v1/stores/S-1";

/** The server responds to this header as soon as it handles the request, however busy the machine is. */
const announced = { expect: "100-continue" };

function hasBegun({ received }: RawConnection): boolean {
  return received.startsWith("HTTP/1.1 100 Continue");
}

/** Disables the timeouts of sockets, so that only close() can end them. */
function withoutSocketTimeouts(): void {
  const spy = vi.spyOn(Socket.prototype, "setTimeout").mockReturnThis();
  onTestFinished(() => spy.mockRestore());
}

/** Connections that nobody would end by themselves. */
const unfinished: [name: string, open: (served: Served) => RawConnection][] = [
  ["stalls at its head", stalled("head")],
  ["stalls at its body", stalled("body")],
  [
    "is delayed for an hour",
    ({ ref, port, headers }) => {
      ref.on("getStore").delay(3_600_000);
      return new RawConnection(port).send(wire("GET", target, headers));
    },
  ],
  [
    "has an incomplete head",
    ({ port }) => new RawConnection(port).send("GET /v1/stores HTTP/1.1\r\nhost: a\r\n"),
  ],
  [
    "has an incomplete body",
    ({ port, headers }) =>
      new RawConnection(port).send(wire("PUT", target, { ...headers, "content-length": 100 }, '{"name":')),
  ],
  [
    "is not read",
    ({ ref, port, headers }) => {
      ref.on("getStore").once({ body: "x".repeat(50_000_000) });
      const connection = new RawConnection(port);
      connection.socket.pause();
      return connection.send(wire("GET", target, headers));
    },
  ],
];

function stalled(at: "head" | "body") {
  return ({ ref, port, headers }: Served): RawConnection => {
    ref.on("getStore").fault("stall", { at });
    return new RawConnection(port).send(wire("GET", target, headers));
  };
}

describe("close()", () => {
  it("ends idle connections at once", async () => {
    const { port, headers, close } = await serveReference();
    const fresh = new RawConnection(port);
    const used = new RawConnection(port).send(wire("GET", target, headers));
    await used.until(({ received }) => received.endsWith("}"));
    withoutSocketTimeouts();
    await close();
    expect(await Promise.all([fresh.over(), used.over()])).toEqual(["end", "end"]);
  });

  it.each(unfinished)("ends a connection that %s", async (_, open) => {
    const served = await serveReference();
    const connection = open(served);
    await pause(50);
    await served.close();
    connection.socket.resume();
    expect(await connection.over()).not.toBe("open");
    expect(served.ref.journal.of("putStore")).toEqual([]);
  });

  it("waits for a response in progress, and those behind it in a pipeline", async () => {
    const { ref, port, headers, close } = await serveReference();
    ref.on("getStore").delay(200).times(1);
    ref.on("getStore").delay(100).times(1);
    const connection = new RawConnection(port);
    connection.send(wire("GET", target, { ...headers, ...announced }) + wire("GET", target, headers));
    await connection.until(hasBegun);
    const closing = close();
    expect(await connection.over()).toBe("end");
    expect(connection.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    await closing;
  });

  it("waits for a large response that is being sent", async () => {
    const { ref, port, headers, close } = await serveReference();
    ref.on("getStore").once({ body: "x".repeat(20_000_000) });
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    await connection.until(({ received }) => received.length > 0);
    await Promise.all([close(), connection.over()]);
    expect(connection.body).toHaveLength(20_000_000);
  });

  it("waits for a request that is still being sent", async () => {
    const { port, headers, close, ref } = await serveReference();
    const body = JSON.stringify({ name: "late" });
    const connection = new RawConnection(port);
    const length = { "content-length": body.length };
    connection.send(wire("PUT", target, { ...headers, ...announced, ...length }, body.slice(0, 5)));
    await connection.until(hasBegun);
    const closing = close();
    connection.send(body.slice(5));
    expect(await connection.over()).toBe("end");
    expect(ref.state.store.stores.get("S-1")?.name).toBe("late");
    await closing;
  });

  it("frees the port, and can be called twice, also at the same time", async () => {
    const { port, close, storeUrl } = await serveReference();
    await Promise.all([close(), close()]).then(close);
    await expect(fetch(storeUrl)).rejects.toThrow(TypeError);
    expect((await serveReference({}, { port })).port).toBe(port);
  });
});
