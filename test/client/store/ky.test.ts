import { createServer } from "node:http";
import ky from "ky";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ConnectionError,
  StoreApiError,
  StoreClient,
  TimeoutError,
} from "../../../src/client/store/index.ts";
import { store } from "./stub-client.ts";

type Respond = (index: number) => { status: number; body: string } | "reset" | "stall";

/** A store service over real sockets; returns its base URL and the requests that it received. */
async function serve(respond: Respond): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(
      `${request.method} ${request.url} ${request.headers.authorization} ${String(request.headers["x-via"])}`,
    );
    const result = respond(received.length - 1);
    if (result === "reset") request.socket.resetAndDestroy();
    else if (result === "stall") response.writeHead(200).write("{");
    else response.writeHead(result.status, { "content-type": "application/json" }).end(result.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, received };
}

/** As the guide shows it: ky sends and adds hooks, the client decides about errors, retries and deadlines. */
const viaKy = ky.create({
  throwHttpErrors: false,
  retry: 0,
  timeout: false,
  hooks: { beforeRequest: [({ request }) => request.headers.set("x-via", "ky")] },
});

const token = "some-long-token";
const ok = { status: 200, body: JSON.stringify(store) };

describe("a StoreClient over ky", () => {
  it("sends through ky's hooks and retries by itself", async () => {
    const { url, received } = await serve((index) => (index === 0 ? { status: 503, body: "{}" } : ok));
    const client = new StoreClient({ baseUrl: url, token, fetch: viaKy, retry: { maxDelay: 1 } });
    expect(await client.stores.get("S-1")).toEqual(store);
    expect(received).toEqual(Array(2).fill(`GET /v1/stores/S-1 Bearer ${token} ky`));
  });

  it("retries a read after a reset and reports what remains as a ConnectionError", async () => {
    const once = await serve((index) => (index === 0 ? "reset" : ok));
    const retried = new StoreClient({ baseUrl: once.url, token, fetch: viaKy, retry: { maxDelay: 1 } });
    expect(await retried.stores.get("S-1")).toEqual(store);
    const always = await serve(() => "reset");
    const lost = new StoreClient({ baseUrl: always.url, token, fetch: viaKy, retry: 0 });
    await expect(lost.stores.get("S-1")).rejects.toBeInstanceOf(ConnectionError);
  });

  it("reads the API's error", async () => {
    const body = JSON.stringify({ error: { code: "not_found", message: "no" } });
    const { url } = await serve(() => ({ status: 404, body }));
    const client = new StoreClient({ baseUrl: url, token, fetch: viaKy });
    const error = await client.stores.get("S-1").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreApiError);
    expect(error).toMatchObject({ code: "not_found", status: 404 });
  });

  it("sends a body and ends a stalled response at the deadline", async () => {
    const { url, received } = await serve((index) => (index === 0 ? ok : "stall"));
    const client = new StoreClient({ baseUrl: url, token, fetch: viaKy, retry: 0 });
    await client.stores.upsert("S-1", { name: "One" });
    expect(received).toEqual([`PUT /v1/stores/S-1 Bearer ${token} ky`]);
    await expect(client.stores.get("S-1", { timeout: 50 })).rejects.toBeInstanceOf(TimeoutError);
  });
});
