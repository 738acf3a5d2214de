import { expect, test } from "vitest";
import type { OperationId } from "../../src/mock/index.ts";
import { Caller } from "./caller.ts";

test("the journal keeps each request with its parts", async () => {
  const caller = new Caller();
  caller.ref.clock.advance({ hours: 1 });
  await caller.put("/v1/stores/a%2Fb?x=1&x=2&y=%C5%82+m", { name: "A" });
  expect(caller.ref.journal.of("putStore")).toEqual([
    {
      operation: "putStore",
      base: "store",
      method: "PUT",
      path: "/v1/stores/a%2Fb",
      query: { x: ["1", "2"], y: "ł m" },
      headers: { authorization: "[redacted]", "content-type": "application/json" },
      body: { name: "A" },
      status: 200,
      response: {
        status: 200,
        headers: { "content-type": "application/json" },
        body: expect.objectContaining({ externalId: "a/b", name: "A" }) as unknown,
      },
      at: "2026-01-01T01:00:00.000Z",
    },
  ]);
});

test("the journal keeps a body that is not JSON as a string, and a missing body as undefined", async () => {
  const caller = new Caller();
  await caller.send("PUT", "/v1/stores/S-1", "{");
  await caller.get("/v1/stores/S-1");
  expect(caller.ref.journal.all().map(({ body }) => body)).toEqual(["{", undefined]);
});

test("a request in the journal does not change with later changes of the state", async () => {
  const caller = new Caller();
  await caller.put("/v1/stores/N-1", { openingTimes: [{ weekday: 1, from: "a", to: "b" }] });
  caller.ref.state.store.stores.get("N-1")?.openingTimes.pop();
  const [entry] = caller.ref.journal.of("putStore");
  expect(entry?.body).toEqual({ openingTimes: [{ weekday: 1, from: "a", to: "b" }] });
});

test("the journal contains no token and no key in any part of a request", async () => {
  const caller = new Caller();
  const { ref } = caller;
  const [key] = ref.keys;
  const wrong = "wrong-secret-of-somebody";
  await caller.put(`/v1/stores/${ref.token}?token=${ref.token}`, { name: ref.token, loginCode: "123456" });
  await caller.send("GET", `/vehicles/${key?.key}?key=${key?.key}`);
  await caller.send("GET", `/v1/stores?token=${wrong}`, undefined, { authorization: `Bearer ${wrong}` });
  const text = JSON.stringify([ref.journal.all(), ref.journal.violations()]);
  for (const secret of [ref.token, key?.key, wrong]) expect(text).not.toContain(secret);
  expect(text).toContain("123456");
});

test("the journal does not redact words that equal a short token", async () => {
  const caller = new Caller({ store: { token: "stores" } });
  await caller.get("/v1/stores/S-1");
  expect(caller.ref.journal.of("getStore")).toMatchObject([{ path: "/v1/stores/S-1", status: 200 }]);
});

test("the journal keeps the last 10 000 requests, or the given number", async () => {
  const caller = new Caller({ journal: { limit: 3 } });
  for (let round = 1; round <= 10; round++) await caller.get(`/v1/stores/S-${round}`);
  expect(caller.ref.journal.all().map(({ path }) => path)).toEqual([
    "/v1/stores/S-8",
    "/v1/stores/S-9",
    "/v1/stores/S-10",
  ]);
  const none = new Caller({ journal: { limit: 0 } });
  await none.get("/v1/stores");
  expect(none.ref.journal.all()).toEqual([]);
  const { ref } = new Caller();
  for (let round = 0; round < 10_001; round++)
    ref.respond({ base: "store", method: "GET", target: "/v1/stores" });
  expect(ref.journal.all()).toHaveLength(10_000);
});

test("the journal releases old requests when their bodies are large", async () => {
  const caller = new Caller({ store: { stores: 1 }, journal: { maxBytes: 100_000 } });
  const body = JSON.stringify({ name: "x".repeat(12_000) });
  for (let round = 0; round < 20; round++) await caller.send("PUT", "/v1/stores/S-1", body);
  expect(caller.ref.journal.all()).toHaveLength(4);
});

test("the journal leaves out a body larger than a quarter of its size, and records the length", async () => {
  const caller = new Caller({ store: { stores: 1 }, journal: { maxBytes: 100_000 } });
  const body = JSON.stringify({ name: "x".repeat(20_000) });
  await caller.send("PUT", "/v1/stores/S-1", body);
  expect(caller.ref.journal.all()).toEqual([
    expect.objectContaining({ body: undefined, omittedBody: body.length, status: 200 }),
  ]);
});

test("violations() returns every request that violated the contract, with the property's path", async () => {
  const caller = new Caller();
  await caller.get("/v1/stores");
  await caller.get("/v1/stores/none");
  await caller.get("/v1/stores?limit=0");
  await caller.put("/v1/stores/S-1/contacts", { contacts: [{ name: "A" }] });
  await caller.get("/v1/nothing");
  await caller.send("DELETE", "/v1/stores/S-1");
  await caller.send("GET", "/v1/stores", undefined, { authorization: "none" });
  await caller.send("PUT", "/v1/stores/S-1", "{}", { "content-type": "text/plain" });
  expect(
    caller.ref.journal.violations().map(({ status, issues }) => [status, issues.map(({ path }) => path)]),
  ).toEqual([
    [400, ["limit"]],
    [400, ["contacts.0.phone"]],
    [404, [""]],
    [404, [""]],
    [401, ["authorization"]],
    [200, ["content-type"]],
  ]);
});

test("violations() includes requests with forced responses", async () => {
  const caller = new Caller();
  caller.ref.on("listStores").always({ status: 200, body: { items: [], nextCursor: null } });
  await caller.get("/v1/stores?limit=0");
  await caller.get("/v1/stores?limit=1");
  expect(caller.ref.journal.violations()).toMatchObject([{ status: 200, issues: [{ path: "limit" }] }]);
});

test("the journal rejects an unknown operation", () => {
  expect(() => new Caller().ref.journal.of("getShop" as OperationId)).toThrow(
    /Unknown operation "getShop". Did you mean "getStore"\? Expected one of/,
  );
});
