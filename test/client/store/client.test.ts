import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import {
  StoreApiError,
  StoreClient,
  type StoreClientOptions,
  storeFromEnv,
} from "../../../src/client/store/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import type { Transport } from "../../../src/client/transport.ts";
import { logTo } from "../../../src/client/log.ts";
import { stubFetch, virtualRuntime } from "../core/small-api.ts";

const range = { from: "2025-12-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
const uuid = "7f1b0c2e-0000-4000-8000-00000000000a";

function open(options: Partial<StoreClientOptions> = {}) {
  const ref = createReferenceServer({ store: { stores: 3, protocolsPerStore: 4 } });
  const client = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch, ...options });
  return { ref, client };
}

describe("a StoreClient", () => {
  it("returns from `http` what the service sent, and throws the errors of the methods", async () => {
    const { client } = open();
    const { data } = await client.http.GET("/v1/stores", { params: { query: { limit: 2 } } });
    expect(data).toMatchObject({ items: [{}, {}], nextCursor: "S-2" });
    const path = { externalId: "none" };
    await expect(client.http.GET("/v1/stores/{externalId}", { params: { path } })).rejects.toBeInstanceOf(
      StoreApiError,
    );
  });

  const own = z.object({ protocolId: z.string() });
  const image = z.object({ imageId: z.string() });

  it.each<[string, object, string[], string[] | undefined]>([
    ["none", {}, ["protocolId", "status", "images"], ["imageId", "url"]],
    ["protocol", { protocol: own }, ["protocolId", "images"], ["imageId", "url"]],
    ["protocolImage", { protocolImage: image }, ["protocolId", "status", "images"], ["imageId"]],
    ["both", { protocol: own, protocolImage: image }, ["protocolId", "images"], ["imageId"]],
  ])("parses a protocol with the shapes of its parts: %s", async (_, shapes, names, imageNames) => {
    const images = [{ imageId: "I-1", url: "https://a.example" }];
    const { fetch } = stubFetch(Response.json({ protocolId: "P-1", status: "completed", images }));
    const { client } = open({ fetch, shapes });
    const { data, response } = await client.protocols.get("S-1", uuid).withResponse();
    const [first] = data.images as object[];
    expect([Object.keys(data), Object.keys(first ?? {}), response.status]).toEqual([names, imageNames, 200]);
  });

  it.each<[string, (client: StoreClient) => PromiseLike<unknown>, string]>([
    ["protocol", ({ protocols }) => protocols.list("S-1", range), "items.0.id: Invalid input"],
    ["photo", ({ photos }) => photos.list("S-1", range), "items.0.id: Invalid input"],
    ["protocol", ({ protocols }) => protocols.get("S-1", uuid), "id: Invalid input"],
    ["protocolImage", ({ protocols }) => protocols.get("S-1", uuid), "images.0.id: Invalid input"],
    ["storeFillRates", ({ fillRates }) => fillRates.forStore("S-1", range), "id: Invalid input"],
    [
      "expositionFillRate",
      ({ fillRates }) => fillRates.forExposition("S-1", uuid, range),
      "id: Invalid input",
    ],
    ["fillRates", ({ fillRates }) => fillRates.across(range), "id: Invalid input"],
  ])("names what does not fit the shape %s", async (name, read, words) => {
    const { fetch } = stubFetch(Response.json({ items: [{}], images: [{}], nextCursor: null }));
    const { client } = open({ fetch, shapes: { [name]: z.object({ id: z.string() }) } });
    await expect(read(client)).rejects.toThrow(`200 does not fit the shape: ${words}`);
  });

  it("names the issues of a schema of another library", async () => {
    const issues = [{ message: "no", path: [{ key: "a" }, 0] }, { message: "nothing" }];
    const fillRates = { "~standard": { version: 1 as const, validate: () => ({ issues }) } };
    const { client } = open({ fetch: stubFetch(Response.json({})).fetch, shapes: { fillRates } });
    await expect(client.fillRates.across(range)).rejects.toThrow(
      /^GET \/v1\/fill-rate: 200 does not fit the shape: a.0: no; the value: nothing$/,
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

  const add = ({ expositions }: StoreClient) =>
    expositions.upsert("S-1", [{ label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS" }]);
  const rename = ({ stores }: StoreClient) => stores.upsert("S-1", { externalId: "S-2" });

  it.each<[number, Partial<StoreClientOptions>, string, (client: StoreClient) => Promise<unknown>]>([
    [3, {}, "a store", ({ stores }) => stores.upsert("S-1", { name: "A" })],
    [3, {}, "a store with its own ID", ({ stores }) => stores.upsert("S-1", { externalId: "S-1" })],
    [1, {}, "a store with another ID", rename],
    [1, { repeatable: ["putExpositions"] }, "a store with another ID", rename],
    [3, { repeatable: ["putStore"] }, "a store with another ID", rename],
    [3, {}, "contacts", ({ contacts }) => contacts.replace("S-1", [])],
    [1, {}, "expositions", add],
    [1, { repeatable: ["putStore"] }, "expositions", add],
    [3, { repeatable: ["putExpositions"] }, "expositions", add],
  ])("sends %i requests with %j for %s whose responses are lost", async (count, options, _, write) => {
    const { fetch, requests } = stubFetch(new TypeError("reset"));
    const { client } = open({ ...options, fetch, runtime: virtualRuntime().runtime });
    await expect(write(client)).rejects.toMatchObject({ mayHaveBeenProcessed: true });
    expect(requests).toHaveLength(count);
  });

  it.each([
    [1, 503, '{"error":{"code": "not_configured"}}'],
    [1, 503, '{"error":{"code" :"not_configured"}}'],
    [3, 503, '{"error":{"code":"unavailable"}}'],
    [3, 500, '{"error":{"code":"not_configured"}}'],
  ])("sends %i requests for a read that is answered with %i %s", async (count, status, body) => {
    const { fetch, requests } = stubFetch(new Response(body, { status }));
    const { client } = open({ fetch, runtime: virtualRuntime().runtime });
    await expect(client.stores.get("S-1")).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(count);
  });

  const answers = (name: string) => async () => Response.json({ storeId: "1", name });
  const transport: Transport = async () => ({
    status: 200,
    headers: new Headers(),
    body: '{"storeId":"1","name":"transport"}',
    complete: true,
  });

  it.each<[string, Partial<StoreClientOptions>, Partial<StoreClientOptions>]>([
    ["fetch", { fetch: answers("fetch") }, {}],
    ["fetch", { fetch: answers("fetch") }, { fetch: undefined }],
    ["other", { fetch: answers("fetch") }, { fetch: answers("other") }],
    ["transport", { fetch: answers("fetch") }, { transport }],
    ["transport", { transport, fetch: undefined }, { timeout: 5 }],
    ["other", { transport, fetch: undefined }, { fetch: answers("other") }],
  ])("sends with its own %s after withOptions", async (name, options, changes) => {
    const { client } = open(options);
    expect(await client.withOptions(changes).stores.get("S-1")).toMatchObject({ name });
  });

  it.each<[number, Partial<StoreClientOptions>]>([
    [1, {}],
    [1, { maxConcurrency: 1 }],
    [3, { maxConcurrency: 2 }],
    [3, { maxConcurrency: Infinity }],
  ])("and its copy have %i requests in flight after withOptions(%j)", async (count, changes) => {
    let started = 0;
    const fetch = () => {
      started += 1;
      return new Promise<Response>(() => {});
    };
    const { client } = open({ fetch, maxConcurrency: 1 });
    const controller = new AbortController();
    const copy = client.withOptions(changes);
    const options = { signal: controller.signal };
    const calls = [client, copy, copy].map(({ stores }) => stores.get("S-1", options).catch(() => {}));
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toBe(count);
    controller.abort();
    await Promise.all(calls);
  });

  it("sends no further request after drain, and waits for those in flight", async () => {
    let respond = (_: Response): void => {};
    const { client } = open({ fetch: () => new Promise<Response>((resolve) => (respond = resolve)) });
    const first = client.stores.get("S-1");
    await new Promise((resolve) => setImmediate(resolve));
    const drained = client.withOptions({ timeout: 5 }).drain();
    expect(await Promise.race([drained, Promise.resolve("waits")])).toBe("waits");
    respond(Response.json({ storeId: "1", externalId: "S-1" }));
    await expect(first).resolves.toMatchObject({ externalId: "S-1" });
    await drained;
    await client.drain();
    const message = "The client is drained: it sends no further request";
    await expect(client.stores.get("S-1")).rejects.toMatchObject({ name: "AbortError", message });
  });

  it("never shows its token in a log", () => {
    const { ref, client } = open();
    expect(inspect(client, { depth: 20, showHidden: true })).not.toContain(ref.token);
  });

  it.each(["", "a b", 5, undefined])("sends no request with the token %j of a function", async (token) => {
    const { ref, client } = open({ token: () => token as string });
    const message = /^the token must be a string of visible ASCII characters without spaces or "Bearer"$/;
    await expect(client.stores.get("S-1")).rejects.toThrow(message);
    expect(ref.journal.all()).toEqual([]);
  });

  it.each<[number, Partial<StoreClientOptions>, object]>([
    [0, {}, {}],
    [1, {}, { SHELFLEET_LOG: " Info " }],
    [0, {}, { SHELFLEET_LOG: "warn" }],
    [0, { log: logTo(console, "error") }, { SHELFLEET_LOG: "all" }],
  ])("is made from the environment, and logs %i lines with %j and %j", async (count, options, env) => {
    const { ref } = open();
    const info = vi.spyOn(console, "info").mockImplementation(() => {});
    const variables = { SHELFLEET_STORE_URL: ` ${ref.storeUrl} `, SHELFLEET_TOKEN: ref.token, ...env };
    const store = storeFromEnv({ fetch: ref.fetch, ...options }, variables);
    expect(await store.stores.get("S-1")).toMatchObject({ externalId: "S-1" });
    expect(info).toHaveBeenCalledTimes(count);
    info.mockRestore();
  });

  it("is made from the options and the environment of the process", async () => {
    const { ref } = open();
    vi.stubEnv("SHELFLEET_TOKEN", ref.token);
    const store = storeFromEnv({ baseUrl: ref.storeUrl, fetch: ref.fetch });
    vi.unstubAllEnvs();
    expect(await store.stores.get("S-1")).toMatchObject({ externalId: "S-1" });
    expect(storeFromEnv({ token: "a" }, { SHELFLEET_STORE_URL: "https://a.example" }).baseUrl).toBe(
      "https://a.example",
    );
  });
});
