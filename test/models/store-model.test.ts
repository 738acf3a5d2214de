import { describe, expect, it } from "vitest";
import { type Json } from "./exchange.ts";
import { createStoreModel } from "./store-model.ts";
import { firstStore, items, propertyOf, observed, part, storeSender } from "./store-observations.ts";
import { expositionTypes } from "../generate/contract-table.ts";

function setUp(options: Parameters<typeof createStoreModel>[0] = {}) {
  const model = createStoreModel(options);
  return { model, send: storeSender(model) };
}

describe("the data of the store model", () => {
  it("has the exposition types of the contract", () => {
    expect(expositionTypes).toContain("SANDWICHES_CHILLED_COUNTER");
    expect(expositionTypes).toContain("DRINKS_DRINK_FRIDGE");
    expect(expositionTypes).toContain("BREADS_NOT_OFFERED");
  });

  it.each([0, 3, 2000])("contain %d stores, and those without external ID, each once", (stores) => {
    const { model, send } = setUp({ stores });
    const ids: Json[] = [];
    let cursor: Json = "";
    while (cursor !== null) {
      const page = send("GET", `/v1/stores${cursor === "" ? "" : `?cursor=${part(cursor)}`}`);
      ids.push(...items(page).map((store) => store["storeId"] ?? null));
      cursor = propertyOf(page, "nextCursor");
    }
    expect(ids).toHaveLength(model.state.stores.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are equal for equal seeds and different for different seeds", () => {
    const state = (seed: number): string => JSON.stringify(createStoreModel({ seed }).state);
    expect(state(4)).toBe(state(4));
    expect(state(4)).not.toBe(state(5));
  });

  it("can be exported and continued", () => {
    const { model, send } = setUp();
    send("PUT", firstStore, { name: "Changed" });
    const exported = structuredClone(model.state);
    const copy = setUp({ state: exported });
    expect(copy.send("GET", "/v1/stores")).toEqual(send("GET", "/v1/stores"));
    copy.send("PUT", firstStore, { name: "Changed again" });
    expect(propertyOf(send("GET", firstStore), "name")).toBe("Changed");
  });

  it("are read again for each response", () => {
    const { model, send } = setUp();
    model.change((state) => state.stores.pop());
    expect(items(send("GET", "/v1/stores"))).toHaveLength(3);
  });
});

describe("the errors of the store contract", () => {
  it("are unauthorized for a missing or wrong token", () => {
    const { model } = setUp();
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Basic model-token" }]) {
      expect(observed(model.handle({ method: "GET", target: "/v1/stores", headers }))).toMatchObject({
        status: 401,
        value: { error: { code: "unauthorized" } },
      });
    }
  });

  it("are not_configured for a service without a token", () => {
    const response = setUp({ token: null }).send("GET", firstStore);
    expect(response).toMatchObject({ status: 503, value: { error: { code: "not_configured" } } });
  });

  it("are 429 with Retry-After above the rate limit until the clock advances", () => {
    let now = 0;
    const { model, send } = setUp({
      readings: { "limits.store-rate": "too-many-requests" },
      now: () => now,
      rate: { requests: 2, perMs: 10_000 },
    });
    expect([1, 2, 3].map(() => send("GET", firstStore).status)).toEqual([200, 200, 429]);
    const headers = { authorization: model.authorization };
    expect(model.handle({ method: "GET", target: firstStore, headers }).headers).toMatchObject({
      "retry-after": "5",
    });
    now = 5000;
    expect(send("GET", firstStore).status).toBe(200);
  });
});

describe("fetch of the store model", () => {
  it("responds to a Request as `handle` does", async () => {
    const { model, send } = setUp();
    const response = await model.fetch(`https://store.example${firstStore}`, {
      headers: { authorization: model.authorization },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(send("GET", firstStore).value);
  });

  it("rejects when its signal aborts", async () => {
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(setUp().model.fetch("https://store.example/v1/stores", { signal })).rejects.toThrow("stop");
  });
});
