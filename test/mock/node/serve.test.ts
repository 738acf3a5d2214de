import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import { RawConnection, wire } from "./raw-connection.ts";
import { serveReference } from "./served.ts";

const lanAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.internal === false && address.family === "IPv4")?.address;

describe("serve()", () => {
  it("has the store API, production and sandbox on one port", async () => {
    const { ref, port, headers, storeUrl, fleetUrl, sandboxUrl } = await serveReference();
    expect({ storeUrl, fleetUrl, sandboxUrl }).toEqual({
      storeUrl: `http://127.0.0.1:${port}`,
      fleetUrl: `http://127.0.0.1:${port}/api/third-party/v1`,
      sandboxUrl: `http://127.0.0.1:${port}/sandbox/api/third-party/v1`,
    });
    const [production, sandbox] = ref.keys.map(({ key }) => ({
      headers: { authorization: `Bearer ${key}` },
    }));
    await fetch(`${storeUrl}/v1/stores?limit=1`, { headers });
    await fetch(`${fleetUrl}/vehicles?limit=1`, production);
    await fetch(`${sandboxUrl}/vehicles`, sandbox);
    expect(ref.journal.all()).toMatchObject([
      { base: "store", operation: "listStores", path: "/v1/stores", query: { limit: "1" }, status: 200 },
      { base: "fleet", operation: "listVehicles", path: "/vehicles", query: { limit: "1" } },
      { base: "sandbox", operation: "listVehicles", path: "/vehicles", query: {} },
    ]);
  });

  it("keeps the paths of the reference server's URLs", async () => {
    const { port, ...urls } = await serveReference({
      storeUrl: "https://a.test/integration/",
      fleetUrl: "https://b.test/integration",
      sandboxUrl: "https://c.test/integration/deep",
    });
    expect(urls).toMatchObject({
      storeUrl: `http://127.0.0.1:${port}/integration`,
      fleetUrl: `http://127.0.0.1:${port}/fleet/integration`,
      sandboxUrl: `http://127.0.0.1:${port}/integration/deep`,
    });
  });

  it.each(["http://mock", "mock:4010", ""])(
    "rejects %j in allowHosts, which no header can match",
    async (name) => {
      const served = serve(createReferenceServer(), { allowHosts: ["MOCK.local", name] });
      await expect(served).rejects.toThrow("serve.allowHosts[1] must be a host name or an address");
    },
  );

  it.each([3_000, 6_000, 600_000])(
    "sends %i letters as UTF-8, also with half a surrogate pair",
    async (length) => {
      const { ref, headers, storeUrl } = await serveReference();
      const texts = ["ż".repeat(length), `${"ż".repeat(length)}\ud800`];
      for (const body of texts) {
        ref.on("getStore").once({ status: 502, body });
        const response = await fetch(`${storeUrl}/v1/stores/S-1`, { headers });
        expect((await response.text()) === body.toWellFormed()).toBe(true);
      }
    },
  );

  it("responds with 404 outside the base URLs", async () => {
    const { port, ref } = await serveReference({ storeUrl: "https://a.test/integration" });
    for (const path of ["/", "/v1/stores", "/integrations/v1/stores"]) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      expect(response.status).toBe(404);
    }
    expect(ref.journal.all()).toEqual([]);
  });

  it("accepts the absolute form of a request to a proxy", async () => {
    const { port, headers, ref } = await serveReference();
    const connection = new RawConnection(port).send(
      wire("GET", "http://reference.test/v1/stores/S-1?a=b", { ...headers, connection: "close" }),
    );
    await connection.over();
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 /);
    expect(ref.journal.all()).toMatchObject([{ path: "/v1/stores/S-1", query: { a: "b" } }]);
  });

  it("writes an IPv6 host in brackets", async () => {
    const { storeUrl, port, headers } = await serveReference({}, { host: "::1" });
    expect(storeUrl).toBe(`http://[::1]:${port}`);
    expect((await fetch(`${storeUrl}/v1/stores/S-1`, { headers })).status).toBe(200);
  });

  it.runIf(lanAddress !== undefined)("cannot be reached from other machines by default", async () => {
    const { port } = await serveReference();
    expect(await new RawConnection(port, lanAddress).over()).toBe("reset");
  });

  it("rejects with EADDRINUSE if the port is in use", async () => {
    const { port } = await serveReference();
    await expect(serve(createReferenceServer(), { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("close()", () => {
  it("ends idle connections, and those that stall or are not read", async () => {
    const { ref, port, headers, close } = await serveReference();
    const target = "/v1/stores/S-1";
    const idle = new RawConnection(port).send(wire("GET", target, headers));
    await idle.until(({ received }) => received.endsWith("}"));
    ref.on("getStore").fault("stall");
    const stalled = new RawConnection(port).send(wire("GET", target, headers));
    const unread = new RawConnection(port);
    unread.socket.pause();
    unread.send(wire("GET", "/v1/stores", headers).repeat(2_000));
    await expect.poll(() => ref.journal.of("listStores").length).toBeGreaterThan(0);
    await close();
    unread.socket.resume();
    for (const connection of [idle, stalled, unread]) expect(await connection.over()).not.toBe("open");
  });

  it("ends within half a second also under fake timers", async () => {
    const { ref, headers, storeUrl, close } = await serveReference();
    ref.on("getStore").fault("stall");
    const stalled = fetch(`${storeUrl}/v1/stores/S-1`, { headers }).catch((error: unknown) => error);
    await expect.poll(() => ref.journal.all()).toHaveLength(1);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await close();
    expect(await stalled).toBeInstanceOf(TypeError);
  });

  it("waits for a response in progress, frees the port, and can be called twice", async () => {
    const { ref, port, headers, storeUrl, close } = await serveReference();
    ref.on("getStore").delay(50);
    const responding = fetch(`${storeUrl}/v1/stores/S-1`, { headers });
    await expect.poll(() => ref.journal.all()).toHaveLength(1);
    await Promise.all([close(), close()]);
    expect((await responding).status).toBe(200);
    await expect(fetch(storeUrl)).rejects.toThrow(TypeError);
    expect((await serveReference({}, { port })).port).toBe(port);
  });
});

describe("a response of the HTTP server", () => {
  it("has no body and no length if the status allows none", async () => {
    const { ref, port } = await serveReference({ readings: { "fleet.delete-response": "no-content" } });
    const id = [...ref.state.fleet.vehicles.keys()][0];
    const headers = { authorization: `Bearer ${ref.keys[0]?.key}` };
    const request = wire("DELETE", `/api/third-party/v1/vehicles/${id}`, headers);
    const connection = new RawConnection(port).send(request);
    await connection.until(({ received }) => received.endsWith("\r\n\r\n"));
    expect(connection.received).toMatch(/^HTTP\/1\.1 204 /);
    expect(connection.received).not.toMatch(/content-length|transfer-encoding/i);
  });

  it("has a test's header instead of the API's, regardless of case", async () => {
    const { ref, storeUrl, headers } = await serveReference();
    const own = { "Content-Type": "text/html", "CONTENT-LENGTH": "5" };
    ref.on("getStore").once({ status: 200, body: "<br/>", headers: own });
    const response = await fetch(`${storeUrl}/v1/stores/S-1`, { headers });
    expect(response.headers.get("content-type")).toBe("text/html");
    expect(await response.text()).toBe("<br/>");
  });
});

describe("CORS", () => {
  const origin = "https://page.test";
  const preflight = {
    origin,
    "access-control-request-method": "PUT",
    "access-control-request-headers": "authorization,content-type",
  };

  it("lets web pages send requests and read responses, including errors", async () => {
    const { storeUrl, headers, ref } = await serveReference({}, { cors: true });
    const response = await fetch(`${storeUrl}/v1/stores/S-1`, { method: "OPTIONS", headers: preflight });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "PUT",
      "access-control-allow-headers": "authorization,content-type",
    });
    expect(ref.journal.all()).toEqual([]); // a preflight is not an operation
    for (const own of [{ ...headers, origin }, { origin }]) {
      const read = await fetch(`${storeUrl}/v1/stores/S-1`, { headers: own });
      expect(read.headers.get("access-control-allow-origin")).toBe("*");
      expect(read.headers.get("access-control-expose-headers")).toBe("*");
    }
  });

  it("is disabled by default", async () => {
    const { storeUrl, headers } = await serveReference();
    const response = await fetch(`${storeUrl}/v1/stores/S-1`, { method: "OPTIONS", headers: preflight });
    expect(response.status).toBe(404);
    const read = await fetch(`${storeUrl}/v1/stores/S-1`, { headers: { ...headers, origin } });
    expect(read.headers.has("access-control-allow-origin")).toBe(false);
  });
});
