import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { RawConnection, wire } from "./raw-connection.ts";
import { serveReference } from "./served.ts";

describe("the HTTP server", () => {
  it("responds correctly to 5 000 requests, 50 in parallel", async () => {
    const { ref, storeUrl, headers } = await serveReference();
    const wrong: unknown[] = [];
    const one = async (index: number): Promise<void> => {
      const name = `L-${index}`;
      for (const init of [{ method: "PUT", body: JSON.stringify({ name }) }, {}]) {
        const response = await fetch(`${storeUrl}/v1/stores/${name}`, { ...init, headers });
        const body = (await response.json()) as { name?: string };
        if (response.status !== 200 || body.name !== name) wrong.push({ name, body });
      }
    };
    let next = 0;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        while (next < 2_500) await one(next++);
      }),
    );
    expect(wrong).toEqual([]);
    expect(ref.journal.all()).toHaveLength(5_000);
    expect(ref.journal.violations()).toEqual([]);
  });

  it("responds in order to reads and writes pipelined on one connection", async () => {
    const { port, headers } = await serveReference();
    const requests = Array.from({ length: 500 }, (_, index) => {
      const body = JSON.stringify({ name: `n${index}` });
      return index % 2 === 0
        ? wire("PUT", "/v1/stores/P-1", { ...headers, "content-length": body.length }, body)
        : wire("GET", "/v1/stores/P-1", headers);
    });
    const connection = new RawConnection(port).send(
      requests.join("") + wire("GET", "/v1/stores?limit=0", { ...headers, connection: "close" }),
    );
    await connection.over();
    const names = [...connection.received.matchAll(/"name":"(n\d+)"/g)].map(([, name]) => name);
    expect(names).toEqual(Array.from({ length: 500 }, (_, index) => `n${index - (index % 2)}`));
    expect(connection.received).toMatch(/HTTP\/1\.1 400 Bad Request[^]*"path":"limit"/);
  });
});

describe("a client that reads no response", () => {
  it("keeps a bounded number of responses in memory, and sends all of them when it reads", async () => {
    const { ref, port, headers } = await serveReference();
    const handled = () => ref.journal.of("listStores").length;
    const connection = new RawConnection(port);
    connection.socket.pause();
    connection.send(wire("GET", "/v1/stores", headers).repeat(5_000));
    await vi.waitFor(() => expect(handled()).toBeGreaterThan(10), 30_000);
    await pause(300);
    expect(handled()).toBeLessThan(2_000);
    connection.socket.resume();
    await vi.waitFor(() => expect(handled()).toBe(5_000), 150_000);
  });
});
