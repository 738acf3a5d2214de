import { describe, expect, it, onTestFinished } from "vitest";
import { controlApi } from "../../src/mock/control/control-api.ts";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import { listen } from "../../src/mock/adapters/node/serve.ts";

interface Control {
  ref: ReferenceServer;
  storeUrl: string;
  post(route: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(route: string, headers?: Record<string, string>): Promise<Response>;
}

const authorized = { authorization: "Bearer control-token" };

/** A reference server with a control API, for the current test. */
async function startControlled(): Promise<Control> {
  const ref = createReferenceServer();
  const served = await listen(ref, {}, { cors: true, intercept: controlApi(ref, "control-token") });
  onTestFinished(() => served.close());
  const base = `${served.storeUrl}/__ref`;
  return {
    ref,
    storeUrl: served.storeUrl,
    post: (route, body, headers = { "content-type": "application/json" }) =>
      fetch(`${base}/${route}`, {
        method: "POST",
        headers: { ...authorized, ...headers },
        body: JSON.stringify(body),
      }),
    get: (route, headers = authorized) => fetch(`${base}/${route}`, { headers }),
  };
}

describe("the control API", () => {
  it("resets the server", async () => {
    const { ref, post } = await startControlled();
    ref.state.store.stores.clear();
    expect((await post("reset", {})).status).toBe(204);
    expect(ref.state.store.stores.size).toBe(250);
  });

  it("resets the server without a body", async () => {
    const { ref, storeUrl } = await startControlled();
    ref.state.store.stores.clear();
    const headers = { ...authorized, "content-type": "application/json" };
    const response = await fetch(`${storeUrl}/__ref/reset`, { method: "POST", headers });
    expect(response.status).toBe(204);
    expect(ref.state.store.stores.size).toBe(250);
  });

  it("lists the journal, which does not contain requests to the control API", async () => {
    const { ref, storeUrl, get } = await startControlled();
    const headers = { authorization: `Bearer ${ref.token}` };
    await fetch(`${storeUrl}/v1/stores?limit=2`, { headers });
    await fetch(`${storeUrl}/v1/stores?limit=1000`, { headers });
    const response = await get("journal");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      requests: JSON.parse(JSON.stringify(ref.journal.all())) as unknown,
      violations: [
        expect.objectContaining({ status: 400, issues: [expect.objectContaining({ path: "limit" })] }),
      ],
      coverage: ref.journal.coverage(),
    });
  });

  it("forces statuses and faults for a number of requests or for all", async () => {
    const { ref, storeUrl, post } = await startControlled();
    const status = async () =>
      (await fetch(`${storeUrl}/v1/stores/S-1`, { headers: { authorization: `Bearer ${ref.token}` } }))
        .status;
    expect((await post("faults", { operation: "getStore", status: 503, times: 1 })).status).toBe(204);
    expect([await status(), await status()]).toEqual([503, 200]);
    await post("faults", { operation: "getStore", fault: "reset", times: 2 });
    await expect(status()).rejects.toThrow(TypeError);
    await expect(status()).rejects.toThrow(TypeError);
    expect(await status()).toBe(200);
    await post("faults", { operation: "getStore", fault: "truncate", at: "head" });
    const truncated = await fetch(`${storeUrl}/v1/stores/S-1`);
    await expect(truncated.text()).rejects.toThrow(TypeError);
    await post("reset", {});
    expect(await status()).toBe(200);
  });

  it("moves the clock", async () => {
    const { ref, post } = await startControlled();
    const begun = ref.clock.ms();
    expect((await post("clock", { advance: { hours: 1, minutes: -30 } })).status).toBe(204);
    expect(ref.clock.ms() - begun).toBe(1_800_000);
    expect((await post("clock", { set: "2030-01-01T00:00:00Z" })).status).toBe(204);
    expect(ref.clock.now().toISOString()).toBe("2030-01-01T00:00:00.000Z");
  });

  it("switches readings", async () => {
    const { ref, post } = await startControlled();
    expect((await post("readings", { "stores.omitted-fields": "reset" })).status).toBe(204);
    expect(ref.readings["stores.omitted-fields"]).toBe("reset");
  });

  it.each([
    ["reset", { hard: true }, 'Unknown property "hard". Expected to'],
    ["reset", [], "The body must be a JSON object"],
    ["faults", {}, 'the body must have either "status" or "fault"'],
    [
      "faults",
      { operation: "getStore", status: 500, fault: "reset" },
      'must have either "status" or "fault"',
    ],
    ["faults", { status: 500 }, '"operation" must be a string, not nothing'],
    [
      "faults",
      { operation: "getShop", status: 500 },
      'Unknown operation "getShop". Expected one of listStores',
    ],
    ["faults", { operation: "getStore", status: 99 }, "status must be an integer from 200 to 599, not 99"],
    [
      "faults",
      { operation: "getStore", status: "500" },
      'status must be an integer from 200 to 599, not "500"',
    ],
    ["faults", { operation: "getStore", status: 500, at: "head" }, 'at must be before or after, not "head"'],
    [
      "faults",
      { operation: "getStore", fault: "explode" },
      'Unknown fault "explode". Expected one of reset, close',
    ],
    [
      "faults",
      { operation: "getStore", fault: "stall", at: "tail" },
      'Unknown place "tail" of a fault. Expected one of before',
    ],
    ["faults", { operation: "getStore", fault: "stall", times: 0 }, "times must be a positive integer"],
    [
      "faults",
      { operation: "getStore", fault: "stall", for: 1 },
      'Unknown property "for". Expected operation',
    ],
    ["clock", {}, 'the body must have either "advance" or "set"'],
    ["clock", { advance: { fortnights: 1 } }, 'unknown unit "fortnights"'],
    ["clock", { advance: null }, '"advance" must be an object'],
    ["clock", { advance: { hours: "1" } }, "hours must be a finite number"],
    ["clock", { set: "soon" }, "ISO 8601 string"],
    ["clock", { set: 5 }, '"set" must be an ISO 8601 string'],
    ["readings", { "no.gap": "x" }, 'unknown gap "no.gap"'],
    [
      "readings",
      { "stores.omitted-fields": "x" },
      'unknown reading "x" of "stores.omitted-fields". Expected one of keep, reset, reject',
    ],
  ])("rejects %s %j with a message and changes nothing", async (route, body, message) => {
    const { ref, post, storeUrl } = await startControlled();
    const { readings } = ref;
    const response = await post(route, body);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: string };
    expect(error).toContain(message);
    const headers = { authorization: `Bearer ${ref.token}` };
    expect((await fetch(`${storeUrl}/v1/stores/S-1`, { headers })).status).toBe(200);
    expect(ref.readings).toEqual(readings);
    expect(ref.clock.offset).toBe(0);
  });

  it.each([
    [{ "content-type": "application/json", origin: "https://page.test" }, 403],
    [{ "content-type": "application/json", origin: "null" }, 403],
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "application/jsonp" }, 415],
    [{}, 415],
    [{ "content-type": "application/json; charset=utf-8" }, 204],
  ])("responds to a POST with %j with %i", async (headers, status) => {
    const { ref, post } = await startControlled();
    ref.state.store.stores.clear();
    expect((await post("reset", {}, headers)).status).toBe(status);
    expect(ref.state.store.stores.size === 250).toBe(status === 204);
  });

  it("allows no web page to call it, regardless of the APIs' --cors", async () => {
    const { storeUrl } = await startControlled();
    const response = await fetch(`${storeUrl}/__ref/reset`, {
      method: "OPTIONS",
      headers: { origin: "https://page.test", "access-control-request-method": "POST" },
    });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("rejects unknown routes and methods", async () => {
    const { post, get } = await startControlled();
    const unknown = await get("restart");
    expect(unknown.status).toBe(404);
    const { error } = (await unknown.json()) as { error: string };
    expect(error).toMatch(/^Unknown route\. Expected one of reset, state, .*, faults, .*clock, readings, /);
    expect((await get("")).status).toBe(404);
    expect((await get("toString")).status).toBe(404);
    for (const response of [await get("reset"), await post("coverage", {})])
      expect(response.status).toBe(405);
  });

  it("rejects a body that is not JSON", async () => {
    const { storeUrl } = await startControlled();
    const send = (body: string) =>
      fetch(`${storeUrl}/__ref/readings`, {
        method: "POST",
        headers: { ...authorized, "content-type": "application/json" },
        body,
      });
    expect((await send("{")).status).toBe(400);
  });

  it.each([
    ["GET", "journal"],
    ["POST", "reset"],
    ["GET", "no-such-route"],
  ])("rejects %s %s without the token, and from a web page even with it", async (method, route) => {
    const { ref, storeUrl } = await startControlled();
    const before = ref.state.store.stores.size;
    const call = (headers: Record<string, string>) =>
      fetch(`${storeUrl}/__ref/${route}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
      });
    expect((await call({})).status).toBe(401);
    expect((await call({ authorization: "Bearer control-toke" })).status).toBe(401);
    expect((await call({ authorization: `Bearer ${ref.token}` })).status).toBe(401);
    expect((await call({ ...authorized, origin: "https://page.test" })).status).toBe(403);
    expect(ref.state.store.stores.size).toBe(before);
  });

  it("reports an error for a journal that it cannot write as JSON, and keeps running", async () => {
    const { ref, storeUrl, get } = await startControlled();
    const body = `${"[".repeat(150)}${"]".repeat(150)}`;
    await fetch(`${storeUrl}/v1/stores/S-1`, {
      method: "PUT",
      body,
      headers: { "content-type": "application/json" },
    });
    expect((await get("journal")).status).toBe(200);
    ref.journal.coverage = () => ({ operations: 1n }) as never;
    expect((await get("journal")).status).toBe(500);
    expect((await get("reset")).status).toBe(405);
  });

  it("keeps running when the clock is at its last instant", async () => {
    const { post, get, storeUrl } = await startControlled();
    expect((await post("clock", { set: "9999-12-31T23:59:59Z" })).status).toBe(204);
    expect((await fetch(`${storeUrl}/v1/stores`)).status).toBe(401);
    expect((await get("journal")).status).toBe(200);
    expect((await post("clock", { advance: { hours: 1 } })).status).toBe(400);
  });
});
