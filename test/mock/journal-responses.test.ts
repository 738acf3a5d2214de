import { setupServer } from "msw/node";
import { afterEach, describe, expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { listenOptions, mswHandlers } from "../../src/mock/msw.ts";
import { serve } from "../../src/mock/node.ts";
import { Caller } from "./caller.ts";

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test("the journal keeps each response as it was sent: of the API, forced, and to an unknown path", async () => {
  const caller = new Caller({ store: { stores: [{ externalId: "S-1", name: "Kiosk" }] } });
  caller.ref.on("getContacts").once({ status: 429, body: "slow down", headers: { "Retry-After": "1" } });
  caller.ref.on("putStore").once({ status: 204 });
  await caller.get("/v1/stores/S-1");
  await caller.ref.fetch(`${caller.ref.storeUrl}/v1/stores/S-1/contacts`);
  await caller.put("/v1/stores/S-1", {});
  await caller.get("/v1/nothing");
  const [read, forced, empty, unknown] = caller.ref.journal.all().map(({ response }) => response);
  expect(read).toMatchObject({ status: 200, body: { name: "Kiosk" } });
  expect(forced).toEqual({
    status: 429,
    headers: { "content-type": "text/plain", "retry-after": "1" },
    body: "slow down",
  });
  expect(empty).toEqual({ status: 204, headers: {}, body: undefined });
  expect(unknown).toMatchObject({ status: 404, headers: { "x-reference-outside-contract": "path" } });
});

test("a response in the journal does not change with later changes of the state or of the headers", async () => {
  const { ref } = new Caller({ store: { stores: [{ externalId: "S-1", name: "Kiosk" }] } });
  const { storeUrl, close } = await serve(ref, { cors: true });
  closers.push(close);
  await fetch(`${storeUrl}/v1/stores/S-1`, { headers: { authorization: `Bearer ${ref.token}` } });
  const store = ref.state.store.stores.get("S-1");
  if (store !== undefined) store.name = "Other";
  expect(ref.journal.all()[0]?.response).toMatchObject({
    headers: { "content-type": "application/json" },
    body: { name: "Kiosk" },
  });
});

test.for([
  ["reset", null],
  ["close", null],
  ["stall", null],
  ["truncate", { status: 200 }],
  ["malformed", { status: 200, body: '{"items":[{"id":' }],
  ["html", { status: 200, body: expect.stringContaining("<html>") as unknown }],
] as const)("the journal keeps under the fault %s the response %j", ([kind, response]) => {
  const { ref } = new Caller();
  ref.on("listStores").fault(kind);
  ref.respond({ base: "store", method: "GET", target: "/v1/stores", authorization: `Bearer ${ref.token}` });
  const [entry] = ref.journal.all();
  expect(entry).toMatchObject({ fault: kind, status: response === null ? null : 200, response });
});

test("the journal has no token and no key in headers and responses", async () => {
  const caller = new Caller();
  const { ref } = caller;
  const [key] = ref.keys;
  const wrong = "wrong-secret-of-somebody";
  ref.on("listStores").always({ body: { token: ref.token, wrong }, headers: { "x-key": key?.key ?? "" } });
  ref
    .on("listVehicles")
    .always({ body: `text ${ref.token}`, headers: { "set-cookie": "session=own-cookie" } });
  await caller.send("GET", "/v1/stores", undefined, {
    authorization: `Bearer ${wrong}`,
    "x-copy": `Bearer ${wrong}`,
    "x-api-key": "own-api-key",
    cookie: "session=own-cookie",
  });
  await caller.ref.fetch(`${ref.fleetUrl}/vehicles`, { headers: { "x-copy": ref.token } });
  const text = JSON.stringify([ref.journal.all(), ref.journal.find({}), ref.journal.violations()]);
  for (const secret of [ref.token, key?.key, wrong, "own-cookie", "own-api-key"])
    expect(text).not.toContain(secret);
  expect(text).toContain("[redacted]");
});

test("an entry that a test holds keeps its response when the journal releases it", async () => {
  const caller = new Caller({ journal: { maxBytes: 40_000 } });
  const body = { items: ["x".repeat(4_000)] };
  caller.ref.on("listStores").always({ body });
  await caller.get("/v1/stores");
  const [entry] = caller.ref.journal.all();
  for (let round = 0; round < 6; round++) await caller.get("/v1/stores");
  expect(caller.ref.journal.all()[0]?.response).toMatchObject({ body: undefined });
  expect(entry?.response).toMatchObject({ body });
});

describe("the bodies of responses in the journal", () => {
  const body = { items: ["x".repeat(10_000)] };

  test("are released before requests, the oldest first", async () => {
    const caller = new Caller({ journal: { maxBytes: 100_000 } });
    caller.ref.on("listStores").always({ body });
    for (let round = 0; round < 50; round++) await caller.get(`/v1/stores?limit=${round}`);
    const entries = caller.ref.journal.all();
    expect(entries).toHaveLength(50);
    const kept = entries.map(({ response }) => response?.body !== undefined);
    expect(kept.lastIndexOf(false)).toBeLessThan(kept.indexOf(true));
    expect(kept.filter(Boolean).length).toBeGreaterThan(1);
    expect(kept.filter(Boolean).length).toBeLessThan(5);
    expect(entries[0]?.response).toMatchObject({ status: 200, omittedBody: JSON.stringify(body).length });
  });

  test("are left out if they are larger than a quarter of the journal", async () => {
    const caller = new Caller({ journal: { maxBytes: 40_000 } });
    caller.ref.on("listStores").always({ body });
    await caller.get("/v1/stores");
    expect(caller.ref.journal.all()).toMatchObject([
      { status: 200, response: { body: undefined, omittedBody: JSON.stringify(body).length } },
    ]);
  });
});

test("all three adapters record the headers of a request", async () => {
  const expected = { "x-trace": "t-1", authorization: "[redacted]" };
  const ref = createReferenceServer();
  const headers = { authorization: `Bearer ${ref.token}`, "X-Trace": "t-1" };
  await ref.fetch(new Request(`${ref.storeUrl}/v1/stores/S-1`, { headers }));
  const { storeUrl, close } = await serve(ref);
  closers.push(close);
  await fetch(`${storeUrl}/v1/stores/S-1`, { headers });
  const server = setupServer(...mswHandlers(ref));
  server.listen(listenOptions());
  closers.push(() => server.close());
  await fetch(`${ref.storeUrl}/v1/stores/S-1`, { headers });
  expect(ref.journal.find({ headers: { "X-TRACE": "t-1" } })).toMatchObject([
    { headers: expected, status: 200 },
    { headers: expected, status: 200 },
    { headers: expected, status: 200 },
  ]);
});

test("journal.clear removes requests, and keeps overrides and state", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").always({ status: 503 });
  await caller.put("/v1/stores/N-1", {});
  caller.ref.journal.clear();
  expect(caller.ref.journal.all()).toEqual([]);
  expect(caller.ref.state.store.stores.has("N-1")).toBe(true);
  expect((await caller.get("/v1/stores/N-1")).status).toBe(503);
});
