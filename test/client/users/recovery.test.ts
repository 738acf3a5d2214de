// A read that is answered with what the contract does not describe is asked again.
import { describe, expect, it } from "vitest";
import { FleetClient, type ShelfleetError, StoreClient } from "../../../src/index.ts";
import { json, store, stubFetch, virtualRuntime } from "../core/small-api.ts";

const baseUrl = "https://stores.example.com";
const key = `acme_${"0a".repeat(32)}`;
const html = "<!doctype html><title>Maintenance</title>";
const rows = { items: [store], nextCursor: null };
const vehicles = {
  data: [{ id: "1" }],
  meta: {
    pagination: { currentPage: 1, totalPages: 1, totalCount: 1, hasNextPage: false, hasPreviousPage: false },
  },
};

interface Clients {
  store: StoreClient;
  fleet: FleetClient;
}

const clients = (fetch: never): Clients => ({
  store: new StoreClient({ baseUrl, token: "token-1", fetch, runtime: virtualRuntime().runtime }),
  fleet: new FleetClient({
    baseUrl: "https://fleet.example.com/api/third-party/v1",
    key,
    fetch,
    runtime: virtualRuntime().runtime,
  }),
});

const wrong: [string, () => Response][] = [
  ["an HTML page", () => new Response(html, { headers: { "content-type": "text/html" } })],
  ["cut JSON", () => new Response('{"storeId":"1","items":[')],
  ["an empty body", () => new Response("")],
  ["an empty object", () => json({})],
  ["null", () => new Response("null")],
  ["an array", () => json([])],
  ["a text", () => json("busy")],
  ["bytes that are not UTF-8", () => new Response(Uint8Array.of(0x22, 0xe9, 0x22))],
  ["a problem with 200", () => json({ title: "busy" }, 200, { "content-type": "application/problem+json" })],
  ["an error with 200", () => json({ error: { code: "internal", message: "busy" } })],
  ["204", () => new Response(null, { status: 204 })],
  ["304", () => new Response(null, { status: 304 })],
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://login.example" } })],
  ["404 of a proxy", () => new Response(html, { status: 404 })],
  ["404 without a body", () => new Response(null, { status: 404 })],
  ["403 of a firewall", () => new Response(html, { status: 403 })],
  [
    "403 of a limit",
    () => json({ errors: [{ code: "FORBIDDEN", message: "no" }] }, 403, { "retry-after": "1" }),
  ],
];

describe.each(wrong)("a GET that is answered with %s", (_, respond) => {
  it.each<[string, object, (all: Clients) => PromiseLike<unknown>]>([
    ["a store", store, (all) => all.store.stores.get("S-1")],
    ["a page of stores", rows, (all) => all.store.stores.list().toArray()],
    ["a page of photos", rows, (all) => all.store.photos.list("S-1", range).toArray()],
    ["contacts", { items: [] }, (all) => all.store.contacts.get("S-1")],
    ["a vehicle", { data: { id: "1" }, meta: {} }, (all) => all.fleet.vehicles.get("1")],
    ["a page of vehicles", vehicles, (all) => all.fleet.vehicles.list().toArray()],
    ["a route of http", store, (all) => all.store.http.GET("/v1/stores/{externalId}", byId)],
  ])("is asked again: %s", async (__, right, read) => {
    const { fetch, requests } = stubFetch(respond, json(right));
    await read(clients(fetch));
    expect(requests).toHaveLength(2);
  });

  it("three times is an error that is retryable", async () => {
    const { fetch, requests } = stubFetch(respond);
    const error = await clients(fetch)
      .store.stores.get("S-1")
      .catch((reason: unknown) => reason as ShelfleetError);
    expect(error).toMatchObject({ retryable: true, mayHaveBeenProcessed: false, attempts: 3 });
    expect(requests).toHaveLength(3);
  });

  it("is not asked again without retries", async () => {
    const { fetch, requests } = stubFetch(respond);
    await expect(clients(fetch).store.stores.get("S-1", { retry: 0 })).rejects.toThrow(Error);
    expect(requests).toHaveLength(1);
  });
});

const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
const byId = { params: { path: { externalId: "S-1" } } };

describe("a read", () => {
  it.each<[string, Response]>([
    ["404 of the service", json({ error: { code: "not_found", message: "no store" } }, 404)],
    ["403 of the service", json({ error: { code: "forbidden", message: "no" } }, 403)],
    ["400", new Response(html, { status: 400 })],
    ["401", new Response(html, { status: 401 })],
    ["501", new Response(html, { status: 501 })],
  ])("that is answered with %s is not asked again", async (_, response) => {
    const { fetch, requests } = stubFetch(response);
    await expect(clients(fetch).store.stores.get("S-1")).rejects.toMatchObject({ retryable: false });
    expect(requests).toHaveLength(1);
  });

  it("whose body is too large is not asked again", async () => {
    const { fetch, requests } = stubFetch(json(store));
    const call = clients(fetch).store.stores.get("S-1", { maxResponseBytes: 3 });
    await expect(call).rejects.toMatchObject({ retryable: false });
    expect(requests).toHaveLength(1);
  });

  it("of another entity than the requested one is asked again with validate: full", async () => {
    const other = { ...store, externalId: "S-2" };
    const { fetch, requests } = stubFetch(json(other), json(store));
    const full = clients(fetch).store.withOptions({ validate: "full" });
    await full.stores.get("S-1").catch(() => {});
    expect(requests.length).toBeGreaterThan(1);
  });
});

const upsert = ({ store: api }: Pick<Clients, "store">) => api.stores.upsert("S-1", { name: "A" });

const except = (...names: string[]) => wrong.filter(([name]) => !names.includes(name));

describe.each(except("204"))("a PUT that is answered with %s", (_, respond) => {
  it("is sent again", async () => {
    const { fetch, requests } = stubFetch(respond, json(store));
    await upsert(clients(fetch));
    expect(requests).toHaveLength(2);
  });
});

describe.each(except("204", "an empty body"))("a DELETE that is answered with %s", (_, respond) => {
  it("is sent again", async () => {
    const { fetch, requests } = stubFetch(respond, json({ data: null }));
    await clients(fetch).fleet.vehicles.delete("1");
    expect(requests).toHaveLength(2);
  });
});

describe.each(wrong)("a POST that is answered with %s", (_, respond) => {
  it("is sent once, and its error says that it is not retryable", async () => {
    const { fetch, requests } = stubFetch(respond);
    await expect(clients(fetch).fleet.vehicles.create({})).rejects.toMatchObject({ retryable: false });
    expect(requests).toHaveLength(1);
  });
});

describe("a PUT that the service has processed is sent once, and may have been processed:", () => {
  it.each<[string, () => Response]>([
    ["202", () => json(store, 202)],
    ["204", () => new Response(null, { status: 204 })],
    ["a response that does not fit the schema", () => json({ ...store, name: 7 })],
  ])("%s", async (_, respond) => {
    const { fetch, requests } = stubFetch(respond);
    const full = clients(fetch).store.withOptions({ validate: "full" });
    const error = { retryable: false, mayHaveBeenProcessed: true };
    await expect(upsert({ store: full })).rejects.toMatchObject(error);
    expect(requests).toHaveLength(1);
  });
});
