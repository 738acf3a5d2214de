import { beforeEach, describe, expect, test } from "vitest";
import type { ExpectOptions, JournalMatcher } from "../../src/mock/index.ts";
import { Caller } from "./caller.ts";

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

const paths = (matcher: JournalMatcher): string[] => caller.ref.journal.find(matcher).map(({ path }) => path);

describe("journal.find", () => {
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
  test.for(cases)("finds requests by the matcher %o", ([matcher, expected]) => {
    expect(paths(matcher)).toEqual(expected);
  });

  test("finds every request of an operation with an empty matcher", () => {
    expect(caller.ref.journal.find({})).toHaveLength(5);
  });

  test("finds the requests that an override would have matched", async () => {
    const matcher = { path: { externalId: "S-9" }, body: { openingTimes: [{ weekday: 1 }] } };
    caller.ref.on("putStore", matcher).always({ status: 503 });
    await caller.put("/v1/stores/S-9", { openingTimes: [{ weekday: 1, from: "1" }] });
    await caller.put("/v1/stores/S-9", { openingTimes: [] });
    const statuses = caller.ref.journal.of("putStore").map(({ status }) => status === 503);
    expect(statuses).toEqual([false, true, false]);
    expect(caller.ref.journal.find({ operation: "putStore", ...matcher })).toMatchObject([{ status: 503 }]);
  });
});

describe("journal.expect", () => {
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
      caller.ref.journal.expect(matcher, times === undefined ? {} : { times });
    } catch (error) {
      return (error as Error).message;
    }
    return expect.unreachable("the expectation holds");
  };

  test("compares the requests of the operation with the fewest differences first", () => {
    const matcher = { operation: "putStore", path: { externalId: "S-1" }, body: { name: "Newer" } } as const;
    expect(messageOf(matcher, 1)).toBe(
      [
        "Expected 1 request, but found 0:",
        "  putStore",
        '    path: {"externalId":"S-1"}',
        '    body: {"name":"Newer"}',
        "Nearest requests:",
        "  putStore: PUT /v1/stores/S-2, status 200",
        '    path.externalId: expected "S-1", received "S-2"',
        '    body.name: expected "Newer", received "New"',
      ].join("\n"),
    );
    expect(messageOf({ operation: "listStores", query: { limit: 5 }, status: 400 })).toBe(
      [
        "Expected at least 1 request, but found 0:",
        "  listStores",
        '    query: {"limit":"5"}',
        "    status: 400",
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
        "  getStore",
        "Found requests:",
        "  getStore: GET /v1/stores/S-1, status 200",
        "  getStore: GET /v1/stores/S-2, status 200",
      ].join("\n"),
    );
  });

  test("lists other requests if there is no request of the operation", () => {
    const message = messageOf({ operation: "getDamage", path: { id: "damage-1" } });
    expect(message).toContain(
      "  unknown operation: GET /v1/nothing, status 404\n    operation: expected getDamage, received none",
    );
    expect(message).toContain("    operation: expected getDamage, received listStores");
    expect(message).toContain("  … and 3 more");
  });

  test("reports that the journal is empty, or has released requests", async () => {
    caller.ref.journal.clear();
    expect(messageOf({ operation: "getStore" })).toBe(
      "Expected at least 1 request, but found 0:\n  getStore\nThe journal has no requests.",
    );
    caller = new Caller({ journal: { limit: 2 } });
    for (const id of ["S-1", "S-2", "S-3"]) await caller.get(`/v1/stores/${id}`);
    expect(messageOf({ path: { externalId: "S-1" } })).toMatch(
      /The journal has released 1 older requests \(options journal.limit and journal.maxBytes\)\.$/,
    );
  });

  test("compares the other requests if too few match", () => {
    expect(messageOf({ operation: "getStore", path: { externalId: "S-1" } }, 2)).toContain(
      'Expected 2 requests, but found 1:\n  getStore\n    path: {"externalId":"S-1"}\nNearest requests:\n  getStore: GET /v1/stores/S-2',
    );
    expect(messageOf({ operation: "putStore" }, 2)).toMatch(/^Expected 2 requests, but found 1/);
  });

  test("prints a fault, a function and a long value in a readable form", async () => {
    caller.ref.on("getContacts").fault("reset");
    await caller.get("/v1/stores/S-1/contacts").catch(() => undefined);
    expect(messageOf({ operation: "getContacts", status: 200 })).toContain(
      "  getContacts: GET /v1/stores/S-1/contacts, fault reset\n    status: expected 200, received none, because of a fault",
    );
    expect(messageOf({ operation: "putStore", when: () => false })).toContain(
      "    when: expected true, received false",
    );
    await caller.put("/v1/stores/S-1", { name: "x".repeat(10_000) });
    const message = messageOf({ operation: "putStore", body: { name: "y".repeat(10_000) } });
    expect(message.length).toBeLessThan(2_000);
  });

  test("shows no secret", async () => {
    const { token } = caller.ref;
    await caller.put(`/v1/stores/${token}`, { name: token });
    const message = messageOf({ operation: "putStore", body: { name: `not ${token}` } });
    expect(message).not.toContain(token);
    expect(message).toContain("[redacted]");
  });
});

test.for([
  [
    { operation: "getShop" },
    {},
    /Unknown operation "getShop". Did you mean "getStore"\? Expected one of listStores/,
  ],
  [{ operation: "getStore", path: { id: "1" } }, {}, /Unknown path parameter "id" of getStore/],
  [{ status: "200" }, {}, /matcher\.status must be a number/],
  [{ headers: { Authorization: "x" } }, {}, /headers.authorization: the journal does not keep the value/],
  [{ name: "A" }, {}, /matcher: unknown property "name"\. Expected one of path, query/],
  [null, {}, /matcher must be an object/],
  [{}, { times: -1 }, /expect\.times must be at least 0/],
  [{}, { atLeast: 1 }, /expect: unknown property "atLeast"\. Expected one of times/],
] as const)(
  "the journal rejects an unknown property or operation by name: case %#",
  ([matcher, options, message]) => {
    expect(() => caller.ref.journal.expect(matcher as JournalMatcher, options as ExpectOptions)).toThrow(
      message,
    );
  },
);

test("a message for a terminal has no control characters of a request", async () => {
  const { journal } = caller.ref;
  await caller.get("/v1/stores?cursor=%1B%5B2J%0Aforged");
  const expected = (): unknown => journal.expect({ operation: "listStores", query: { cursor: "\u001B[1m" } });
  expect(expected).toThrow("\\u001b[2J\\u000aforged");
  // oxlint-disable-next-line no-control-regex -- the characters that a terminal interprets
  expect(expected).not.toThrow(/[\u0000-\u0009\u000b-\u001f]/);
});
