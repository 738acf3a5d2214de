// Kinds 2 and 3: failures before the first byte of a request, and writes whose response was lost.
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { FleetClient, type FleetClientOptions } from "../../../src/index.ts";
import { nodeTransport } from "../../../src/client/node.ts";

const key = `acme_${"0a".repeat(32)}`;
const opened: NetServer[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  const closing = opened.splice(0).map((server) => new Promise((resolve) => server.close(resolve)));
  await Promise.all(closing);
});

/** Starts a server; returns its host and port. */
async function listen(server: NetServer): Promise<string> {
  opened.push(server);
  server.on("connection", (socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The address of a port at which nobody listens any more. */
async function closedPort(): Promise<string> {
  const address = await listen(createServer());
  const server = opened.pop();
  await new Promise((resolve) => server?.close(resolve));
  return address;
}

/** Creates a vehicle; returns the error. */
async function create(host: string, options: Partial<FleetClientOptions> = {}) {
  const baseUrl = host.includes("://") ? host : `https://${host}/api/third-party/v1`;
  const fleet = new FleetClient({
    baseUrl,
    key,
    retry: { limit: 2, maxDelay: 1 },
    ...options,
  } as FleetClientOptions);
  return fleet.vehicles.create({ plateNumber: "X" }).catch((error: unknown) => error);
}

/** A proxy that refuses each tunnel with a status. */
function refusingProxy(status: number): Server {
  const proxy = createHttpServer();
  proxy.on("connect", (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
  return proxy;
}

const unsent = { mayHaveBeenProcessed: false };

describe.each(["fetch", "undici"])("over %s, a create", (name) => {
  const settings = (): { options: Partial<FleetClientOptions>; close: () => Promise<void> } => {
    if (name === "fetch") return { options: {}, close: async () => {} };
    const transport = nodeTransport();
    return { options: { transport }, close: () => transport.close() };
  };

  it("at a service that speaks no TLS is sent once, was not processed and is not retryable", async () => {
    const { options, close } = settings();
    const host = await listen(createHttpServer());
    expect(await create(host, options)).toMatchObject({ ...unsent, attempts: 1, retryable: false });
    await close();
  });

  it("at a service without a certificate is sent once, was not processed and is not retryable", async () => {
    const { options, close } = settings();
    const host = await listen(createHttpsServer());
    expect(await create(host, options)).toMatchObject({ ...unsent, attempts: 1, retryable: false });
    await close();
  });

  it("whose handshake is cut off is retried and was not processed", async () => {
    const { options, close } = settings();
    const host = await listen(createServer((socket) => socket.end()));
    expect(await create(host, options)).toMatchObject({ ...unsent, attempts: 3, retryable: true });
    await close();
  });

  it("at a closed port is retried and was not processed", async () => {
    const { options, close } = settings();
    expect(await create(await closedPort(), options)).toMatchObject({
      ...unsent,
      attempts: 3,
      retryable: true,
    });
    await close();
  });

  it.each(["expect", "upgrade"])(
    "with the header %s, which the platform refuses, was not processed",
    async (header) => {
      const { options, close } = settings();
      const host = await listen(createHttpServer((_request, response) => response.end("{}")));
      const baseUrl = `http://${host}/api/third-party/v1`;
      const error = await create(baseUrl, { ...options, headers: { [header]: "100-continue" } });
      expect(error).toMatchObject({ ...unsent, attempts: 1, retryable: false });
      await close();
    },
  );

  it("whose connection is lost says that it may have been processed", async () => {
    const { options, close } = settings();
    const host = await listen(createHttpServer((request) => request.socket.destroy()));
    const error = await create(`http://${host}/api/third-party/v1`, options);
    expect(error).toMatchObject({ mayHaveBeenProcessed: true, attempts: 1, retryable: false });
    await close();
  });
});

it.each([
  [403, 1],
  [407, 1],
  [502, 3],
])(
  "a proxy that refuses the tunnel with %i: %i attempts, and nothing was processed",
  async (status, attempts) => {
    const transport = nodeTransport({ proxy: `http://${await listen(refusingProxy(status))}` });
    const error = await create("fleet.example", { transport });
    expect(error).toMatchObject({ ...unsent, attempts });
    await transport.close();
  },
);

describe("a write", () => {
  const lost = () =>
    Promise.reject(
      new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) }),
    );
  const open = (respond: () => Promise<Response>, more: object = {}) =>
    new FleetClient({
      baseUrl: "https://fleet.example/api/third-party/v1",
      key,
      fetch: respond,
      retry: { limit: 1, maxDelay: 1 },
      ...more,
    }).vehicles;
  const responses = (...all: (() => Promise<Response>)[]) => {
    let index = 0;
    return () => (all[Math.min(index++, all.length - 1)] ?? lost)();
  };
  const status = (code: number) => async () => Response.json({ errors: [{ code: "X" }] }, { status: code });

  it.each<[string, () => Promise<unknown>]>([
    ["PUT whose connections were reset", () => open(lost).update("v1", { a: 1 })],
    ["DELETE whose connections were reset", () => open(lost).delete("v1")],
    ["POST whose connection was reset", () => open(lost).create({ a: 1 })],
    [
      "PUT answered with 204",
      () => open(async () => new Response(null, { status: 204 })).update("v1", { a: 1 }),
    ],
    ["PUT answered with HTML", () => open(async () => new Response("<html>")).update("v1", { a: 1 })],
    [
      "DELETE whose first response was lost, and then 404",
      () => open(responses(lost, status(404))).delete("v1"),
    ],
    [
      "PUT whose first response was lost, and then 400",
      () => open(responses(lost, status(400))).update("v1", {}),
    ],
    [
      "PUT whose first response was lost, and then a redirect",
      () => open(responses(lost, async () => new Response(null, { status: 302 }))).update("v1", {}),
    ],
    ["POST answered with 500", () => open(status(500)).create({ a: 1 })],
    ["POST answered with 408", () => open(status(408)).create({ a: 1 })],
    [
      "PUT that timed out",
      () => open(() => new Promise(() => {}), { timeout: 5, retry: 0 }).update("v1", {}),
    ],
    [
      "PUT after its total time",
      () => open(() => new Promise(() => {}), { totalTimeout: 5 }).update("v1", {}),
    ],
  ])("%s says that it may have been processed", async (_, call) => {
    const error = await call().catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ mayHaveBeenProcessed: true });
    expect((error as Error).message).toContain("the service may have processed the request");
  });

  it.each<[string, () => Promise<unknown>]>([
    ["POST refused with 400", () => open(status(400)).create({ a: 1 })],
    ["POST refused with 501", () => open(status(501)).create({ a: 1 })],
    [
      "PUT answered with a redirect",
      () => open(async () => new Response(null, { status: 302 })).update("v1", {}),
    ],
    ["PUT refused with 429", () => open(status(429), { retry: 0 }).update("v1", { a: 1 })],
    ["GET whose connections were reset", () => open(lost).get("v1")],
  ])("%s does not say so", async (_, call) => {
    const error = await call().catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ mayHaveBeenProcessed: false });
    expect((error as Error).message).not.toContain("may have processed");
  });
});
