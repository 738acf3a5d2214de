import { describe, expect, it } from "vitest";
import { type ControlClient, startControlled } from "./control-server.ts";

const idOf = (body: unknown): number => (body as { id: number }).id;

const rename = { method: "PUT", body: '{"name":"New"}' };

async function declare(client: ControlClient, override: object): Promise<number> {
  const { status, body } = await client.post("/overrides", override);
  expect(status).toBe(201);
  return idOf(body);
}

describe("an override of the control API", () => {
  it("forces a status, a body and headers for one store only", async () => {
    const client = await startControlled();
    const { body } = await client.post("/overrides", {
      operation: "getStore",
      matcher: { path: { externalId: "S-2" } },
      response: { status: 503, body: { down: true }, headers: { "Retry-After": "7" } },
    });
    expect(body).toEqual({
      id: 1,
      operation: "getStore",
      matcher: { path: { externalId: "S-2" } },
      effect: { type: "response", status: 503, body: { down: true }, headers: { "retry-after": "7" } },
      remaining: null,
      skip: 0,
      rate: 1,
    });
    const response = await fetch(`${client.served.storeUrl}/v1/stores/S-2`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(await response.json()).toEqual({ down: true });
    expect(await client.store("/v1/stores/S-1")).toBe(200);
  });

  it.each<[string, object, string, string]>([
    ["query", { query: { limit: "5" } }, "/v1/stores?limit=5", "/v1/stores?limit=6"],
    ["an absent query parameter", { query: { cursor: null } }, "/v1/stores", "/v1/stores?cursor=S-1"],
  ])("matches %s", async (_name, matcher, matching, other) => {
    const client = await startControlled();
    await declare(client, { operation: "listStores", matcher, response: { status: 500 } });
    expect(await client.store(matching)).toBe(500);
    expect(await client.store(other)).toBe(200);
  });

  it("matches headers", async () => {
    const client = await startControlled();
    await declare(client, {
      operation: "listStores",
      matcher: { headers: { Authorization: `Bearer ${client.ref.token}`, "x-run": null } },
      response: { status: 500 },
    });
    expect(await client.store("/v1/stores")).toBe(500);
    expect(await client.store("/v1/stores", "another-token")).toBe(401);
  });

  it("matches a part of the body", async () => {
    const client = await startControlled();
    await declare(client, {
      operation: "putStore",
      matcher: { body: { name: "New" } },
      response: { status: 500 },
    });
    expect(await client.store("/v1/stores/S-1", client.ref.token, rename)).toBe(500);
    expect(await client.store("/v1/stores/S-1", client.ref.token, { ...rename, body: '{"name":"X"}' })).toBe(
      200,
    );
  });

  it("applies to every operation, after a number of requests, and a number of times", async () => {
    const client = await startControlled();
    await declare(client, { operation: "*", response: { status: 500 }, skip: 1, times: 2 });
    const statuses = [];
    for (const path of ["/v1/stores", "/v1/stores", "/v1/stores/S-1", "/v1/stores/S-1"])
      statuses.push(await client.store(path));
    expect(statuses).toEqual([200, 500, 500, 200]);
    expect((await client.get("/overrides")).body).toEqual({ overrides: [] });
  });

  it("applies with a probability, to requests that the seed decides", async () => {
    const run = async (): Promise<number[]> => {
      const client = await startControlled({ seed: 3 });
      await declare(client, { operation: "getStore", response: { status: 500 }, rate: 0.5 });
      const statuses = [];
      for (let round = 0; round < 20; round++) statuses.push(await client.store("/v1/stores/S-1"));
      return statuses;
    };
    const statuses = await run();
    expect(new Set(statuses)).toEqual(new Set([200, 500]));
    expect(await run()).toEqual(statuses);
  });

  it("breaks the connection after a write", async () => {
    const client = await startControlled();
    await declare(client, { operation: "putStore", fault: "reset", at: "after", times: 1 });
    await expect(client.store("/v1/stores/S-1", client.ref.token, rename)).rejects.toThrow(TypeError);
    expect(client.ref.state.store.stores.get("S-1")?.name).toBe("New");
  });

  it("makes pages faulty", async () => {
    const client = await startControlled();
    await declare(client, { operation: "listStores", paging: "empty-page", times: 1 });
    const headers = { authorization: `Bearer ${client.ref.token}` };
    const response = await fetch(`${client.served.storeUrl}/v1/stores?cursor=S-1`, { headers });
    expect(await response.json()).toMatchObject({ items: [] });
  });

  it.each([
    [25, 25, 25],
    [{ min: 3, max: 9 }, 3, 9],
    [{ median: 5, sigma: 0.5, max: 20 }, 0, 20],
  ])("delays responses by %j", async (delay, minimum, maximum) => {
    const client = await startControlled();
    const id = await declare(client, { operation: "getStore", delay });
    expect((await client.get(`/overrides/${id}`)).body).toMatchObject({ effect: { type: "delay", delay } });
    const { delay: drawn } = client.ref.answer({ base: "store", method: "GET", target: "/v1/stores/S-1" });
    expect(drawn).toBeGreaterThanOrEqual(minimum);
    expect(drawn).toBeLessThanOrEqual(maximum);
    expect(drawn).toBeGreaterThan(0);
  });

  it("is listed, read, and removed, separately or with all others", async () => {
    const client = await startControlled();
    const first = await declare(client, { operation: "getStore", response: { status: 500 } });
    const second = await declare(client, { operation: "listStores", fault: "html", times: 3 });
    expect((await client.get("/overrides")).body).toMatchObject({
      overrides: [
        { id: first, effect: { type: "response", status: 500 }, remaining: null },
        { id: second, effect: { type: "fault", fault: "html" }, remaining: 3 },
      ],
    });
    expect((await client.delete(`/overrides/${first}`)).status).toBe(204);
    expect(await client.store("/v1/stores/S-1")).toBe(200);
    expect((await client.get(`/overrides/${first}`)).body).toEqual({
      error: `No override with the ID "${first}" is in force`,
    });
    expect((await client.delete(`/overrides/${first}`)).status).toBe(404);
    await client.store("/v1/stores");
    expect((await client.get(`/overrides/${second}`)).body).toMatchObject({ remaining: 2 });
    expect((await client.delete("/overrides")).status).toBe(204);
    expect((await client.get("/overrides")).body).toEqual({ overrides: [] });
    expect((await client.get("/journal")).body).toMatchObject({
      requests: [{}, { operation: "listStores" }],
    });
  });

  it("of a tenant applies to that tenant only", async () => {
    const client = await startControlled();
    const { token } = (await client.post("/tenants")).body as { token: string };
    await client.post("/overrides?tenant=1", { operation: "getStore", response: { status: 500 } });
    expect(await client.store("/v1/stores/S-1", token)).toBe(500);
    expect(await client.store("/v1/stores/S-1")).toBe(200);
    expect((await client.get("/overrides")).body).toEqual({ overrides: [] });
  });
});
