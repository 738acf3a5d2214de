import type { RequestHandler } from "msw";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { operationIds } from "../../src/mock/server/operations.ts";
import { mswVersions } from "./msw-versions.ts";

describe.each(mswVersions)("%s", async (_, version) => {
  const { fleetHttp, mswHandlers, setupReference, setupServer, storeHttp } = await version.load();
  const mock = setupReference({
    storeUrl: "http://localhost:4010",
    fleetUrl: "https://fleet.example/api/third-party/v1",
  });
  const { ref } = mock;
  beforeAll(async () => {
    version.select();
    await mock.listen();
  });
  afterEach(mock.reset);
  afterAll(() => {
    mock.close();
    mock.close(); // twice
  });

  const headers = { authorization: `Bearer ${ref.token}`, "content-type": "application/json" };
  const storeUrl = `${ref.storeUrl}/v1/stores/S-1`;
  const read = (init: RequestInit = {}) => fetch(storeUrl, { headers, ...init });

  describe("mswHandlers", () => {
    it("is one handler for each operation, with its name and path, and one for every other request", () => {
      const handlers = setupServer(...mswHandlers(ref)).listHandlers() as RequestHandler[];
      const names = handlers.map(({ info }) => info.header);
      expect(names).toContain("getStore GET /v1/stores/{externalId}");
      expect(names.map((name) => name.split(" ", 1)[0])).toEqual([...operationIds, "any"]);
    });

    it("reads the query and encoded IDs", async () => {
      const page = await fetch(`${ref.storeUrl}/v1/stores?limit=2`, { headers });
      expect(((await page.json()) as { items: unknown[] }).items).toHaveLength(2);
      const slash = `${ref.storeUrl}/v1/stores/${encodeURIComponent("a/b")}`;
      const made = await fetch(slash, { method: "PUT", headers, body: "{}" });
      expect(await made.json()).toMatchObject({ externalId: "a/b" });
    });

    it("responds at all three base URLs", async () => {
      for (const url of [
        `${ref.storeUrl}/v1/stores`,
        `${ref.fleetUrl}/vehicles`,
        `${ref.sandboxUrl}/vehicles`,
      ])
        expect((await fetch(url)).status).toBe(401);
    });

    it.each(["", "/", "/unknown/path", "?x=1"])(
      "responds with 404 to every other URL below a base: %j",
      async (path) => {
        expect((await fetch(ref.storeUrl + path)).status).toBe(404);
      },
    );

    it("leaves other requests alone, which are errors", async () => {
      const consoleError = vi.spyOn(console, "error").mockImplementation(() => undefined);
      for (const url of ["http://localhost:40100/v1/stores", "https://elsewhere.test/"])
        await expect(fetch(url)).rejects.toThrow(/MSW|fetch failed/);
      consoleError.mockRestore();
    });
  });

  describe("a fault", () => {
    it.each(["reset", "close"] as const)("%s rejects", async (kind) => {
      ref.on("getStore").fault(kind).times(1);
      await expect(read()).rejects.toThrow(TypeError);
      expect((await read()).status).toBe(200);
    });

    it("truncate sends the length of the whole body and cuts the body", async () => {
      ref.on("getStore").fault("truncate").times(1);
      const response = await read();
      expect(Number(response.headers.get("content-length"))).toBeGreaterThan(100);
      await expect(response.text()).rejects.toThrow(TypeError);
    });
  });

  describe("setupReference", () => {
    it("resets data, overrides and handlers", async () => {
      mock.use(
        storeHttp.get("/v1/stores/{externalId}", ({ respond }) =>
          respond(404, { error: { code: "not_found", message: "none" } }),
        ),
      );
      ref.state.store.stores.delete("S-2");
      expect((await read()).status).toBe(404);
      mock.reset();
      expect((await read()).status).toBe(200);
      expect(ref.state.store.stores.has("S-2")).toBe(true);
    });

    it("needs listen() before use()", () => {
      expect(() => setupReference().use()).toThrow("use: listen() comes first");
    });

    it("answers preflights with cors", async () => {
      const own = setupReference({ storeUrl: "https://own.test" }, { cors: true });
      mock.use(...mswHandlers(own.ref, { cors: true }));
      const preflight = { origin: "https://page.test", "access-control-request-method": "PUT" };
      const response = await fetch(`${own.ref.storeUrl}/v1/stores/S-1`, {
        method: "OPTIONS",
        headers: preflight,
      });
      expect([response.status, response.headers.get("access-control-allow-methods")]).toEqual([204, "PUT"]);
      const got = await fetch(`${own.ref.storeUrl}/v1/stores/S-1`, { headers });
      expect(got.headers.get("access-control-allow-origin")).toBe("*");
      expect(own.ref.journal.all()).toHaveLength(1);
    });

    it("lets a page read the answers of storeHttp and fleetHttp", async () => {
      const error = { error: { code: "not_found" as const, message: "none" } };
      mock.use(
        storeHttp.get("/v1/stores/{externalId}", ({ respond }) => respond(404, error)),
        storeHttp.get("/v1/stores", () => Response.error()),
        fleetHttp.delete("/vehicles/{id}", async ({ respond }) => respond(204, undefined)),
      );
      const got = await fetch(`${ref.storeUrl}/v1/stores/S-1`);
      const deleted = await fetch(`${ref.fleetUrl}/vehicles/v-1`, { method: "DELETE" });
      const origins = [got, deleted].map((response) => response.headers.get("access-control-allow-origin"));
      expect([got.status, deleted.status, ...origins]).toEqual([404, 204, "*", "*"]);
      await expect(fetch(`${ref.storeUrl}/v1/stores`)).rejects.toThrow(TypeError);
    });
  });

  describe("storeHttp and fleetHttp", () => {
    const store = ref.state.store.stores.get("S-2");
    if (store === undefined) throw new Error("the seed has this store");

    it("respond to one operation, with its parameters and body", async () => {
      mock.use(
        storeHttp.put("/v1/stores/{externalId}", async ({ params, request, respond }) => {
          const { name } = await request.json();
          return respond(200, { ...store, externalId: params.externalId, name: name ?? "" });
        }),
      );
      const response = await read({ method: "PUT", body: '{"name":"Mine"}' });
      expect(await response.json()).toEqual({ ...store, externalId: "S-1", name: "Mine" });
      expect((await read()).status).toBe(200);
      expect(ref.journal.of("putStore")).toEqual([]);
    });

    it("leave a request to the reference server, or break its connection", async () => {
      mock.use(
        storeHttp.get("/v1/stores/{externalId}", ({ params }) =>
          params.externalId === "S-1" ? undefined : Response.error(),
        ),
      );
      expect((await read()).status).toBe(200);
      await expect(fetch(`${ref.storeUrl}/v1/stores/S-2`, { headers })).rejects.toThrow(TypeError);
    });

    it("match in both environments of the fleet API, and send a status without a body", async () => {
      mock.use(fleetHttp.delete("/vehicles/{id}", ({ respond }) => respond(204, undefined)));
      for (const url of [ref.fleetUrl, ref.sandboxUrl])
        expect((await fetch(`${url}/vehicles/v-1`, { method: "DELETE" })).status).toBe(204);
    });
  });
});
