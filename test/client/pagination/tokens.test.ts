import { describe, expect, it } from "vitest";
import { keyOf } from "../../../src/client/core/pagination/guard.ts";
import { isExactNumber } from "../../../src/wire/exact-numbers.ts";
import { type JsonObject } from "../../../src/wire/json.ts";
import { copyCall } from "../../../src/client/core/pagination/list-call.ts";
import { json } from "../core/stub-fetch.ts";
import { requestedPage, stubClient as fleetStub } from "../fleet/stub-client.ts";
import { stubClient as storeStub } from "../store/stub-client.ts";

const message = "must be the `resume` of a page of this list";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** The changes of a good token, each of which makes it malformed. */
const changes: [string, (token: JsonObject) => unknown][] = [
  ["another version", (token) => ({ ...token, v: 1 })],
  ["no list", (token) => ({ ...token, list: null })],
  ["another operation", (token) => ({ ...token, list: { ...(token.list as object), operation: "x" } })],
  ["no guard", (token) => ({ ...token, guard: undefined })],
  ["a guard that is a list", (token) => ({ ...token, guard: [] })],
  ...["cursors", "anchor", "steps", "page", "idle"].map((name): (typeof changes)[number] => [
    `a guard without ${name}`,
    (token) => ({ ...token, guard: { ...(token.guard as object), [name]: null } }),
  ]),
  [
    "too many cursors",
    (token) => ({ ...token, guard: { ...(token.guard as object), cursors: Array(129).fill(1) } }),
  ],
  [
    "a negative count of idle requests",
    (token) => ({ ...token, guard: { ...(token.guard as object), idle: -1 } }),
  ],
  [
    "a negative count of cursors",
    (token) => ({ ...token, guard: { ...(token.guard as object), steps: -1 } }),
  ],
  ["no position", (token) => ({ ...token, position: undefined })],
  ["a position that is a list", (token) => ({ ...token, position: [] })],
];

const passState = {
  start: 1,
  totalCount: 2,
  totalPages: 2,
  created: 0,
  repeated: 0,
  size: 1,
  hasIds: true,
  isChanged: false,
  keys: "",
};

const positions: Record<string, [string, object][]> = {
  cursor: [
    ["cursor", { cursor: 5 }],
    ["recurring", { recurring: ["a"] }],
  ],
  numbered: [
    ["page", { page: "2" }],
    ["page", { page: 1.5 }],
    ["page", { page: 1 }],
    ...[null, [], {}].map((pass): [string, object] => ["pass", { pass }]),
    ...[
      "start",
      "totalCount",
      "totalPages",
      "created",
      "repeated",
      "size",
      "hasIds",
      "isChanged",
      "keys",
    ].map((name): [string, object] => [name, { pass: { ...passState, [name]: "-1" } }]),
    ["number of created items", { pass: { ...passState, created: -1 } }],
    ["further pass", { page: undefined, start: 0, delivered: "" }],
    ["set of delivered items", { page: undefined, start: 1, delivered: "x" }],
  ],
};

const firstPage = { items: [{ externalId: "A" }], nextCursor: "A" };

const lists = {
  cursor: () => {
    const { client, sent } = storeStub(({ query }) =>
      json(query["cursor"] ? { items: [{ externalId: "B" }], nextCursor: null } : firstPage),
    );
    return { list: (resume?: string) => client.stores.list({ resume }), sent };
  },
  numbered: () => {
    const { client, sent } = fleetStub((request) => {
      const currentPage = requestedPage(request);
      const pagination = { currentPage, totalPages: 2, totalCount: 2, hasNextPage: currentPage < 2 };
      return json({ data: [{ id: `v-${currentPage}` }], meta: { pagination } });
    });
    return { list: (resume?: string) => client.vehicles.list({ resume }), sent };
  },
};

describe.each(["cursor", "numbered"] as const)("a resume token of a list by %s", (kind) => {
  const cases = [
    ...changes,
    ...(positions[kind] ?? []).map(([name, change]): (typeof changes)[number] => [
      `another ${name}: ${JSON.stringify(change)}`,
      (token) => ({ ...token, position: { ...(token.position as object), ...change } }),
    ]),
  ];

  it.each(cases)("is rejected before anything is sent if it has %s", async (_, change) => {
    const { list, sent } = lists[kind]();
    const { resume } = await list();
    const token = JSON.parse(resume ?? "") as JsonObject;
    const before = sent.length;
    await expect(list(JSON.stringify(change(token)))).rejects.toMatchObject({
      issues: [{ path: "resume", message }],
    });
    expect(sent).toHaveLength(before);
    expect((await list(JSON.stringify(token))).items).toHaveLength(1);
  });
});

describe("a resume token", () => {
  it("of a walk from a given cursor or page continues without them", async () => {
    const { client } = storeStub(({ query }) =>
      json({ items: [{ externalId: query["cursor"] }], nextCursor: query["cursor"] === "A" ? "B" : null }),
    );
    const { resume } = await client.stores.list({ cursor: "A" });
    expect((await client.stores.list({ resume: resume ?? "" })).items).toEqual([{ externalId: "B" }]);
    await expect(client.stores.list({ cursor: "A", resume: resume ?? "" })).rejects.toMatchObject({
      issues: [{ path: "cursor" }],
    });
  });

  it("of a walk with `identify` is rejected without one, and the reverse", async () => {
    const { client } = storeStub((_, index) => json({ items: [{ id: "a" }], nextCursor: `next ${index}` }));
    const identify = (item: JsonObject): string => String(item.id);
    const other = (item: JsonObject): string => `other ${String(item.id)}`;
    const { resume } = await client.protocols.list("S", { ...range, identify });
    const without = await client.protocols.list("S", range);
    const rejected = { issues: [{ path: "resume", message: "belongs to a list with another `identify`" }] };
    const token = resume ?? "";
    await expect(client.protocols.list("S", { ...range, resume: token })).rejects.toMatchObject(rejected);
    const reverse = { ...range, identify, resume: without.resume ?? "" };
    await expect(client.protocols.list("S", reverse)).rejects.toMatchObject(rejected);
    await client.protocols.list("S", { ...range, identify: other, resume: token });
  });
});

it("a resume token of a store whose external ID is a date-time is not that of a store with another form of it", async () => {
  const { client, sent } = storeStub(({ query }) =>
    json({ items: [{ id: query["cursor"] ?? "a" }], nextCursor: query["cursor"] === undefined ? "b" : null }),
  );
  const { resume } = await client.photos.list("2026-01-01T00:00:00Z", range);
  for (const externalId of ["2026-01-01T00:00:00.000Z", "1767225600000"])
    await expect(client.photos.list(externalId, { ...range, resume: resume ?? "" })).rejects.toMatchObject({
      issues: [{ path: "resume", message: "belongs to a list with another `externalId`" }],
    });
  expect(sent).toHaveLength(1);
});

it("a list keeps its arguments as they were when it was made", () => {
  const api = {
    config: {
      operations: { getX: { method: "GET" as const, path: "/x" } },
      secret: { redactor: { redact: String } },
    },
    page: () => Promise.reject(new Error("nothing is requested")),
  };
  const query = { ids: ["a"], nothing: null, extra: { note: "1" }, at: new Date(5) };
  const headers = new Headers({ a: "1" });
  const options = { headers, retry: { limit: 1 } };
  const { baseQuery, options: copied } = copyCall({ api, operation: "getX", query, options }, []);
  query.ids.push("b");
  query.extra.note = "2";
  query.at.setTime(7);
  headers.set("a", "2");
  options.retry.limit = 2;
  const at = new Date(5).toISOString();
  expect(baseQuery).toEqual({ ids: ["a"], nothing: null, extra: { note: "1" }, at });
  expect(copied).toEqual({ headers: { a: "1" }, retry: { limit: 1 } });
  expect(copyCall({ api, operation: "getX", query, options: null as never }, []).options).toBeNull();
});

describe("the key of an item", () => {
  const properties = ["protocolId", "id"];

  it("differs between properties, and between a property and `identify`", () => {
    const keys = [
      keyOf({ id: "x" }, { properties }),
      keyOf({ protocolId: "x" }, { properties }),
      keyOf({ id: "x" }, { properties, identify: () => "x" }),
    ];
    expect(new Set(keys).size).toBe(3);
    expect(keys).not.toContain(undefined);
  });

  it("is the same for a UUID in either letter case, and not for another text", () => {
    const keysOf = (id: string) => [id, id.toUpperCase()].map((form) => keyOf({ id: form }, { properties }));
    expect(new Set(keysOf("aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee")).size).toBe(1);
    expect(new Set(keysOf("aaaaaaaa-bbbb")).size).toBe(2);
  });

  it.each([{ id: "" }, { id: null }, {}, null, "text", 5])("is undefined for %j", (item) => {
    expect(keyOf(item, { properties })).toBeUndefined();
  });

  it("may be an integer up to 2^53 - 1", () => {
    expect(isExactNumber(Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(isExactNumber(Number.MAX_SAFE_INTEGER + 1)).toBe(false);
  });
});
