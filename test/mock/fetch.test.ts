import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";

const ref = createReferenceServer({ store: { token: "t" } });
const headers = { authorization: "bearer t", "content-type": "application/json" };
const url = `${ref.storeUrl}/v1/stores/S-1`;

test.for([
  ["a string", () => [url, { method: "PUT", headers, body: '{"name":"A"}' }]],
  ["a URL", () => [new URL(url), { method: "put", headers, body: '{"name":"A"}' }]],
  ["a Request", () => [new Request(url, { method: "PUT", headers, body: '{"name":"A"}' })]],
  ["a Request and options", () => [new Request(url, { headers }), { method: "PUT", body: '{"name":"A"}' }]],
  ["bytes", () => [url, { method: "PUT", headers, body: new TextEncoder().encode('{"name":"A"}') }]],
  ["a Blob", () => [url, { method: "PUT", headers, body: new Blob(['{"name":"A"}']) }]],
] as [string, () => [RequestInfo | URL, RequestInit?]][])("ref.fetch accepts %s", async ([, input]) => {
  const { fetch } = ref; // needs no server object
  const response = await fetch(...input());
  expect([response.status, response.url]).toEqual([200, url]);
  expect(await response.json()).toMatchObject({ name: "A" });
});

test("ref.fetch rejects with the signal's reason, before and during a request", async () => {
  const reason = new Error("enough");
  await expect(ref.fetch(url, { headers, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await expect(ref.fetch(new Request(url, { headers, signal: AbortSignal.abort(reason) }))).rejects.toBe(
    reason,
  );
  ref.on("getStore").delay(60_000).times(1);
  const controller = new AbortController();
  const pending = ref.fetch(url, { headers, signal: controller.signal });
  setTimeout(() => controller.abort(reason), 10);
  await expect(pending).rejects.toBe(reason);
});

test("ref.fetch responds at given base URLs, one below the other", async () => {
  const own = createReferenceServer({
    store: { token: "t" },
    storeUrl: "http://localhost:8080/",
    fleetUrl: "http://localhost:8080/api/third-party/v1",
    sandboxUrl: "http://localhost:8080/sandbox/api/third-party/v1/",
  });
  expect([own.storeUrl, own.fleetUrl, own.sandboxUrl]).toEqual([
    "http://localhost:8080",
    "http://localhost:8080/api/third-party/v1",
    "http://localhost:8080/sandbox/api/third-party/v1",
  ]);
  await own.fetch("http://localhost:8080/v1/stores?limit=1", { headers });
  await own.fetch("http://localhost:8080/api/third-party/v1/vehicles");
  await own.fetch("http://localhost:8080/sandbox/api/third-party/v1/vehicles?page=2#x");
  expect(own.journal.all().map(({ base, path }) => [base, path])).toEqual([
    ["store", "/v1/stores"],
    ["fleet", "/vehicles"],
    ["sandbox", "/vehicles"],
  ]);
});
