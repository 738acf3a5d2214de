import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { fleetQueries } from "../../../generated/fleet.queries.ts";
import * as fleetSchemas from "../../../generated/fleet.schemas.ts";
import { storeQueries } from "../../../generated/store.queries.ts";
import * as storeSchemas from "../../../generated/store.schemas.ts";
import { StoreClient } from "../../../src/index.ts";
import type { Issue } from "../../../src/client/errors.ts";
import { findMistake, serializeQuery } from "../../../src/client/serialization.ts";
import { issueMessage } from "../../../src/wire/schema.ts";
import type { QueryRules } from "../../../src/wire/operation.ts";

const rules: Readonly<Record<string, QueryRules>> = { ...storeQueries, ...fleetQueries };
const schemas: Readonly<Record<string, unknown>> = { ...storeSchemas, ...fleetSchemas };

/** Texts at and beyond the limits of each type of parameter. */
const texts =
  "1 0 -1 100 101 500 501 1.5 -0.1 100.5 1e2 1e400 1e+21 007 x - true false TRUE completed store day COMPLETED a,b Kiosk".split(
    " ",
  );
const others = [
  "",
  " ",
  "1 ",
  "2025-12-01T00:00:00.000Z",
  "2025-12-01",
  "2025-13-01T00:00:00Z",
  "3e817305-3966-484f-bad6-7fac12becd43",
  "3E817305-3966-484F-BAD6-7FAC12BECD43",
  "11111111-1111-1111-1111-111111111111",
  "3e817305-3966-484f-bad6-7fac12becd4",
];

/** What the schema of an operation's query says about one parameter, next to right ones. */
function issuesOfSchema(id: string, query: Readonly<Record<string, string>>) {
  const schema = schemas[`z${id.charAt(0).toUpperCase()}${id.slice(1)}Query`] as z.ZodMiniType; // generated
  const issues = z.safeParse(schema, query).error?.issues ?? [];
  return issues.map((issue) => ({ path: issue.path.join("."), message: issueMessage(issue, query) }));
}

/** What serializing a query finds wrong with it. */
function issuesOf(own: QueryRules, query: Readonly<Record<string, string>>): Issue[] {
  const issues: Issue[] = [];
  serializeQuery(query, own, {}, issues);
  return issues;
}

/** Texts that the rules refuse and the schemas take, or the other way, and no client sends. */
const isKnownDifference = (type: string, text: string): boolean =>
  // the client sends only what `serializeInstant` returns
  (type === "date-time" && text !== "2025-12-01T00:00:00.000Z") ||
  // both refuse it, with other words
  (type === "number" && text === "1e400");

describe.each(Object.keys(rules))("the rules of %s", (id) => {
  const own = rules[id] ?? {};
  const right = Object.fromEntries(
    Object.entries(own)
      .filter(([, { required }]) => required)
      .map(([name]) => [name, "2025-12-01T00:00:00.000Z"]),
  );

  it.each(Object.entries(own))("say of %s what its schema says", (name, rule) => {
    for (const text of [...texts, ...others].filter((one) => !isKnownDifference(rule.type, one))) {
      const message = findMistake(rule, text);
      const issues = message === undefined ? [] : [{ path: name, message }];
      expect(issues, text).toEqual(issuesOfSchema(id, { ...right, [name]: text }));
    }
  });

  it("name each parameter that is missing", () => {
    expect(issuesOf(own, {})).toEqual(Object.keys(right).map((path) => ({ path, message: "is required" })));
  });

  it("refuse a parameter that the contract does not name", () => {
    expect(issuesOf(own, { ...right, limits: "1" })).toEqual([
      { path: "limits", message: expect.stringContaining("is not a parameter") as string },
    ]);
  });
});

it("a list without its required parameters is refused before it is sent", async () => {
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return Response.json({});
  };
  const { http } = new StoreClient({ baseUrl: "https://stores.example.com", token: "a-token-1", fetch });
  const list = http.GET as (route: string, init: object) => Promise<unknown>;
  for (const query of [undefined, {}, { from: undefined }, { limit: 1 }])
    await expect(
      list("/v1/stores/{externalId}/protocols", { params: { path: { externalId: "S-1" }, query } }),
    ).rejects.toMatchObject({ issues: [{ path: "from" }, { path: "to" }] });
  expect(sent).toBe(0);
});

describe("an instant of a query", () => {
  const fetch = () => Promise.reject(new Error("a request was sent"));
  const store = new StoreClient({ baseUrl: "https://stores.example.com", token: "t", fetch, retry: 0 });
  const bad = [
    0,
    1_767_225_600_000,
    true,
    {},
    [],
    "2026-01-01",
    "2026-01-01T00:00:00",
    " 2026-01-01T00:00:00Z",
  ];

  it.each(bad)("is refused before it is sent: %j", async (from) => {
    const range = { from: from as string, to: "2026-01-02T00:00:00Z" };
    const calls = [
      () => store.protocols.list("S-1", range),
      () => store.photos.list("S-1", range),
      () => store.fillRates.forStore("S-1", { ...range, groupBy: "category" }),
      () => store.fillRates.across({ ...range, groupBy: "store" }),
    ];
    for (const call of calls)
      await expect((async () => call())()).rejects.toMatchObject({
        name: "InvalidRequestError",
        issues: [{ path: "from" }],
      });
  });
});
