import type { RequestHandler } from "msw";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { listenOptions, mswHandlers } from "../../src/mock/msw.ts";

/** The result of `setupServer` in both major versions. */
interface MswServer {
  listen(options: object): void;
  close(): void;
}

/** The tests that both major versions of msw pass. */
export function testsOver(setupServer: (...handlers: RequestHandler[]) => MswServer): void {
  const ref = createReferenceServer({
    storeUrl: "http://localhost:4010",
    fleetUrl: "https://fleet.example/api/third-party/v1",
  });
  const server = setupServer(...mswHandlers(ref));
  beforeAll(() => server.listen(listenOptions()));
  afterEach(() => ref.reset());
  afterAll(() => server.close());

  const headers = { authorization: `Bearer ${ref.token}`, "content-type": "application/json" };
  const storeUrl = `${ref.storeUrl}/v1/stores/S-1`;
  const read = (init: RequestInit = {}) => fetch(storeUrl, { headers, ...init });

  test("the msw handlers respond to GETs and writes, and store the data", async () => {
    const put = await read({ method: "PUT", body: '{"name":"Over msw"}' });
    expect([put.status, put.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await (await read()).json()).toMatchObject({ name: "Over msw" });
    expect(ref.journal.of("putStore")).toMatchObject([{ body: { name: "Over msw" }, status: 200 }]);
  });

  test("the msw handlers read the query and encoded IDs", async () => {
    const page = await fetch(`${ref.storeUrl}/v1/stores?limit=2`, { headers });
    expect(((await page.json()) as { items: unknown[] }).items).toHaveLength(2);
    const slash = `${ref.storeUrl}/v1/stores/${encodeURIComponent("a/b")}`;
    const made = await fetch(slash, { method: "PUT", headers, body: "{}" });
    expect(await made.json()).toMatchObject({ externalId: "a/b" });
  });

  test("the msw handlers respond at all three base URLs", async () => {
    for (const url of [ref.storeUrl, ref.fleetUrl, ref.sandboxUrl]) {
      expect((await fetch(`${url}${url === ref.storeUrl ? "/v1/stores" : "/vehicles"}`)).status).toBe(401);
    }
  });

  test.for(["", "/", "/unknown/path", "?x=1"])(
    "the msw handlers respond with 404 to every other URL below a base: %j",
    async (path) => {
      expect((await fetch(ref.storeUrl + path)).status).toBe(404);
    },
  );

  test("the msw handlers make a request outside their base URLs an error", async () => {
    const consoleError = vi.spyOn(console, "error").mockImplementation(() => undefined);
    for (const url of ["http://localhost:40100/v1/stores", "https://elsewhere.test/"]) {
      await expect(fetch(url)).rejects.toThrow(/MSW|fetch failed/);
    }
    consoleError.mockRestore();
  });

  test.for(["reset", "close"] as const)("the fault %s rejects over msw", async (kind) => {
    ref.on("getStore").fault(kind).times(1);
    await expect(read()).rejects.toThrow(TypeError);
    expect((await read()).status).toBe(200);
  });

  test("the fault truncate sends the length of the whole body and cuts the body over msw", async () => {
    ref.on("getStore").fault("truncate").times(1);
    const response = await read();
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(100);
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  test("the fault truncate at the head sends no part of the body over msw, and in msw 3 no head", async () => {
    ref.on("getStore").fault("truncate", { at: "head" }).times(1);
    let text = "";
    const reading = async (): Promise<void> => {
      const { body } = await read();
      for await (const part of body ?? []) text += String(part);
    };
    await expect(reading()).rejects.toThrow(TypeError);
    expect(text).toBe("");
  });

  test("the faults malformed and html are complete responses over msw", async () => {
    ref.on("getStore").fault("malformed").times(1);
    await expect((await read()).json()).rejects.toThrow(SyntaxError);
    ref.on("getStore").fault("html").times(1);
    expect(await (await read()).text()).toMatch(/<\/html>$/);
  });

  test.for(["head", "body"] as const)(
    "the fault stall at the %s ends with the caller's signal over msw",
    async (at) => {
      ref.on("getStore").fault("stall", { at }).times(1);
      const call = async () => (await read({ signal: AbortSignal.timeout(50) })).text();
      await expect(call()).rejects.toThrow(/timeout/);
    },
  );

  test("a delay holds the response back over msw", async () => {
    ref.on("getStore").delay(60_000).times(1);
    await expect(read({ signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/);
    ref.on("getStore").delay(40).times(1);
    const start = performance.now();
    await read();
    expect(performance.now() - start).toBeGreaterThan(35);
  });
}
