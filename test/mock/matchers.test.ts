import { setupServer } from "msw/node";
import { afterEach, describe, expect, test } from "vitest";
import { type OverrideMatcher, type ReferenceServer, createReferenceServer } from "../../src/mock/index.ts";
import { listenOptions, mswHandlers } from "../../src/mock/msw.ts";
import { serve } from "../../src/mock/node.ts";
import { Caller, code } from "./caller.ts";

const outage = { status: 503 } as const;

/** The statuses of several stores. */
async function statuses(caller: Caller, ...ids: string[]): Promise<number[]> {
  const seen: number[] = [];
  for (const id of ids) seen.push((await caller.get(`/v1/stores/${id}`)).status);
  return seen;
}

test("fails one store and no other", async () => {
  const caller = new Caller();
  caller.ref.on("getStore", { path: { externalId: "S-2" } }).always(outage);
  expect(await statuses(caller, "S-1", "S-2", "S-3", "S-2")).toEqual([200, 503, 200, 503]);
});

test("compares decoded path parameters", async () => {
  const caller = new Caller({ store: { stores: [{ externalId: "a/b" }] } });
  caller.ref.on("getStore", { path: { externalId: "a/b" } }).always(outage);
  expect(await statuses(caller, "a%2Fb")).toEqual([503]);
});

describe("query", () => {
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
  test.for(cases)("%j on %s: %s", async ([query, sent, isMatch]) => {
    const caller = new Caller();
    caller.ref.on("listPhotos", { query: query ?? {} }).always({ status: 418 });
    const { status } = await caller.get(`/v1/stores/S-1/photos?${sent}`);
    expect(status === 418).toBe(isMatch);
  });
});

describe("body", () => {
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
  test.for(cases)("%j in %j: %s", async ([body, sent, isMatch]) => {
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

test("`when` gets the typed request, after every other part has matched", async () => {
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
] as const)("a function that fails is a 500 that says so: case %#", async ([when, message]) => {
  const caller = new Caller();
  caller.ref.on("getStore", { when }).always(outage);
  const { status, body } = await caller.get("/v1/stores/S-1");
  expect([status, JSON.stringify(body)]).toEqual([500, expect.stringMatching(/A matcher of on/)]);
  expect((body.error as { message: string }).message).toMatch(message);
  expect(caller.ref.journal.all()).toMatchObject([{ operation: "getStore", status: 500 }]);
});

describe("the three adapters give matchers the headers, in any case", () => {
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

  test("ref.fetch", async () => {
    const ref = createReferenceServer();
    ref.on("getStore", matcher).always(outage);
    expect(await send(ref.fetch, { storeUrl: ref.storeUrl, ref })).toEqual([503, 200, 200]);
  });

  test("msw", async () => {
    const ref = createReferenceServer();
    const server = setupServer(...mswHandlers(ref));
    server.listen(listenOptions());
    close = () => server.close();
    ref.on("getStore", matcher).always(outage);
    expect(await send(fetch, { storeUrl: ref.storeUrl, ref })).toEqual([503, 200, 200]);
  });

  test("HTTP", async () => {
    const ref = createReferenceServer();
    const served = await serve(ref);
    close = served.close;
    ref.on("getStore", matcher).always(outage);
    expect(await send(fetch, { storeUrl: served.storeUrl, ref })).toEqual([503, 200, 200]);
  });
});

test("an adapter that gives no headers is matched by those that the APIs read", () => {
  const { ref } = new Caller();
  ref.on("getStore", { headers: { "Content-Type": "text/csv" } }).always(outage);
  const request = { base: "store", method: "GET", target: "/v1/stores/S-1" } as const;
  expect(ref.answer({ ...request, contentType: "text/csv" }).status).toBe(503);
  expect(ref.answer(request).status).toBe(401);
});

describe("the first override that matches applies", () => {
  test("those with a count are tried first, oldest first; then the others, newest first", async () => {
    const caller = new Caller();
    const { ref } = caller;
    ref.on("getStore").always({ status: 500 });
    ref.on("getStore", { path: { externalId: "S-2" } }).always({ status: 501 });
    ref.on("*", { path: { externalId: "S-2" } }).once({ status: 502 });
    ref.on("getStore").once({ status: 503 });
    ref.on("getStore", { path: { externalId: "S-2" } }).once({ status: 504 });
    expect(await statuses(caller, "S-2", "S-2", "S-2", "S-2", "S-1")).toEqual([502, 503, 504, 501, 500]);
    ref.on("*").always({ status: 505 });
    expect(await statuses(caller, "S-2", "S-1")).toEqual([505, 505]);
  });

  test("a declaration that gets its count later keeps its place", async () => {
    const caller = new Caller();
    const first = caller.ref.on("getStore").always({ status: 500 });
    caller.ref.on("getStore").once({ status: 501 });
    first.times(1);
    expect(await statuses(caller, "S-1", "S-1", "S-1")).toEqual([500, 501, 200]);
  });

  test("rules found by different parameters keep the order of their declaration", async () => {
    const caller = new Caller();
    const { ref } = caller;
    ref.on("listStores", { query: { cursor: "c" } }).once({ status: 500 });
    ref.on("listStores", { query: { limit: 1 } }).once({ status: 501 });
    ref.on("listStores", { headers: { "content-type": "application/json" } }).once({ status: 502 });
    ref.on("listStores", { query: { cursor: "c" } }).once({ status: 503 });
    const found = [];
    for (let turn = 0; turn < 4; turn++) found.push((await caller.get("/v1/stores?limit=1&cursor=c")).status);
    expect(found).toEqual([500, 501, 502, 503]);
  });
});

describe("`*`", () => {
  test("is every operation of both APIs, and no unknown path", async () => {
    const caller = new Caller();
    caller.ref.on("*").always({ status: 503 });
    const found = [];
    for (const path of ["/v1/stores", "/vehicles", "/v1/nothing"])
      found.push((await caller.get(path)).status);
    expect(found).toEqual([503, 503, 404]);
  });

  test("makes the pages of lists faulty, and leaves other operations uncounted", async () => {
    const caller = new Caller();
    caller.ref.on("*").paging("empty-page").times(1);
    expect((await caller.get("/v1/stores/S-1")).status).toBe(200);
    expect(caller.ref.overrides.all()).toMatchObject([{ left: 1 }]);
    await caller.get("/v1/stores");
    expect(caller.ref.overrides.all()).toEqual([]);
    caller.ref.on("*").paging("cycle");
    const cursors = [];
    for (let turn = 0; turn < 3; turn++)
      cursors.push((await caller.get("/v1/stores?limit=2")).body.nextCursor);
    expect(cursors).not.toContain(null);
  });

  test("takes the parameters of any operation", async () => {
    const caller = new Caller();
    caller.ref.on("*", { path: { id: "vehicle-2" } }).always({ status: 503 });
    expect((await caller.get("/vehicles/vehicle-1")).status).toBe(200);
    expect((await caller.get("/vehicles/vehicle-2")).status).toBe(503);
  });
});

describe("skip", () => {
  test("leaves the first requests alone that would have been affected", async () => {
    const caller = new Caller();
    caller.ref
      .on("getStore", { path: { externalId: "S-2" } })
      .once(outage)
      .skip(2);
    expect(await statuses(caller, "S-1", "S-2", "S-2", "S-1", "S-2", "S-2")).toEqual([
      200, 200, 200, 200, 503, 200,
    ]);
  });

  test("does not count requests that an earlier override took", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").once({ status: 500 });
    caller.ref.on("getStore").once({ status: 501 }).skip(1);
    expect(await statuses(caller, "S-1", "S-1", "S-1", "S-1")).toEqual([500, 200, 501, 200]);
  });
});

describe("rate", () => {
  const sequence = async (seed: number, rate: number, count = 200): Promise<number[]> => {
    const caller = new Caller({ seed });
    caller.ref.on("getStore").always(outage).rate(rate);
    return statuses(caller, ...Array.from({ length: count }, () => "S-1"));
  };

  test("applies with its probability, and the seed decides to which requests", async () => {
    const found = await sequence(1, 0.25);
    const failed = found.filter((status) => status === 503).length;
    expect(failed).toBeGreaterThan(30);
    expect(failed).toBeLessThan(75);
    expect(await sequence(1, 0.25)).toEqual(found);
    expect(await sequence(2, 0.25)).not.toEqual(found);
    expect(new Set(await sequence(1, 0, 50))).toEqual(new Set([200]));
    expect(new Set(await sequence(1, 1, 50))).toEqual(new Set([503]));
  });

  test("is the same again after a reset", async () => {
    const caller = new Caller();
    const run = () => {
      caller.ref.on("getStore").always(outage).rate(0.5);
      return statuses(caller, ...Array.from({ length: 40 }, () => "S-1"));
    };
    const first = await run();
    caller.ref.reset();
    expect(await run()).toEqual(first);
  });

  test("leaves a request that it does not apply to for the next override, uncounted", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").always({ status: 500 });
    caller.ref.on("getStore").always(outage).rate(0.5).times(10);
    const found = await statuses(caller, ...Array.from({ length: 100 }, () => "S-1"));
    expect(found.filter((status) => status === 503)).toHaveLength(10);
    expect(found.filter((status) => status === 500)).toHaveLength(90);
  });
});

describe("delay", () => {
  const delays = (ref: ReferenceServer, count: number): number[] =>
    Array.from(
      { length: count },
      () => ref.answer({ base: "store", method: "GET", target: "/v1/stores" }).delay,
    );

  test("is evenly distributed between two bounds", () => {
    const { ref } = new Caller();
    ref.on("listStores").delay({ min: 100, max: 200 });
    const found = delays(ref, 1_000).toSorted((one, other) => one - other);
    expect(found[0]).toBeGreaterThanOrEqual(100);
    expect(found.at(-1)).toBeLessThanOrEqual(200);
    expect(found[500]).toBeGreaterThan(140);
    expect(found[500]).toBeLessThan(160);
    const again = createReferenceServer();
    again.on("listStores").delay({ min: 100, max: 200 });
    expect(delays(again, 1_000).toSorted((one, other) => one - other)).toEqual(found);
  });

  test("is log-normally distributed around a median", () => {
    const { ref } = new Caller();
    ref.on("*").delay({ median: 100, sigma: 0.5 });
    const found = delays(ref, 2_000).toSorted((one, other) => one - other);
    expect(found[1_000]).toBeGreaterThan(90);
    expect(found[1_000]).toBeLessThan(110);
    // 84.1 % of a log-normal distribution lie below the median times e^sigma
    const share = found.filter((ms) => ms < 100 * Math.exp(0.5)).length / found.length;
    expect(share).toBeGreaterThan(0.81);
    expect(share).toBeLessThan(0.87);
  });

  test("is cut off, and a sum never exceeds what a timer can wait", () => {
    const { ref } = new Caller();
    ref.on("listStores").delay({ median: 100, sigma: 3, max: 150 }).times(200);
    expect(Math.max(...delays(ref, 200))).toBe(150);
    ref.on("listStores").delay(2_147_483_647).delay(2_147_483_647);
    expect(delays(ref, 1)).toEqual([2_147_483_647]);
  });
});

describe("withdrawal", () => {
  test("`remove` withdraws what its handle declared, and what was declared before applies again", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").always({ status: 500 });
    const handle = caller.ref.on("getStore").once({ status: 501 }).always({ status: 502 });
    handle.remove();
    handle.remove();
    expect(await statuses(caller, "S-1", "S-1")).toEqual([500, 500]);
    expect(handle.ids).toEqual([]);
    expect(caller.ref.overrides.all()).toHaveLength(1);
  });

  test("a handle from before a reset removes nothing that came after", async () => {
    const caller = new Caller();
    const handle = caller.ref.on("getStore").always({ status: 500 });
    caller.ref.reset();
    caller.ref.on("getStore").always({ status: 501 });
    handle.remove();
    handle.times(1);
    expect(await statuses(caller, "S-1", "S-1")).toEqual([501, 501]);
  });

  test("`overrides` lists what is pending, removes by ID and clears", async () => {
    const caller = new Caller();
    const { ref } = caller;
    const matcher = { path: { externalId: "S-2" }, query: { x: null }, when: () => true };
    const [id = 0] = ref.on("getStore", { path: matcher.path, when: matcher.when }).once(outage).ids;
    ref.on("*").delay({ min: 1, max: 2 }).skip(3).rate(0.5);
    ref
      .on("putStore", { body: { name: "A" } })
      .fault("reset", { at: "after" })
      .times(2);
    ref.on("listStores").paging("cycle");
    expect(ref.overrides.all()).toEqual([
      {
        id,
        operation: "getStore",
        matcher: { path: { externalId: "S-2" }, when: true },
        effect: { type: "response", status: 503 },
        left: 1,
        skip: 0,
        rate: 1,
      },
      {
        id: id + 1,
        operation: "*",
        effect: { type: "delay", delay: { min: 1, max: 2 } },
        left: null,
        skip: 3,
        rate: 0.5,
      },
      {
        id: id + 2,
        operation: "putStore",
        matcher: { body: { name: "A" } },
        effect: { type: "fault", fault: "reset", at: "after" },
        left: 2,
        skip: 0,
        rate: 1,
      },
      {
        id: id + 3,
        operation: "listStores",
        effect: { type: "paging", paging: "cycle" },
        left: null,
        skip: 0,
        rate: 1,
      },
    ]);
    await statuses(caller, "S-2");
    expect(ref.overrides.all().map((one) => [one.id, one.skip])).toEqual([
      [id + 1, 2],
      [id + 2, 0],
      [id + 3, 0],
    ]);
    expect([ref.overrides.remove(id), ref.overrides.remove(id + 1)]).toEqual([false, true]);
    ref.overrides.clear();
    expect(ref.overrides.all()).toEqual([]);
    expect(ref.journal.all()).toHaveLength(1);
    const [next = 0] = ref.on("getStore").once(outage).ids;
    expect(next).toBeGreaterThan(id + 3);
  });

  test("removed and used up overrides make room for others", () => {
    const { ref } = new Caller();
    const body = "x".repeat(50_000_000);
    ref.on("getStore").once({ body }).once({ body }).remove();
    ref.on("getStore").once({ body }).once({ body });
    for (let turn = 0; turn < 2; turn++)
      ref.answer({ base: "store", method: "GET", target: "/v1/stores/S-1" });
    ref.on("getStore").once({ body }).once({ body });
    expect(ref.overrides.all()).toHaveLength(2);
  });
});

test("the bytes of matchers are bounded with those of responses", () => {
  const { ref } = new Caller();
  const body = { name: "x".repeat(60_000_000) };
  ref.on("putStore", { body }).once(outage);
  ref.on("putStore", { body }).once(outage);
  expect(() => ref.on("putStore", { body }).once(outage)).toThrow("at most 134217728 bytes");
});

test("no secret is in the list, wherever a test put it", async () => {
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
  ref.on("listPhotos", { query: { status: [ref.token, "b"] } }).once({ body: 1n });
  const text = JSON.stringify(ref.overrides.all());
  for (const it of [ref.token, key?.key, "own secret"]) expect(text).not.toContain(it);
  expect(text).toContain("[redacted]");
});

describe("bad matchers are errors that name the place", () => {
  const cases: [unknown, RegExp][] = [
    [{ paths: {} }, /Unknown member "paths" of a matcher. Expected one of path, query, headers, body, when/],
    ["S-2", /A matcher must be an object, not "S-2"/],
    [[], /A matcher must be an object, not \[\]/],
    [null, /A matcher must be an object, not null/],
    [{ path: { id: "S-2" } }, /Unknown path parameter "id" of putStore. Expected one of externalId/],
    [{ path: { externalId: 2 } }, /path.externalId must be a string, not 2/],
    [{ path: "S-2" }, /path must be an object, not "S-2"/],
    [{ query: { limit: 1 } }, /Unknown query parameter "limit" of putStore. It has none/],
    [{ headers: { "x y": "1" } }, /headers: "x y" is not the name of a header/],
    [{ headers: { "x-y": 1 } }, /headers.x-y must be a string, or null if it must be absent, not 1/],
    [{ body: { at: new Date(0) } }, /body.at must be JSON, not an instance of Date/],
    [{ body: { a: [undefined] } }, /body.a.0 must be JSON, not nothing/],
    [{ body: { a: () => 1 } }, /body.a must be JSON, not a function/],
    [{ body: Number.NaN }, /body must be JSON, not null/],
    [{ body: Array.from({ length: 1_001 }, () => 1) }, /body: a matcher takes at most 1000 values/],
    [{ when: "always" }, /when must be a function, not "always"/],
  ];
  test.for(cases)("case %#", ([matcher, message]) => {
    expect(() => new Caller().ref.on("putStore", matcher as OverrideMatcher<"putStore">)).toThrow(message);
  });

  test("of other operations", () => {
    const { ref } = new Caller();
    expect(() => ref.on("getStore", { body: {} })).toThrow(/body: getStore takes no body/);
    expect(() => ref.on("listStores", { query: { limit: undefined as never } })).toThrow(
      /query.limit must be a string, .*, not nothing/,
    );
    expect(() => ref.on("listStores", { path: { externalId: "S-1" } })).toThrow(
      /Unknown path parameter "externalId" of listStores. It has none/,
    );
    expect(() => ref.on("*", { query: { nothing: "1" } })).toThrow(
      /Unknown query parameter "nothing" of any/,
    );
    let deep: unknown = 1;
    for (let level = 0; level < 200; level++) deep = { deep };
    expect(() => ref.on("putStore", { body: deep })).toThrow(/nested at most 100 levels deep/);
    ref.on("listProtocols", { query: { cursor: "c" } }); // gap protocols.next-page
    ref.on("listInspectionTemplates", { query: { vehicleGroupId: "g" } });
  });

  test("and so are bad counts, rates and delays", () => {
    const { ref } = new Caller();
    const on = () => ref.on("getStore");
    expect(() => on().rate(0.5)).toThrow(/rate follows once, always/);
    expect(() => on().skip(1)).toThrow(/skip follows once, always/);
    expect(() => on().delay(1).rate(1.1)).toThrow(/rate must be a number from 0 to 1, not "1.1"/);
    expect(() =>
      on()
        .delay(1)
        .rate("1" as never),
    ).toThrow(/rate must be/);
    expect(() => on().delay(1).skip(-1)).toThrow(/skip must be a non-negative integer, not "-1"/);
    expect(() => on().delay(1).skip(0.5)).toThrow(/not "0.5"/);
    expect(() => on().delay(2 ** 31)).toThrow(/up to 2147483647, not "2147483648"/);
    expect(() => on().delay({ min: 2, max: 1 })).toThrow(/delay.min must be at most delay.max, not 2 and 1/);
    expect(() => on().delay({ min: -1, max: 1 })).toThrow(/delay.min must be .*, not "-1"/);
    expect(() => on().delay({ min: 1, max: 2, mean: 3 } as never)).toThrow(
      /Unknown member "mean" of a delay/,
    );
    expect(() => on().delay({ median: 1 } as never)).toThrow(/delay.sigma must be .*, not nothing/);
    expect(() => on().delay({} as never)).toThrow(/delay.median must be/);
    expect(() => on().delay("1" as never)).toThrow(/delay must be milliseconds, .*, not "1"/);
    expect(ref.overrides.all().every(({ effect }) => effect.type === "delay")).toBe(true);
  });
});

test("an override of one tenant does not affect another", async () => {
  const caller = new Caller();
  const tenant = new Caller(caller.ref.tenant());
  tenant.ref.on("getStore", { path: { externalId: "S-1" } }).always(outage);
  expect([await statuses(caller, "S-1"), await statuses(tenant, "S-1")]).toEqual([[200], [503]]);
  expect(caller.ref.overrides.all()).toEqual([]);
  expect(code(await tenant.get("/v1/stores/none"))).toBe("not_found");
});
