import { afterEach, describe, expect, it } from "vitest";
import { createFleetModel } from "./fleet-model.ts";
import { createNoise, type Noise } from "./noise.ts";
import { fleetWriter, storeWriter } from "./other-writer.ts";
import { createRandom } from "./random.ts";
import { type ServedModel, serve } from "./serve.ts";
import { createStoreModel } from "./store-model.ts";

const open: ServedModel[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

async function serveStore(noise: Noise = {}) {
  const model = createStoreModel();
  const served = await serve(model, noise);
  open.push(served);
  const request = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(served.baseUrl + path, { ...init, headers: { authorization: model.authorization } });
  return { model, served, request };
}

const path = "/v1/stores/S-001";
const write = { method: "PUT", body: JSON.stringify({ name: "Changed" }) };

describe("serve", () => {
  it("responds as the model does", async () => {
    const { model, served, request } = await serveStore();
    const response = await request(path);
    const headers = { authorization: model.authorization };
    expect([response.status, await response.text()]).toEqual([
      200,
      model.handle({ method: "GET", target: path, headers }).body,
    ]);
    expect(served.counts.requests).toBe(1);
  });

  it("serves the fleet model below its base path", async () => {
    const model = createFleetModel({ readings: { "fleet.delete-response": "no-content" } });
    const served = await serve(model);
    open.push(served);
    expect(served.baseUrl).toMatch(/\/api\/third-party\/v1$/);
    const target = `${served.baseUrl}/vehicles/${model.state.entities.vehicles[0]?.id}`;
    const response = await fetch(target, {
      method: "DELETE",
      headers: { authorization: `Bearer ${model.key}` },
    });
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  it.each([
    [{ probability: 1 }, null],
    [{ probability: 1, retryAfter: 2 }, "2"],
  ])("responds with 503 without handling the request (%j)", async (unavailable, retryAfter) => {
    const { model, request } = await serveStore({ unavailable });
    const response = await request(path, write);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, retryAfter]);
    expect(model.applied).toEqual([]);
  });

  it.each([
    ["before", 0],
    ["after", 1],
  ])("resets the connection %s a write takes effect", async (when, writes) => {
    const { model, request } = await serveStore({ reset: { [when]: 1 } });
    await expect(request(path, write)).rejects.toThrow("fetch failed");
    expect(model.applied).toHaveLength(writes);
  });

  it("compresses responses", async () => {
    const { request } = await serveStore({ gzip: true });
    const response = await request(path);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.json()).toMatchObject({ externalId: "S-001" });
  });

  it("delays responses by the given latency", async () => {
    const { request } = await serveStore({ latency: { min: 20, max: 25 } });
    const before = performance.now();
    await request(path);
    // a timer may fire a little early
    expect(performance.now() - before).toBeGreaterThan(15);
  });

  it("lets other clients write between two requests", async () => {
    const model = createStoreModel();
    const served = await serve(model, {
      otherWriter: { probability: 1, write: storeWriter(model, ["renameStore"]) },
    });
    open.push(served);
    const before = JSON.stringify(model.state.stores);
    await fetch(served.baseUrl);
    expect(JSON.stringify(model.state.stores)).not.toBe(before);
    expect([served.counts.otherWrites, model.applied.length]).toEqual([1, 0]);
  });
});

describe("noise", () => {
  const response = {
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"a":[{"b":1,"c":null}],"d":"x"}',
  };

  it("adds properties to every object", () => {
    const { body } = createNoise({ extraProperties: true }).applyTo(response);
    const extra = { addedInALaterVersion: { since: "1.1" } };
    expect(JSON.parse(body)).toEqual({ a: [{ b: 1, c: null, ...extra }], d: "x", ...extra });
  });

  it("changes only the order of properties", () => {
    const noise = createNoise({ propertyOrder: true, seed: 3 });
    const bodies = Array.from({ length: 20 }, () => noise.applyTo(response).body);
    expect(new Set(bodies).size).toBeGreaterThan(1);
    for (const body of bodies) expect(JSON.parse(body)).toEqual(JSON.parse(response.body));
  });

  it("is the same for the same seed", () => {
    const fates = (seed: number) => {
      const noise = createNoise({
        seed,
        unavailable: { probability: 0.3 },
        reset: { before: 0.2, after: 0.2 },
      });
      return Array.from({ length: 50 }, () => noise.next());
    };
    expect(fates(7)).toEqual(fates(7));
    expect(fates(7)).not.toEqual(fates(8));
    expect(new Set(fates(7).map(({ reset }) => reset))).toEqual(new Set(["before", "after", undefined]));
  });
});

describe("simulated writes of other clients", () => {
  it("change a service without data only in ways that need no data", () => {
    const store = createStoreModel({ stores: 0 });
    const fleet = createFleetModel({ vehicles: 0 });
    const random = createRandom(1);
    for (let round = 0; round < 20; round += 1) {
      storeWriter(store)(random);
      fleetWriter(fleet, ["deleteVehicle", "changeDamage"])(random);
    }
    expect([store.state.stores, fleet.state.entities.vehicles]).toEqual([[], []]);
  });

  it("are visible in the next responses", () => {
    const model = createFleetModel();
    fleetWriter(model, ["addVehicle"])(createRandom(1));
    const headers = { authorization: `Bearer ${model.key}` };
    const { body } = model.handle({ method: "GET", target: `${model.basePath}/vehicles`, headers });
    expect(JSON.parse(body)).toMatchObject({ meta: { pagination: { totalCount: 4 } } });
  });
});
