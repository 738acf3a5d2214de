import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { RawConnection, wire } from "./raw-connection.ts";
import { serveReference } from "./served.ts";

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

it("close() ends idle connections at once", async () => {
  const { port, headers, close } = await serveReference();
  const fresh = new RawConnection(port);
  const used = new RawConnection(port).send(wire("GET", target, headers));
  await used.until(({ received }) => received.endsWith("}"));
  withoutSocketTimeouts();
  await close();
  expect(await Promise.all([fresh.over(), used.over()])).toEqual(["end", "end"]);
});

it.each(["head", "body"] as const)("close() ends a response that stalls at its %s", async (at) => {
  const { ref, port, headers, close } = await serveReference();
  ref.on("getStore").fault("stall", { at });
  const connection = new RawConnection(port).send(wire("GET", target, headers));
  await pause(50);
  await close();
  expect(await connection.over()).not.toBe("open");
});

it("close() ends a request whose head or body is incomplete", async () => {
  const { port, headers, close, ref } = await serveReference();
  const half = new RawConnection(port).send("GET /v1/stores HTTP/1.1\r\nhost: a\r\n");
  const body = new RawConnection(port).send(
    wire("PUT", target, { ...headers, "content-length": 100 }, '{"name":'),
  );
  await pause(50);
  await close();
  expect(await half.over()).not.toBe("open");
  expect(await body.over()).not.toBe("open");
  expect(ref.journal.all()).toEqual([]);
});

it("close() ends a connection whose client does not read the response", async () => {
  const { ref, port, headers, close } = await serveReference();
  ref.on("getStore").once({ body: "x".repeat(50_000_000) });
  const connection = new RawConnection(port);
  connection.socket.pause();
  connection.send(wire("GET", target, headers));
  await pause(100);
  await expect(close()).resolves.toBeUndefined();
});

it("close() waits for a response in progress, and those behind it in a pipeline", async () => {
  const { ref, port, headers, close } = await serveReference();
  ref.on("getStore").delay(200).times(1);
  ref.on("getStore").delay(100).times(1);
  const connection = new RawConnection(port);
  connection.send(wire("GET", target, { ...headers, ...announced }) + wire("GET", "/v1/stores/S-2", headers));
  await connection.until(hasBegun);
  const closing = close();
  expect(await connection.over()).toBe("end");
  expect(connection.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  await closing;
});

it("close() waits for a large response that is being sent", async () => {
  const { ref, port, headers, close } = await serveReference();
  ref.on("getStore").once({ body: "x".repeat(20_000_000) });
  const connection = new RawConnection(port).send(wire("GET", target, headers));
  await connection.until(({ received }) => received.length > 0);
  await Promise.all([close(), connection.over()]);
  expect(connection.body).toHaveLength(20_000_000);
});

it("close() waits for a request that is still being sent", async () => {
  const { port, headers, close, ref } = await serveReference();
  const body = JSON.stringify({ name: "late" });
  const connection = new RawConnection(port);
  const length = { "content-length": body.length };
  connection.send(wire("PUT", target, { ...headers, ...announced, ...length }, body.slice(0, 5)));
  await connection.until(hasBegun);
  const closing = close();
  await pause(50);
  connection.send(body.slice(5));
  expect(await connection.over()).toBe("end");
  expect(connection.received).toMatch(/^HTTP\/1\.1 200 OK/m);
  expect(ref.state.store.stores.get("S-1")?.name).toBe("late");
  await closing;
});

it("close() stops listening and frees the port", async () => {
  const { port, close, storeUrl } = await serveReference();
  await close();
  await expect(fetch(storeUrl)).rejects.toThrow(TypeError);
  const next = await serveReference({}, { port });
  expect(next.port).toBe(port);
});

it("close() can be called twice, also at the same time", async () => {
  const { close } = await serveReference();
  await expect(Promise.all([close(), close()]).then(close)).resolves.toBeUndefined();
});

it("close() drops a delayed response whose client has disconnected", async () => {
  const { ref, port, headers, close } = await serveReference();
  ref.on("getStore").delay(3_600_000);
  const connection = new RawConnection(port).send(wire("GET", target, headers));
  await pause(50);
  connection.socket.destroy();
  withoutSocketTimeouts();
  await expect(close()).resolves.toBeUndefined();
});
