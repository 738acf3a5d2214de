import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { RawConnection, wire } from "./raw-connection.ts";
import { serveReference } from "./served.ts";

interface Reply {
  status: number;
  body: unknown;
}

function call(agent: Agent, url: string, method: string, headers: object, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("the HTTP server", () => {
  it("responds correctly to 5 000 requests, 50 in parallel", async () => {
    const { ref, storeUrl, headers } = await serveReference();
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const wrong: unknown[] = [];
    const one = async (index: number): Promise<void> => {
      const name = `L-${index}`;
      const url = `${storeUrl}/v1/stores/${name}`;
      const put = await call(agent, url, "PUT", headers, JSON.stringify({ name }));
      const get = await call(agent, url, "GET", headers);
      for (const { status, body } of [put, get])
        if (status !== 200 || (body as { name: string }).name !== name) wrong.push({ name, status, body });
    };
    let next = 0;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        while (next < 2_500) await one(next++);
      }),
    );
    agent.destroy();
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
    await vi.waitFor(() => expect(handled()).toBe(5_000), 30_000);
  });
});
