import { describe, expect, it } from "vitest";
import type { JsonObject, StoreClientOptions } from "../../../src/client/store/index.ts";
import { type Responder, json, type SentRequest } from "../core/stub-fetch.ts";
import { range, stubClient } from "./stub-client.ts";

type Strategy = NonNullable<NonNullable<StoreClientOptions["strategies"]>["protocols.next-page"]>;

const page = (items: unknown[], nextCursor: string | null): Response => json({ items, nextCursor });
const ids = (...names: (string | number)[]): object[] => names.map((id) => ({ id }));

/** Walks the protocols and gives its items, what ended it and how many requests it took. */
async function walk(response: Responder, strategy: Strategy = "auto", query: object = {}) {
  const { client, sent } = stubClient(response, { strategies: { "protocols.next-page": strategy } });
  const pages: JsonObject[][] = [];
  let error: unknown;
  let resume: unknown;
  try {
    for await (const one of client.protocols.list("S-1", { ...range, ...query }).pages()) {
      pages.push(one.items);
      resume = one.resume;
    }
  } catch (reason) {
    error = reason;
  }
  return { pages, items: pages.flat(), error, resume, sent };
}

/** A token of the list of protocols at a position. */
async function tokenAt(position: object): Promise<string> {
  const { client } = stubClient(() => page(ids("a"), "c"));
  const { resume } = await client.protocols.list("S-1", range);
  return JSON.stringify({ ...(JSON.parse(String(resume)) as object), position });
}

/** Responds with a page for each cursor, and with 500 to a narrower range. */
function byCursor(pages: Record<string, [items: unknown[], next: string | null]>): Responder {
  return ({ query }: SentRequest) => {
    const found = pages[query.cursor ?? ""];
    return found === undefined ? json({}, { status: 418 }) : page(...found);
  };
}

describe("a walk by cursor", () => {
  it.each(["auto", "cursor"] as const)("ends with an empty page: %s", async (strategy) => {
    const { items, error, resume } = await walk(byCursor({ "": [ids("a"), "c1"], c1: [[], null] }), strategy);
    expect([items, error, resume]).toEqual([ids("a"), undefined, null]);
  });

  it.each(["auto", "cursor"] as const)(
    "delivers a protocol once that is on the first two pages: %s",
    async (strategy) => {
      const response = byCursor({ "": [ids("a", "b"), "c1"], c1: [ids("b", "c"), null] });
      expect(await walk(response, strategy)).toMatchObject({ items: ids("a", "b", "c"), error: undefined });
    },
  );

  it.each(["auto", "cursor"] as const)("notices a page that comes again: %s", async (strategy) => {
    const response = byCursor({ "": [ids("a"), "c1"], c1: [ids("b"), "c2"], c2: [ids("b"), "c3"] });
    const { error, items } = await walk(response, strategy);
    expect(error).toMatchObject({
      name: "PaginationError",
      reason: expect.stringContaining("the previous page") as string,
    });
    expect(items).toEqual(ids("a", "b"));
  });

  it("that was resumed continues only with the cursor", async () => {
    const respond: Responder = () => json({}, { status: 400 });
    const resume = await tokenAt({
      at: "cursor",
      cursor: "c7",
      recurring: [],
      uncertain: [],
      isStable: false,
    });
    const { error, sent } = await walk(respond, "auto", { resume });
    expect(error).toMatchObject({ status: 400 });
    expect(sent).toHaveLength(1);
    const ends = await walk(byCursor({ c7: [ids("z"), null] }), "single", {
      resume,
    });
    expect(ends).toMatchObject({ items: ids("z"), error: undefined });
  });

  it("passes on an error that does not reject its cursor, although narrower ranges would work", async () => {
    for (const failure of [() => json({}, { status: 404 }), () => new Response("<html>")]) {
      const { error, sent } = await walk((_, index) =>
        index === 1 ? failure() : page(ids("a"), index === 0 ? "c" : null),
      );
      expect(error).toHaveProperty("status", failure().status);
      expect(sent).toHaveLength(2);
    }
  });
});

describe("a walk by ranges of time", () => {
  /** A server that ignores cursors: two protocols a page of those in the range, the newest first. */
  function ignoring(instants: string[], make: (at: string, request: number) => unknown): Responder {
    return ({ query }, index) => {
      const inside = instants
        .filter(
          (at) =>
            Date.parse(at) >= Date.parse(query.from ?? "") && Date.parse(at) < Date.parse(query.to ?? ""),
        )
        .toSorted()
        .toReversed();
      return page(
        inside.slice(0, 2).map((at) => make(at, index)),
        inside.length > 2 ? "more" : null,
      );
    };
  }
  const hours = ["01", "05", "09", "13", "17", "20"].map((hour) => `2026-01-01T${hour}:30:00Z`);

  it.each<[string, (at: string, request: number) => unknown]>([
    ["protocolId", (at, request) => ({ protocolId: at, seen: request })],
    ["protocolId before id", (at, request) => ({ protocolId: at, id: request })],
    ["id", (at, request) => ({ id: at, seen: request })],
    ["a number", (at, request) => ({ id: Date.parse(at), seen: request })],
    ["a number for protocolId", (at, request) => ({ protocolId: Date.parse(at), seen: request })],
    ["its whole content", (at) => ({ at })],
    ["its whole content, its id being none", (at) => ({ id: null, protocolId: {}, at })],
  ])("gives each protocol once, told apart by %s", async (_, make) => {
    const { items, error, resume } = await walk(ignoring(hours, make));
    expect(error).toBeUndefined();
    expect(items).toHaveLength(hours.length);
    expect(resume).toBeNull();
  });

  it("tells protocols apart by the client's identify", async () => {
    const { client } = stubClient(
      ignoring(hours, (at, request) => ({ id: request, key: at })),
      {
        identify: ({ key }) => String(key),
      },
    );
    expect(await client.protocols.list("S-1", range).toArray()).toHaveLength(hours.length);
  });

  it("delivers no empty page but the last, although ranges between are empty", async () => {
    const clusters = ["01:00", "01:10", "01:20", "20:00", "20:10", "20:20"];
    const { pages } = await walk(
      ignoring(
        clusters.map((at) => `2026-01-01T${at}:00Z`),
        (at) => ({ id: at }),
      ),
      "window",
    );
    expect(pages.slice(0, -1).filter((items) => items.length === 0)).toEqual([]);
    expect(pages.flat()).toHaveLength(clusters.length);
    expect(pages.length).toBeGreaterThan(2);
  });

  it("begins where the response to a cursor has a protocol of the first page among others", async () => {
    const later = "2026-01-01T21:30:00Z";
    const respond: Responder = (sent, index) =>
      ignoring(index === 0 ? hours : [...hours, later], (at) => ({ id: at }))(sent, index);
    const { items, error } = await walk(respond);
    expect(error).toBeUndefined();
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set([...hours, later]));
    expect(items).toHaveLength(hours.length + 1);
  });
});

it("items that are not objects are returned", async () => {
  expect(await walk(byCursor({ "": [[null, 5], "c1"], c1: [["x"], null] }))).toMatchObject({
    items: [null, 5, "x"],
    error: undefined,
  });
});

describe("a service without a token", () => {
  it.each([
    [503, '{"error":{"code" : "not_configured"}}', 1],
    [503, '{"error":{"code":\n"not_configured"}}', 1],
    [500, '{"error":{"code":"not_configured"}}', 2],
    [503, '{"error":{"code":"other"}}', 2],
  ])("with status %i and body %j is asked %i times", async (status, body, times) => {
    const { client, sent } = stubClient(() => new Response(body, { status }), {
      retry: { limit: 1, maxDelay: 1 },
    });
    await expect(client.stores.get("S")).rejects.toMatchObject({ status });
    expect(sent).toHaveLength(times);
  });
});

it("a code that is not a string is ignored", async () => {
  const { client } = stubClient(() => json({ error: { code: 5, message: "m" } }, { status: 400 }));
  await expect(client.stores.get("S")).rejects.toMatchObject({ code: undefined });
});
