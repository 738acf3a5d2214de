// Kinds 2 and 3: failures before the first byte of a request, and writes whose response was lost.
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from "node:net";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
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

const final = { ...unsent, attempts: 1, retryable: false };
const retried = { ...unsent, attempts: 3, retryable: true };
const lostOnce = { ...final, mayHaveBeenProcessed: true };
const withPath = (host: string): string => `http://${host}/api/third-party/v1`;

describe.each(["fetch", "undici"])("over %s, a create", (name) => {
  const settings = (): Partial<FleetClientOptions> => {
    if (name === "fetch") return {};
    const transport = nodeTransport();
    onTestFinished(() => transport.close());
    return { transport };
  };

  it.each<[string, object, () => Promise<string>]>([
    ["at a service that speaks no TLS", final, () => listen(createHttpServer())],
    ["at a service without a certificate", final, () => listen(createHttpsServer())],
    ["whose handshake is cut off", retried, () => listen(createServer((socket) => socket.end()))],
    ["at a closed port", retried, closedPort],
    [
      "whose connection is lost",
      lostOnce,
      async () => withPath(await listen(createHttpServer(({ socket }) => socket.destroy()))),
    ],
  ])("%s ends with %j", async (_, expected, open) => {
    expect(await create(await open(), settings())).toMatchObject(expected);
  });

  it.each(["expect", "upgrade"])(
    "with the header %s, which the platform refuses, was not processed",
    async (header) => {
      const host = await listen(createHttpServer((_request, response) => response.end("{}")));
      const headers = { [header]: "100-continue" };
      expect(await create(withPath(host), { ...settings(), headers })).toMatchObject(final);
    },
  );
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
  const silent = () => new Promise<Response>(() => {});
  const redirect = async () => new Response(null, { status: 302 });
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
      () => open(responses(lost, redirect)).update("v1", {}),
    ],
    ["POST answered with 500", () => open(status(500)).create({ a: 1 })],
    ["POST answered with a redirect, which may lead to its result", () => open(redirect).create({ a: 1 })],
    ["POST answered with 408", () => open(status(408)).create({ a: 1 })],
    ["PUT that timed out", () => open(silent, { timeout: 5, retry: 0 }).update("v1", {})],
    ["PUT after its total time", () => open(silent, { totalTimeout: 5 }).update("v1", {})],
  ])("%s says that it may have been processed", async (_, call) => {
    const error = await call().catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ mayHaveBeenProcessed: true });
    expect((error as Error).message).toContain("the service may have processed the request");
  });

  it.each<[string, () => Promise<unknown>]>([
    ["POST refused with 400", () => open(status(400)).create({ a: 1 })],
    ["POST refused with 501", () => open(status(501)).create({ a: 1 })],
    ["PUT answered with a redirect", () => open(redirect).update("v1", {})],
    ["PUT refused with 429", () => open(status(429), { retry: 0 }).update("v1", { a: 1 })],
    ["GET whose connections were reset", () => open(lost).get("v1")],
  ])("%s does not say so", async (_, call) => {
    const error = await call().catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ mayHaveBeenProcessed: false });
    expect((error as Error).message).not.toContain("may have processed");
  });
});
