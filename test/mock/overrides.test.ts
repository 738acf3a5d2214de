import { expect, test, vi } from "vitest";
import type { OperationId } from "../../src/mock/index.ts";
import { Caller, code } from "./caller.ts";

test.for([
  [400, "validation_failed"],
  [401, "unauthorized"],
  [404, "not_found"],
  [503, undefined],
  [500, undefined],
  [429, undefined],
] as const)("an override with only the status %i has the documented body", async ([status, expected]) => {
  const caller = new Caller();
  caller.ref.on("listStores").once({ status });
  const response = await caller.get("/v1/stores");
  expect([response.status, code(response)]).toEqual([status, expected]);
});

test("a forced 503 is an outage, not a server without a token", async () => {
  const caller = new Caller();
  caller.ref.on("putStore").once({ status: 503 });
  const response = await caller.put("/v1/stores/S-1", {});
  expect([response.status, code(response)]).toEqual([503, undefined]);
  const withoutToken = new Caller({ store: { token: null } });
  expect(code(await withoutToken.put("/v1/stores/S-1", {}))).toBe("not_configured");
});

test.each([204, 205])("a forced %i has no body, and the request is executed", async (status) => {
  const caller = new Caller();
  caller.ref.on("putStore").once({ status });
  const response = await caller.put("/v1/stores/S-1", { name: "written" });
  expect([response.status, response.body]).toEqual([status, undefined]);
  expect(caller.ref.state.store.stores.get("S-1")?.name).toBe("written");
});

test("a forced 202 keeps the body of a success, and does not change an error", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").always({ status: 202 });
  expect(await caller.get("/v1/stores/S-1")).toMatchObject({ status: 202, body: { externalId: "S-1" } });
  expect((await caller.get("/v1/stores/none")).status).toBe(404);
});

test("many pending overrides apply in order", () => {
  const caller = new Caller();
  const override = caller.ref.on("getStore");
  for (let round = 0; round < 500; round++) override.once({ status: 400 + (round % 2) });
  const request = { base: "store", method: "GET", target: "/v1/stores/S-1" } as const;
  const statuses = Array.from({ length: 501 }, () => caller.ref.respond(request).status);
  expect(statuses.slice(0, 4)).toEqual([400, 401, 400, 401]);
  expect(statuses.at(-1)).toBe(401); // a response of the API: no token was sent
});

test("an override whose count is set after it was used ends", async () => {
  const caller = new Caller();
  const override = caller.ref.on("getStore").always({ status: 500 });
  expect((await caller.get("/v1/stores/S-1")).status).toBe(500);
  override.times(1);
  expect((await caller.get("/v1/stores/S-1")).status).toBe(500);
  expect((await caller.get("/v1/stores/S-1")).status).toBe(200);
});

test("an override without a body keeps the API's response, with the given headers", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").once({ headers: { "x-own": "1" } });
  const response = await caller.get("/v1/stores/S-1");
  expect([response.body.externalId, response.headers.get("x-own")]).toEqual(["S-1", "1"]);
});

test("an override sends a string unchanged, with the given headers, and no body with 204", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").once({ status: 429, body: "slow down", headers: { "retry-after": "1" } });
  caller.ref.on("getStore").once({ status: 204, body: "none" });
  const slow = await caller.ref.fetch(`${caller.ref.storeUrl}/v1/stores/S-1`);
  expect([slow.status, await slow.text(), slow.headers.get("retry-after")]).toEqual([429, "slow down", "1"]);
  const empty = await caller.ref.fetch(`${caller.ref.storeUrl}/v1/stores/S-1`);
  expect([empty.status, await empty.text()]).toEqual([204, ""]);
});

test.each([200, 404])("an override with the body null sends it with status %i", async (status) => {
  const caller = new Caller();
  caller.ref.on("getStore").once({ status, body: null });
  const response = await caller.ref.fetch(`${caller.ref.storeUrl}/v1/stores/S-1`);
  expect([response.status, await response.text()]).toEqual([status, "null"]);
});

test("an override accepts each form of headers, and rejects those that HTTP cannot send", async () => {
  const caller = new Caller();
  for (const headers of [{ "X-Own": "1" }, [["X-Own", "1"]], new Headers({ "X-Own": "1" })]) {
    caller.ref.on("getStore").once({ headers: headers as never });
    expect((await caller.get("/v1/stores/S-1")).headers.get("x-own")).toBe("1");
  }
  for (const headers of [{ "x own": "1" }, { "x-own": "1\n2" }, { "x-own": "\u017c" }, null])
    expect(() => caller.ref.on("getStore").once({ headers: headers as never })).toThrow(/^response\.headers/);
});

test("an override applies before authentication and validation, and counts each request of the operation", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").once({ status: 500 });
  expect(
    (await caller.send("GET", "/v1/stores/none", undefined, { authorization: "Bearer wrong" })).status,
  ).toBe(500);
  expect((await caller.get("/v1/stores/S-1")).status).toBe(200);
});

test("an override affects only its own operation", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").always({ status: 500 });
  expect((await caller.get("/v1/stores")).status).toBe(200);
  expect((await caller.put("/v1/stores/S-1", {})).status).toBe(200);
});

test("an override that replaces the response prevents the write", async () => {
  const caller = new Caller();
  caller.ref.on("putStore").once({ status: 500 });
  await caller.put("/v1/stores/N-1", {});
  expect((await caller.get("/v1/stores/N-1")).status).toBe(404);
});

test("delays add up, apply to forced responses, and are counted separately", async () => {
  const caller = new Caller();
  caller.ref.on("getStore").delay(30).times(2).once({ status: 500 });
  caller.ref.on("getStore").delay(30).times(1);
  const { ref } = caller;
  const request = {
    base: "store",
    method: "GET",
    target: "/v1/stores/S-1",
    authorization: `Bearer ${ref.token}`,
  } as const;
  const met = [1, 2, 3].map(() => ref.respond(request)).map(({ delay, status }) => [delay, status]);
  expect(met).toEqual([
    [60, 500],
    [30, 200],
    [0, 200],
  ]);
});

test("delays use the timers that existed when the server was created", async () => {
  const caller = new Caller();
  vi.useFakeTimers();
  caller.ref.on("getStore").delay(20).times(1);
  const response = await caller.get("/v1/stores/S-1");
  vi.useRealTimers();
  expect(response.status).toBe(200);
});

test.for([
  [
    (caller: Caller) => caller.ref.on("getShop" as OperationId),
    /Unknown operation "getShop". Did you mean "getStore"\? Expected one of listStores, /,
  ],
  [
    (caller: Caller) => caller.ref.on("getStore").once({ status: 199 }),
    /response\.status must be at least 200/,
  ],
  [
    (caller: Caller) => caller.ref.on("getStore").always({ status: 600 }),
    /response\.status must be at most 599/,
  ],
  [
    (caller: Caller) => caller.ref.on("getStore").once({ status: 200.5 }),
    /response\.status must be an integer/,
  ],
  [
    (caller: Caller) => caller.ref.on("getStore").once({ stats: 500 } as never),
    /response: unknown property "stats"\. Did you mean "status"\? Expected one of status, body/,
  ],
  [(caller: Caller) => caller.ref.on("getStore").once(500 as never), /response must be an object/],
  [(caller: Caller) => caller.ref.on("getStore").once(Promise.resolve({}) as never), /not a promise$/],
  [
    (caller: Caller) => caller.ref.on("getStore").once({ body: new Map([[1, 2]]) }),
    /body is a Map, which JSON cannot hold/,
  ],
  [(caller: Caller) => caller.ref.on("getStore").once({ body: [{ at: Number.NaN }] }), /body.0.at is NaN/],
  [(caller: Caller) => caller.ref.on("getStore").delay(-1), /delay must be at least 0/],
  [
    (caller: Caller) => caller.ref.on("getStore").delay(Number.NaN),
    /delay must be milliseconds from 0 to 2147483647, or \{ min, max \} of them/,
  ],
  [
    (caller: Caller) => caller.ref.on("getStore").delay("5" as never),
    /delay must be milliseconds from 0 to 2147483647, or \{ min, max \} of them/,
  ],
  [
    (caller: Caller) =>
      caller.ref
        .on("getStore")
        .delay(1)
        .rate("5" as never),
    /rate must be a number/,
  ],
  [(caller: Caller) => caller.ref.on("getStore").delay(1).skip(Number.NaN), /skip must be a number/],
  [
    (caller: Caller) => caller.ref.on("getStore").once({ status: Infinity }),
    /response\.status must be a number/,
  ],
  [
    (caller: Caller) => caller.ref.on("getStore").fault("crash" as "reset"),
    /fault\.kind must be one of reset, close/,
  ],
  [
    (caller: Caller) => caller.ref.on("getStore").fault("reset", { at: "end" as "head" }),
    /fault\.at must be one of before, after/,
  ],
  [(caller: Caller) => caller.ref.on("getStore").fault("reset", { at: "head" }), /only stall and truncate/],
  [(caller: Caller) => caller.ref.on("getStore").times(1), /times must follow once/],
  [(caller: Caller) => caller.ref.on("getStore").delay(1).times(0), /times must be a positive integer/],
  [(caller: Caller) => caller.ref.on("getStore").delay(1).times(1.5), /times must be an integer/],
  [
    (caller: Caller) => caller.ref.on("listStores").paging("lost" as "cycle"),
    /paging must be one of repeat-cursor, cycle/,
  ],
  [(caller: Caller) => caller.ref.on("getStore").paging("cycle"), /getStore is not a list/],
] as const)("an override rejects an unknown value by name: case %#", ([act, message]) => {
  expect(() => act(new Caller())).toThrow(message);
});
