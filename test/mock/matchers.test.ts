import { describe, expect, test } from "vitest";
import type { OverrideMatcher, RequestMatcher } from "../../src/mock/index.ts";
import { Caller } from "./caller.ts";

const forced = { status: 418 } as const;

describe("a matcher of the query", () => {
  const cases: [RequestMatcher["query"], string, boolean][] = [
    [{ limit: "5" }, "limit=5", true],
    [{ limit: 5 }, "limit=5&cursor=x", true],
    [{ limit: 5 }, "", false],
    [{ cursor: null }, "limit=5", true],
    [{ cursor: null }, "cursor=", false],
    [{ status: ["completed", "annotated"] }, "status=completed&status=annotated", true],
    [{ status: ["completed", "annotated"] }, "status=annotated&status=completed", false],
    [{ status: ["completed"] }, "status=completed", true],
    [{ status: "completed" }, "status=completed&status=annotated", false],
  ];
  test.for(cases)("compares %j with %s: %s", async ([query, sent, isMatch]) => {
    const caller = new Caller();
    caller.ref.on("listPhotos", { query }).always(forced);
    const { status } = await caller.get(`/v1/stores/S-1/photos?${sent}`);
    expect(status === 418).toBe(isMatch);
  });
});

describe("a matcher of the body", () => {
  const cases: [unknown, unknown, boolean][] = [
    [{ name: "A" }, { name: "A", city: "B" }, true],
    [{ a: { b: [{ c: 1 }, {}] } }, { a: { b: [{ c: 1, d: 2 }, { e: 3 }] } }, true],
    [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1 }, {}] } }, false],
    [{ a: {} }, { a: [] }, false],
    [{ a: null }, { a: null }, true],
    [{ a: null }, {}, false],
    [{ a: "1" }, { a: 1 }, false],
    [{ constructor: 1 }, {}, false],
    [{ at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }, true],
  ];
  test.for(cases)("compares %j with %j: %s", async ([body, sent, isMatch]) => {
    const caller = new Caller();
    caller.ref.on("putStore", { body }).always(forced);
    expect((await caller.put("/v1/stores/S-1", sent)).status === 418).toBe(isMatch);
  });

  test("compares a body that is not JSON as a string", async () => {
    const caller = new Caller();
    caller.ref.on("putStore", { body: "{" }).always(forced);
    expect((await caller.send("PUT", "/v1/stores/S-1", "{")).status).toBe(418);
    expect((await caller.send("PUT", "/v1/stores/S-1", "{}")).status).toBe(200);
  });
});

test("a matcher compares headers in any case, and decoded path parameters", async () => {
  const caller = new Caller();
  const headers = { "X-Trace-ID": "t-1", "x-absent": null };
  caller.ref.on("getStore", { path: { externalId: "a/b" }, headers }).always(forced);
  const send = (path: string, sent: Record<string, string>) => caller.send("GET", path, undefined, sent);
  expect((await send("/v1/stores/a%2Fb", { "x-trace-id": "t-1" })).status).toBe(418);
  expect((await send("/v1/stores/S-1", { "x-trace-id": "t-1" })).status).toBe(200);
  expect((await send("/v1/stores/a%2Fb", { "X-TRACE-id": "t-1", "x-absent": "" })).status).toBe(404);
});

test("`when` receives the request after every other part has matched", async () => {
  const caller = new Caller();
  const seen: unknown[] = [];
  caller.ref
    .on("putStore", {
      path: { externalId: "S-1" },
      when: (request) => {
        seen.push(request);
        return request.query["x"] === "1";
      },
    })
    .always(forced);
  await caller.put("/v1/stores/S-2", {});
  expect(seen).toEqual([]);
  expect((await caller.put("/v1/stores/S-1?x=1", { name: "A" })).status).toBe(418);
  expect((await caller.put("/v1/stores/S-1?x=2", { name: "A" })).status).not.toBe(418);
  expect(seen[0]).toEqual({
    operation: "putStore",
    base: "store",
    method: "PUT",
    path: { externalId: "S-1" },
    query: { x: "1" },
    headers: { authorization: `Bearer ${caller.ref.token}`, "content-type": "application/json" },
    body: { name: "A" },
  });
});

test.for([
  [() => JSON.parse("{") as boolean, /JSON/],
  [() => "yes" as unknown as boolean, /when must return true or false, not "yes"/],
] as const)("a matcher function that fails is a 501 with the reason: case %#", async ([when, message]) => {
  const caller = new Caller();
  caller.ref.on("getStore", { when }).always(forced);
  const { status, body } = await caller.get("/v1/stores/S-1");
  expect([status, (body.error as { message: string }).message]).toEqual([
    501,
    expect.stringMatching(message),
  ]);
  expect(caller.ref.journal.all()).toMatchObject([{ operation: "getStore", status: 501 }]);
});

test.for<[string, unknown, RegExp]>([
  ["putStore", { paths: {} }, /matcher: unknown property "paths"\. Did you mean "path"\?/],
  ["putStore", "S-2", /matcher must be an object/],
  ["putStore", { path: { id: "S-2" } }, /matcher\.path: unknown property "id"\. Expected one of externalId/],
  ["putStore", { path: { externalId: 2 } }, /matcher\.path\.externalId must be a string/],
  ["putStore", { query: { limit: 1 } }, /matcher\.query: unknown property "limit"/],
  ["putStore", { headers: { "x y": "1" } }, /matcher\.headers\.x y must be the name of a header/],
  ["putStore", { when: "always" }, /matcher\.when must be a function/],
  ["*", { query: { nothing: "1" } }, /matcher\.query: unknown property "nothing"/],
])("a matcher of %s rejects %j", ([operation, matcher, message]) => {
  const { ref } = new Caller();
  expect(() => ref.on(operation as "putStore", matcher as OverrideMatcher<"putStore">)).toThrow(message);
  ref.on("listProtocols", { query: { cursor: "c" } }); // gap protocols.next-page
  ref.on("listInspectionTemplates", { query: { vehicleGroupId: "g" } });
});
