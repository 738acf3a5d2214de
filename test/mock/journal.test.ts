import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createReferenceServer, type ExpectOptions, type JournalMatcher } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";
import { adapters } from "./adapters.ts";
import { Caller } from "./caller.ts";

describe("the journal", () => {
  test("keeps each request with its parts and its response", async () => {
    const caller = new Caller();
    caller.ref.clock.advance({ hours: 1 });
    const [id] = caller.ref.on("putStore").delay(1).times(1).ids;
    await caller.put("/v1/stores/a%2Fb", { name: "A" });
    await caller.send("PUT", "/v1/stores/S-1?x=1&x=2&y=%C5%82+m", "{");
    const [first, second] = caller.ref.journal.all();
    expect(first).toEqual({
      operation: "putStore",
      base: "store",
      method: "PUT",
      path: "/v1/stores/a%2Fb",
      query: {},
      headers: { authorization: "[redacted]", "content-type": "application/json" },
      body: { name: "A" },
      status: 200,
      response: {
        status: 200,
        headers: { "content-type": "application/json" },
        body: expect.objectContaining({ externalId: "a/b", name: "A" }) as unknown,
      },
      at: "2026-01-01T01:00:00.000Z",
      overrides: [id],
      issues: [],
    });
    expect(second).toMatchObject({ query: { x: ["1", "2"], y: "ł m" }, body: "{", status: 400 });
    expect(second?.overrides).toBeUndefined();
  });

  test("does not change with later changes of the state", async () => {
    const { ref } = new Caller({ store: { stores: [{ externalId: "S-1", name: "Kiosk" }] } });
    const { storeUrl, close } = await serve(ref, { cors: true });
    onTestFinished(close);
    await fetch(`${storeUrl}/v1/stores/S-1`, { headers: { authorization: `Bearer ${ref.token}` } });
    const store = ref.state.store.stores.get("S-1");
    if (store !== undefined) store.name = "Other";
    const headers = { "content-type": "application/json" };
    expect(ref.journal.all()[0]?.response).toEqual({
      status: 200,
      headers,
      body: expect.objectContaining({ name: "Kiosk" }) as unknown,
    });
  });

  test.for([
    ["reset", null],
    ["close", null],
    ["stall", null],
    ["truncate", { status: 200 }],
    ["malformed", { status: 200, body: '{"items":[{"id":' }],
    ["html", { status: 200, body: expect.stringContaining("<html>") as unknown }],
  ] as const)("has under the fault %s the response %j", ([fault, response]) => {
    const { ref } = new Caller();
    ref.on("listStores").fault(fault);
    ref.respond({
      base: "store",
      method: "GET",
      target: "/v1/stores",
      headers: { authorization: `Bearer ${ref.token}` },
    });
    expect(ref.journal.all()).toMatchObject([{ fault, status: response === null ? null : 200, response }]);
  });

  test("does not redact words that equal a short token", async () => {
    const caller = new Caller({ store: { token: "stores" } });
    await caller.get("/v1/stores/S-1");
    expect(caller.ref.journal.of("getStore")).toMatchObject([{ path: "/v1/stores/S-1", status: 200 }]);
  });

  test("keeps the last 10 000 requests, or the given number", () => {
    const paths = (limit: number | undefined, count: number): string[] => {
      const ref = createReferenceServer({ journal: { limit } });
      for (let round = 1; round <= count; round++)
        ref.respond({ base: "store", method: "GET", target: `/v1/stores/S-${round}` });
      return ref.journal.all().map(({ path }) => path);
    };
    expect(paths(2, 10)).toEqual(["/v1/stores/S-9", "/v1/stores/S-10"]);
    expect(paths(0, 1)).toEqual([]);
    expect(paths(undefined, 10_001)).toHaveLength(10_000);
  });

  test("releases the bodies of the oldest requests, which an entry that a test holds keeps", async () => {
    const caller = new Caller({ journal: { maxBytes: 100_000 } });
    const body = { name: "x".repeat(10_000) };
    caller.ref.on("putStore").always({ body });
    await caller.put("/v1/stores/S-1", body);
    const [held] = caller.ref.journal.all();
    for (let round = 0; round < 49; round++) await caller.put("/v1/stores/S-1", body);
    const entries = caller.ref.journal.all();
    expect(entries).toHaveLength(50);
    expect(entries.map(({ isReleased }) => isReleased === true).lastIndexOf(true)).toBe(47);
    expect(entries[47]).toMatchObject({
      body: undefined,
      status: 200,
      response: { status: 200, body: undefined },
    });
    expect(entries[48]).toMatchObject({ body, response: { body } });
    expect(held).toMatchObject({ body, response: { body } });
  });

  test("is the same through all three adapters", async () => {
    const ref = createReferenceServer();
    const headers = { authorization: `Bearer ${ref.token}`, "X-Trace": "t-1" };
    for (const [, start] of adapters.toReversed()) {
      const { fetch, storeUrl } = await start(ref);
      await fetch(new Request(`${storeUrl}/v1/stores/S-1`, { headers }));
    }
    const entry = { headers: { "x-trace": "t-1", authorization: "[redacted]" }, status: 200 };
    expect(ref.journal.find({ headers: { "X-TRACE": "t-1" } })).toMatchObject([entry, entry, entry]);
  });

  test("is empty after clear, which keeps overrides and state", async () => {
    const caller = new Caller();
    caller.ref.on("getStore").always({ status: 503 });
    await caller.put("/v1/stores/N-1", {});
    caller.ref.journal.clear();
    expect(caller.ref.journal.all()).toEqual([]);
    expect(caller.ref.state.store.stores.has("N-1")).toBe(true);
    expect((await caller.get("/v1/stores/N-1")).status).toBe(503);
  });
});

describe("violations()", () => {
  test("has every request that violates the contract, with the property's path", async () => {
    const caller = new Caller();
    await caller.get("/v1/stores");
    await caller.get("/v1/stores/none");
    await caller.get("/v1/stores?limit=0");
    await caller.put("/v1/stores/S-1/contacts", { contacts: [{ name: "A" }] });
    await caller.get("/v1/nothing");
    await caller.send("DELETE", "/v1/stores/S-1");
    await caller.send("GET", "/v1/stores", undefined, { authorization: "none" });
    await caller.send("PUT", "/v1/stores/S-1", "{}", { "content-type": "text/plain" });
    caller.ref.on("listStores").always({ status: 200, body: { items: [], nextCursor: null } });
    await caller.get("/v1/stores?limit=0");
    await caller.get("/vehicles?plateNumber=WX");
    await caller.get("/vehicle-fields/field-1/vehicles?status=FINE");
    expect(
      caller.ref.journal.violations().map(({ status, issues }) => [status, issues.map(({ path }) => path)]),
    ).toEqual([
      [400, ["limit"]],
      [400, ["contacts.0.phone"]],
      [404, [""]],
      [404, [""]],
      [401, ["authorization"]],
      [200, ["content-type"]],
      [200, ["limit"]],
      [200, ["plateNumber"]],
      [400, ["status"]],
    ]);
  });

  test("has references to entities that do not exist, which are a 400 of a strict server", async () => {
    for (const strict of [false, true]) {
      const caller = new Caller({ strict, fleet: { vehicles: 1 } });
      const damage = { vehicleId: "vehicle-99", description: "Scratch", colour: "red" };
      const { status } = await caller.send("POST", "/damages", JSON.stringify(damage));
      expect(status).toBe(strict ? 400 : 201);
      const issues = [
        { path: "colour", message: expect.stringContaining("is not a property") as string },
        { path: "vehicleId", message: 'no vehicle has the ID "vehicle-99"' },
      ];
      expect(caller.ref.journal.violations()).toMatchObject([{ operation: "createDamage", issues }]);
    }
  });
});

let caller: Caller;

beforeEach(async () => {
  caller = new Caller();
  await caller.get("/v1/stores/S-1");
  await caller.get("/v1/stores/S-2");
  await caller.put("/v1/stores/S-2", { name: "New", location: "Here" });
  await caller.get("/v1/stores?limit=5");
  await caller.get("/v1/stores?limit=500");
  await caller.get("/v1/nothing");
});

const cases: [JournalMatcher, string[]][] = [
  [{ operation: "getStore" }, ["/v1/stores/S-1", "/v1/stores/S-2"]],
  [{ operation: "getStore", path: { externalId: "S-2" } }, ["/v1/stores/S-2"]],
  [{ path: { externalId: "S-2" } }, ["/v1/stores/S-2", "/v1/stores/S-2"]],
  [{ query: { limit: 5 } }, ["/v1/stores"]],
  [{ operation: "listStores", query: { cursor: null } }, ["/v1/stores", "/v1/stores"]],
  [{ body: { name: "New" } }, ["/v1/stores/S-2"]],
  [{ body: { name: "Old" } }, []],
  [{ operation: "*", status: 400 }, ["/v1/stores"]],
  [{ headers: { "Content-Type": "application/json" }, status: 400 }, ["/v1/stores"]],
  [{ when: ({ method, path }) => method === "PUT" && path["externalId"] === "S-2" }, ["/v1/stores/S-2"]],
];
test.for(cases)("find(%o) returns the requests that match", ([matcher, expected]) => {
  expect(caller.ref.journal.find(matcher).map(({ path }) => path)).toEqual(expected);
  expect(caller.ref.journal.find({})).toHaveLength(5);
});

describe("expect()", () => {
  test("returns the requests that match", () => {
    const { journal } = caller.ref;
    expect(journal.expect({ operation: "putStore" }, { times: 1 })).toMatchObject([
      { body: { name: "New" } },
    ]);
    expect(journal.expect({ operation: "getStore" })).toHaveLength(2);
    expect(journal.expect({ operation: "deleteDamage" }, { times: 0 })).toEqual([]);
  });

  const messageOf = (matcher: JournalMatcher, times?: number): string => {
    try {
      caller.ref.journal.expect(matcher, { times });
    } catch (error) {
      return (error as Error).message;
    }
    return expect.unreachable("the expectation holds");
  };

  test("compares the requests of the operation, that with the fewest differences first", () => {
    const matcher = { operation: "putStore", path: { externalId: "S-1" }, body: { name: "Newer" } } as const;
    expect(messageOf(matcher, 1)).toBe(
      [
        "Expected 1 request, but found 0:",
        '  operation: "putStore"',
        '  path: {"externalId":"S-1"}',
        '  body: {"name":"Newer"}',
        "Nearest requests:",
        "  putStore: PUT /v1/stores/S-2, status 200",
        '    path.externalId: expected "S-1", received "S-2"',
        '    body.name: expected "Newer", received "New"',
      ].join("\n"),
    );
    expect(messageOf({ operation: "listStores", query: { limit: 5 }, status: 400 })).toContain(
      [
        "Nearest requests:",
        "  listStores: GET /v1/stores?limit=500, status 400",
        '    query.limit: expected "5", received "500"',
        "  listStores: GET /v1/stores?limit=5, status 200",
        "    status: expected 400, received 200",
      ].join("\n"),
    );
  });

  test("lists the requests that were found if there are too many", () => {
    expect(messageOf({ operation: "getStore" }, 0)).toBe(
      [
        "Expected 0 requests, but found 2:",
        '  operation: "getStore"',
        "Found requests:",
        "  getStore: GET /v1/stores/S-2, status 200",
        "  getStore: GET /v1/stores/S-1, status 200",
      ].join("\n"),
    );
  });

  test("lists other requests if there is no request of the operation", () => {
    const message = messageOf({ operation: "getDamage", path: { id: "damage-1" } });
    expect(message).toContain(
      '  unknown operation: GET /v1/nothing, status 404\n    operation: expected "getDamage"',
    );
    expect(message).toContain("  … and 3 more");
  });

  test("reports that the journal is empty, or does not have everything any more", async () => {
    caller.ref.journal.clear();
    expect(messageOf({ operation: "getStore" })).toMatch(
      /\nNearest requests:\n {2}none\nThe journal has no request\. Is the call awaited/,
    );
    caller = new Caller({ journal: { limit: 2 } });
    for (const id of ["S-1", "S-2", "S-3"]) await caller.get(`/v1/stores/${id}`);
    expect(messageOf({ path: { externalId: "S-1" } })).toMatch(/dropped 1 requests? .* journal\.limit/);
  });

  test("prints a fault, a function and a long value in a readable form", async () => {
    caller.ref.on("getContacts").fault("reset");
    await caller.get("/v1/stores/S-1/contacts").catch(() => undefined);
    expect(messageOf({ operation: "getContacts", status: 200 })).toContain(
      "  getContacts: GET /v1/stores/S-1/contacts, fault reset\n    status: expected 200, received null",
    );
    expect(messageOf({ operation: "putStore", when: () => false })).toContain(
      "when: expected true, received false",
    );
    await caller.put("/v1/stores/S-1", { name: "x".repeat(10_000) });
    const message = messageOf({ operation: "putStore", body: { name: "y".repeat(10_000) } });
    expect(message.length).toBeLessThan(2_000);
  });

  test("shows no secret and no control character of a request", async () => {
    const { token } = caller.ref;
    await caller.put(`/v1/stores/${token}?x=%1B%5B2J%0Aforged`, { name: token });
    const message = messageOf({ operation: "putStore", body: { name: `not ${token}` } });
    expect(message).not.toContain(token);
    expect(message).toContain("[redacted]");
    expect(message).toContain("\\u001b[2J\\u000aforged");
    // oxlint-disable-next-line no-control-regex -- the characters that a terminal interprets
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  test.for([
    [{ operation: "getShop" }, {}, /matcher\.operation must be .* Did you mean "getStore"\?/],
    [{ operation: "getStore", path: { id: "1" } }, {}, /matcher\.path: unknown property "id"\. .*externalId/],
    [{ name: "A" }, {}, /matcher: unknown property "name"\. Expected one of path, query/],
    [null, {}, /matcher must be an object/],
    [{}, { atLeast: 1 }, /expect: unknown property "atLeast"\. Expected one of times/],
  ] as const)("rejects %j with %j", ([matcher, options, message]) => {
    expect(() => caller.ref.journal.expect(matcher as JournalMatcher, options as ExpectOptions)).toThrow(
      message,
    );
  });
});
