import { describe, expect, it } from "vitest";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import { type ControlClient, startControlled } from "./control-server.ts";

const idOf = (body: unknown): number => (body as { id: number }).id;

const failing = { response: { status: 500 } };

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

  it.each<[object, (ref: ReferenceServer) => unknown]>([
    [
      { operation: "listStores", matcher: { query: { limit: "5", cursor: null } }, ...failing },
      (ref) => ref.on("listStores", { query: { limit: "5", cursor: null } }).always({ status: 500 }),
    ],
    [
      { operation: "listStores", matcher: { headers: { "X-Run": "1", "x-other": null } }, ...failing },
      (ref) => ref.on("listStores", { headers: { "X-Run": "1", "x-other": null } }).always({ status: 500 }),
    ],
    [
      { operation: "putStore", matcher: { body: { name: "New" } }, ...failing },
      (ref) => ref.on("putStore", { body: { name: "New" } }).always({ status: 500 }),
    ],
    [
      { operation: "*", ...failing, skip: 1, times: 2, rate: 0.5 },
      (ref) => ref.on("*").always({ status: 500 }).skip(1).times(2).rate(0.5),
    ],
    [
      { operation: "putStore", fault: "reset", at: "after", times: 1 },
      (ref) => ref.on("putStore").fault("reset", { at: "after" }).times(1),
    ],
    [{ operation: "listStores", paging: "empty-page" }, (ref) => ref.on("listStores").paging("empty-page")],
    ...[25, { min: 3, max: 9 }].map((delay): [object, (ref: ReferenceServer) => unknown] => [
      { operation: "getStore", delay },
      (ref) => ref.on("getStore").delay(delay),
    ]),
  ])("is the same as one that a test declares: %j", async (override, declareInTest) => {
    const client = await startControlled();
    await declare(client, override);
    const ref = createReferenceServer();
    declareInTest(ref);
    expect(client.ref.overrides.all()).toEqual(ref.overrides.all());
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
});
