import { setupServer } from "msw/node";
import { afterEach, describe, expect, test } from "vitest";
import { type OverrideMatcher, type ReferenceServer, createReferenceServer } from "../../src/mock/index.ts";
import { listenOptions, mswHandlers } from "../../src/mock/msw.ts";
import { serve } from "../../src/mock/node.ts";
import { Caller } from "./caller.ts";

const outage = { status: 503 } as const;

/** The statuses of the responses for several stores. */
async function statuses(caller: Caller, ...ids: string[]): Promise<number[]> {
  const seen: number[] = [];
  for (const id of ids) seen.push((await caller.get(`/v1/stores/${id}`)).status);
  return seen;
}

test("a matcher compares decoded path parameters", async () => {
  const caller = new Caller({ store: { stores: [{ externalId: "a/b" }] } });
  caller.ref.on("getStore", { path: { externalId: "a/b" } }).always(outage);
  expect(await statuses(caller, "a%2Fb")).toEqual([503]);
});

describe("a matcher of the query", () => {
  const cases: [OverrideMatcher<"listPhotos">["query"], string, boolean][] = [
    [{ limit: "5" }, "limit=5", true],
    [{ limit: 5 }, "limit=5&cursor=x", true],
    [{ limit: 5 }, "limit=6", false],
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
    caller.ref.on("listPhotos", { query: query ?? {} }).always({ status: 418 });
    const { status } = await caller.get(`/v1/stores/S-1/photos?${sent}`);
    expect(status === 418).toBe(isMatch);
  });
});

describe("a matcher of the body", () => {
  const cases: [unknown, unknown, boolean][] = [
    [{ name: "A" }, { name: "A", city: "B" }, true],
    [{ name: "A" }, { name: "B" }, false],
    [{ name: "A" }, {}, false],
    [{ a: { b: [{ c: 1 }, {}] } }, { a: { b: [{ c: 1, d: 2 }, { e: 3 }] } }, true],
    [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1 }, {}] } }, false],
    [{ a: [] }, { a: [] }, true],
    [{ a: [] }, { a: {} }, false],
    [{ a: {} }, { a: null }, false],
    [{ a: {} }, { a: [] }, false],
    [{ a: null }, { a: null }, true],
    [{ a: null }, {}, false],
    [{ a: "1" }, { a: 1 }, false],
    [{ constructor: 1 }, {}, false],
    [{}, { a: 1 }, true],
  ];
  test.for(cases)("compares %j with %j: %s", async ([body, sent, isMatch]) => {
    const caller = new Caller();
    caller.ref.on("putStore", { body }).always({ status: 418 });
    expect((await caller.put("/v1/stores/S-1", sent)).status === 418).toBe(isMatch);
  });

  test("compares a body that is not JSON as a string", async () => {
    const caller = new Caller();
    caller.ref.on("putStore", { body: "{" }).always({ status: 418 });
    expect((await caller.send("PUT", "/v1/stores/S-1", "{")).status).toBe(418);
    expect((await caller.send("PUT", "/v1/stores/S-1", "{}")).status).toBe(200);
  });
});

test("`when` receives the typed request after every other part has matched", async () => {
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
    .always({ status: 418 });
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
  [() => JSON.parse("{") as boolean, /A matcher of on\("getStore"\) failed: .*JSON/],
  [() => Promise.resolve(true) as unknown as boolean, /when must return true or false, not a promise/],
  [() => "yes" as unknown as boolean, /when must return true or false, not "yes"/],
] as const)("a matcher function that fails is a 501 with the reason: case %#", async ([when, message]) => {
  const caller = new Caller();
  caller.ref.on("getStore", { when }).always(outage);
  const { status, body } = await caller.get("/v1/stores/S-1");
  expect([status, JSON.stringify(body)]).toEqual([501, expect.stringMatching(/A matcher of on/)]);
  expect((body.error as { message: string }).message).toMatch(message);
  expect(caller.ref.journal.all()).toMatchObject([{ operation: "getStore", status: 501 }]);
});

describe("a matcher of headers ignores case", () => {
  const matcher = { headers: { "X-Trace-ID": "t-1", "x-absent": null } };
  const send = async (
    fetch: typeof globalThis.fetch,
    { storeUrl, ref }: { storeUrl: string; ref: ReferenceServer },
  ) => {
    const found: number[] = [];
    for (const headers of [{ "x-trace-id": "t-1" }, { "X-TRACE-id": "t-1", "x-absent": "" }, {}]) {
      const authorization = `Bearer ${ref.token}`;
      const response = await fetch(`${storeUrl}/v1/stores/S-1`, { headers: { authorization, ...headers } });
      found.push(response.status);
    }
    return found;
  };
  let close: () => void | Promise<void> = () => {};
  afterEach(() => close());

  test("over ref.fetch", async () => {
    const ref = createReferenceServer();
    ref.on("getStore", matcher).always(outage);
    expect(await send(ref.fetch, { storeUrl: ref.storeUrl, ref })).toEqual([503, 200, 200]);
  });

  test("over msw", async () => {
    const ref = createReferenceServer();
    const server = setupServer(...mswHandlers(ref));
    server.listen(listenOptions());
    close = () => server.close();
    ref.on("getStore", matcher).always(outage);
    expect(await send(fetch, { storeUrl: ref.storeUrl, ref })).toEqual([503, 200, 200]);
  });

  test("over HTTP", async () => {
    const ref = createReferenceServer();
    const served = await serve(ref);
    close = served.close;
    ref.on("getStore", matcher).always(outage);
    expect(await send(fetch, { storeUrl: served.storeUrl, ref })).toEqual([503, 200, 200]);
  });
});

test("a matcher compares only the headers that the APIs read if the adapter passes none", () => {
  const { ref } = new Caller();
  ref.on("getStore", { headers: { "Content-Type": "text/csv" } }).always(outage);
  const request = { base: "store", method: "GET", target: "/v1/stores/S-1" } as const;
  expect(ref.respond({ ...request, contentType: "text/csv" }).status).toBe(503);
  expect(ref.respond(request).status).toBe(401);
});

test("the list of overrides shows no secret, in whatever part a test used it", async () => {
  const { ref } = new Caller();
  const [key] = ref.keys;
  const secret = `Bearer ${ref.token}`;
  ref
    .on("putStore", {
      path: { externalId: ref.token },
      headers: {
        authorization: secret,
        "X-Api-Key": "an own secret",
        "x-copy": secret,
        cookie: "a own secret",
      },
      body: { note: key?.key },
    })
    .always({
      body: { token: ref.token, [ref.token]: 1 },
      headers: { "set-cookie": "an own secret", "x-key": `${key?.key}` },
    });
  ref.on("listStores", { query: { cursor: ref.token } }).once({ body: ref.token });
  ref.on("listPhotos", { query: { status: [ref.token, "b"] } }).once({ body: [ref.token] });
  const text = JSON.stringify(ref.overrides.all());
  for (const it of [ref.token, key?.key, "own secret"]) expect(text).not.toContain(it);
  expect(text).toContain("[redacted]");
});

describe("an invalid matcher or effect", () => {
  const cases: [unknown, RegExp][] = [
    [{ paths: {} }, /matcher: unknown property "paths"\. Did you mean "path"\? Expected one of path, query/],
    ["S-2", /matcher must be an object/],
    [[], /matcher must be an object/],
    [null, /matcher must be an object/],
    [{ path: { id: "S-2" } }, /Unknown path parameter "id" of putStore. Expected one of externalId/],
    [{ path: { externalId: 2 } }, /matcher\.path\.externalId must be a string/],
    [{ path: "S-2" }, /matcher\.path must be a record/],
    [{ query: { limit: 1 } }, /Unknown query parameter "limit" of putStore. It has no such parameters/],
    [{ headers: { "x y": "1" } }, /matcher\.headers\.x y is invalid/],
    [{ headers: { "x-y": 1 } }, /matcher\.headers\.x-y must be a string/],
    [{ body: { a: [undefined] } }, /matcher\.body\.a\.0 is without a value, which JSON cannot hold/],
    [{ body: { a: () => 1 } }, /matcher\.body\.a is a function, which JSON cannot hold/],
    [{ body: Number.NaN }, /matcher\.body is NaN, which JSON cannot hold/],
    [{ when: "always" }, /matcher\.when must be a function/],
  ];
  test.for(cases)("is an error that names the place: case %#", ([matcher, message]) => {
    expect(() => new Caller().ref.on("putStore", matcher as OverrideMatcher<"putStore">)).toThrow(message);
  });

  test("is an error if the operation has no such parameter or body", () => {
    const { ref } = new Caller();
    expect(() => ref.on("getStore", { body: {} })).toThrow(/body: getStore has no request body/);
    expect(() => ref.on("listStores", { path: { externalId: "S-1" } })).toThrow(
      /Unknown path parameter "externalId" of listStores. It has no such parameters/,
    );
    expect(() => ref.on("*", { query: { nothing: "1" } })).toThrow(
      /Unknown query parameter "nothing" of any/,
    );
    ref.on("listProtocols", { query: { cursor: "c" } }); // gap protocols.next-page
    ref.on("listInspectionTemplates", { query: { vehicleGroupId: "g" } });
  });

  test("is an error if it is a count, a rate or a delay", () => {
    const { ref } = new Caller();
    const on = () => ref.on("getStore");
    expect(() => on().rate(0.5)).toThrow(/rate must follow once, always/);
    expect(() => on().skip(1)).toThrow(/skip must follow once, always/);
    expect(() => on().delay(1).rate(1.1)).toThrow(/rate must be at most 1/);
    expect(() =>
      on()
        .delay(1)
        .rate("1" as never),
    ).toThrow(/rate must be/);
    expect(() => on().delay(1).skip(-1)).toThrow(/skip must be at least 0/);
    expect(() => on().delay(1).skip(0.5)).toThrow(/skip must be an integer/);
    expect(() => on().delay(2 ** 31)).toThrow(/delay must be at most 2147483647/);
    expect(() => on().delay({ min: 2, max: 1 })).toThrow(/delay must have min at most max/);
    for (const delay of [{ min: -1, max: 1 }, { min: 1, max: 2, mean: 3 }, {}, "1"])
      expect(() => on().delay(delay as never)).toThrow(/^delay/);
    expect(ref.overrides.all().every(({ effect }) => effect.type === "delay")).toBe(true);
  });
});
