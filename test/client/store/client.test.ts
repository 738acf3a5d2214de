import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  StoreApiError,
  StoreClient,
  type StoreClientOptions,
  storeFromEnv,
} from "../../../src/client/store/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { virtualRuntime } from "../core/small-api.ts";

const range = { from: "2025-12-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

function open(options: Partial<StoreClientOptions> = {}) {
  const ref = createReferenceServer({ store: { stores: 3, protocolsPerStore: 4 } });
  const client = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch, ...options });
  return { ref, client };
}

describe("a StoreClient", () => {
  it("has methods that work without their object and through a Proxy", async () => {
    const { client } = open();
    const { get } = client.stores;
    const proxy = new Proxy(client, {
      get: (target, name) => new Proxy(Reflect.get(target, name) as object, {}),
    });
    const ids = ["S-1", "S-2"];
    expect(await Promise.all(ids.map((id) => get(id)))).toEqual(
      await Promise.all(ids.map((id) => proxy.stores.get(id))),
    );
  });

  it("returns data with its response and request ID", async () => {
    const { client } = open();
    const { data, response } = await client.stores.get("S-1").withResponse();
    expect(data).toEqual(await client.stores.get("S-1"));
    expect(response.status).toBe(200);
  });

  it("has an error with the code and the issues of the service", async () => {
    const { client } = open();
    const error = await client.stores.get("none").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StoreApiError);
    expect(error).toMatchObject({
      status: 404,
      code: "not_found",
      route: "/v1/stores/{externalId}",
      retryable: false,
    });
  });

  it("returns from `http` what the service sent, and throws the errors of the methods", async () => {
    const { client } = open();
    const { data } = await client.http.GET("/v1/stores", { params: { query: { limit: 2 } } });
    expect(data).toMatchObject({ items: [{}, {}], nextCursor: "S-2" });
    const path = { externalId: "none" };
    await expect(client.http.GET("/v1/stores/{externalId}", { params: { path } })).rejects.toBeInstanceOf(
      StoreApiError,
    );
  });

  it("parses open objects with shapes, and names what does not fit", async () => {
    const protocol = z.object({ protocolId: z.string(), status: z.string() });
    const { client } = open({ shapes: { protocol } });
    const [first] = await client.protocols.list("S-1", range).take(1);
    expect(Object.keys(first as object)).toEqual(["protocolId", "status"]);
    const strict = client.withOptions({ shapes: { protocol: z.object({ protocolId: z.number() }) } });
    await expect(strict.protocols.list("S-1", range).take(1)).rejects.toThrow(
      "does not fit the shape: items.0.protocolId",
    );
  });

  it("reads the photos under other names, and says which option names them", async () => {
    const { ref, client } = open();
    ref.switchReadings({ "photos.page-shape": "photos-nextCursor" });
    await expect(client.photos.list("S-1", range).toArray()).rejects.toThrow(
      "set the client option photoPage",
    );
    const named = client.withOptions({ photoPage: { items: "photos", cursor: "nextCursor" } });
    expect((await named.photos.list("S-1", range).toArray()).length).toBeGreaterThan(0);
  });

  it.each([
    [{}, 1],
    [{ repeatable: ["putExpositions"] as const }, 3],
  ])(
    "repeats expositions after a lost response only if the option allows it: %j",
    async (options, attempts) => {
      let sent = 0;
      const fetch = async (): Promise<Response> => {
        sent += 1;
        throw new TypeError("fetch failed", {
          cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
        });
      };
      const { client } = open({ ...options, fetch, runtime: virtualRuntime().runtime });
      const list = [{ label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS" as const }];
      await expect(client.expositions.upsert("S-1", list)).rejects.toMatchObject({
        mayHaveBeenProcessed: true,
      });
      expect(sent).toBe(attempts);
    },
  );

  it("sends no further request after drain, and waits for those in flight", async () => {
    let respond = (_: Response): void => {};
    const { client } = open({ fetch: () => new Promise<Response>((resolve) => (respond = resolve)) });
    const first = client.stores.get("S-1");
    await new Promise((resolve) => setImmediate(resolve));
    const drained = client.withOptions({ timeout: 5 }).drain();
    respond(Response.json({ storeId: "1", externalId: "S-1" }));
    await expect(first).resolves.toMatchObject({ externalId: "S-1" });
    await drained;
    await expect(client.stores.get("S-1")).rejects.toMatchObject({ name: "AbortError" });
  });

  it("never shows its token in a log", () => {
    const { ref, client } = open();
    expect(inspect(client, { depth: 20, showHidden: true })).not.toContain(ref.token);
  });

  it("sends no request with an empty token of a function, or with an ID of a path that is not a UUID", async () => {
    const { ref, client } = open({ token: () => "" });
    await expect(client.stores.get("S-1")).rejects.toMatchObject({ name: "ConfigurationError" });
    await expect(client.fillRates.forExposition("S-1", "5", range)).rejects.toThrow(
      "expositionId: must be a UUID",
    );
    expect(ref.journal.all()).toEqual([]);
  });

  it("is made from the environment", async () => {
    const { ref } = open();
    const store = storeFromEnv(
      { fetch: ref.fetch },
      { SHELFLEET_STORE_URL: ref.storeUrl, SHELFLEET_TOKEN: ref.token },
    );
    expect(await store.stores.get("S-1")).toMatchObject({ externalId: "S-1" });
  });
});
