import { describe, expect, it } from "vitest";
import { type Responder, json } from "../core/stub-fetch.ts";
import { range, stubClient } from "./stub-client.ts";

interface Item {
  externalId: string;
}

const item = (number: number): Item => ({ externalId: `S-${number}` });

/** A server of so many stores, two a page, whose cursor is the last id of a page. */
function pagesOf(total: number): Responder {
  return ({ query }) => {
    const first = query.cursor === undefined ? 1 : Number(query.cursor.slice(2)) + 1;
    const items = [item(first), item(first + 1)].slice(0, Math.max(0, total - first + 1));
    return json({ items, nextCursor: first + 1 < total ? `S-${first + 1}` : null });
  };
}

const ids = (items: { externalId: string | null }[]): (string | null)[] => items.map((one) => one.externalId);

describe("a list of stores", () => {
  it("gives its first page when it is awaited", async () => {
    const { client, sent } = stubClient(pagesOf(5));
    const list = client.stores.list({ limit: 2 });
    const page = await list;
    expect(ids(page.items)).toEqual(["S-1", "S-2"]);
    expect(page.nextCursor).toBe("S-2");
    expect(page.raw).toEqual({ items: page.items, nextCursor: "S-2" });
    expect(sent.map(({ query }) => query)).toEqual([{ limit: "2" }]);
  });

  it("continues after empty pages and ends only with null", async () => {
    const pages = [[item(1)], [], [], [item(2)], [], [], []];
    const { client, sent } = stubClient((_, index) =>
      json({ items: pages[index], nextCursor: index < 4 ? `c${index}` : null }),
    );
    expect(await client.stores.list().take(9)).toHaveLength(2);
    // the last page is empty: it is read again between two reads of the store of its cursor (gap stores.unknown-cursor)
    expect(sent).toHaveLength(8);
    for (const at of [5, 7]) expect(sent[at]?.url).toContain("/v1/stores/c3");
  });
});

/** Returns the JSON of an object after that of other values of its properties. */
function twice(object: object, before: object): string {
  return `${JSON.stringify(before).slice(0, -1)} , ${JSON.stringify(object).slice(1)}`;
}

describe("a page with status 200 that is not a whole one", () => {
  const page = { externalId: "S-1", items: [], photos: [], nextCursor: null };

  it.each<[string, object | string, number, string]>([
    ["with a part of the list", page, 206, "206 is not a status of the contract"],
    ["with a difference", page, 226, "226 is not a status of the contract"],
    ["with several statuses", page, 207, "207 is not a status of the contract"],
    ["with items and photos twice", twice(page, { items: [1], photos: [1] }), 200, "` twice"],
    ["with a cursor before null", twice(page, { nextCursor: "S-1" }), 200, "`nextCursor` twice"],
    ["with an escaped name", twice({ note: '"nextCursor"', ...page }, { nextCursor: "S" }), 200, "` twice"],
    [
      "with a letter as an escape sequence",
      twice(page, { nextCursor: "S-1" }).replace("next", "\\u006eext"),
      200,
      "`nextCursor` twice",
    ],
  ])("is not an empty list: %s", async (_, body, status, message) => {
    const { client } = stubClient(() =>
      typeof body === "string" ? new Response(body, { status }) : json(body, { status }),
    );
    for (const list of [
      client.stores.list(),
      client.protocols.list("S-1", range),
      client.photos.list("S-1", range),
    ])
      await expect(list.toArray()).rejects.toThrow(message);
  });

  it("may say that there is no error", async () => {
    const none = { success: true, error: null, errors: [] };
    const { client } = stubClient(() => json({ ...page, ...none, error: "" }));
    expect(await client.stores.list().toArray()).toEqual([]);
  });

  it("may contain the names of its properties elsewhere", async () => {
    const items = [{ externalId: 'a "nextCursor" : \\', nextCursor: 1, items: ["items"] }];
    const { client } = stubClient(() => json({ items, note: '"items":', nextCursor: null }));
    expect(await client.stores.list().toArray()).toEqual(items);
  });

  it("may have many properties", async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, index]));
    const { client } = stubClient(() => json({ ...many, ...page }));
    expect(await client.stores.list().toArray()).toEqual([]);
    const repeating = stubClient(() => new Response(twice({ ...many, ...page }, { p7: 1 })));
    await expect(repeating.client.stores.list().toArray()).rejects.toThrow("`p7` twice");
  });
});

describe("pages that are fetched ahead", () => {
  it("pages fetched ahead are returned in order, never more than requested", async () => {
    const { client, sent } = stubClient(pagesOf(12));
    const counts: number[] = [];
    const seen: (string | null)[] = [];
    for await (const page of client.stores.list().pages({ prefetch: 2 })) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      counts.push(sent.length);
      seen.push(...ids(page.items));
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, at) => `S-${at + 1}`));
    expect(counts).toEqual([3, 4, 5, 6, 6, 6]);
  });

  it("pages fetched ahead are not more than exist", async () => {
    const { client, sent } = stubClient(pagesOf(12));
    const seen = [];
    for await (const page of client.stores.list().pages({ prefetch: 1_000_000_000 })) seen.push(page);
    expect([seen.length, sent.length]).toEqual([6, 6]);
  });

  it("fail in their turn", async () => {
    const { client } = stubClient((sentNow, index) =>
      index === 2 ? json({}, { status: 404 }) : pagesOf(99)(sentNow, index),
    );
    const seen: number[] = [];
    const walk = async (): Promise<void> => {
      for await (const page of client.stores.list().pages({ prefetch: 5 })) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        seen.push(page.items.length);
      }
    };
    await expect(walk()).rejects.toMatchObject({ status: 404 });
    expect(seen).toEqual([2, 2]);
  });
});

it("an entity may have properties with these names", async () => {
  const own = { storeId: "1", images: [], success: false, errors: ["blurred"], error: "blurred" };
  const { client } = stubClient(() => json(own));
  expect(await client.stores.get("S-1")).toEqual(own);
  expect(await client.protocols.get("S-1", "p-1")).toEqual(own);
});

it("an entity or an open object with an error and status 200 is an UnexpectedResponseError", async () => {
  const { client } = stubClient(() => json({ error: { code: "validation_failed", message: "no" } }));
  const calls = [
    () => client.stores.get("S-1"),
    () => client.stores.upsert("S-1", { name: "a" }),
    () => client.contacts.replace("S-1", []),
    () => client.fillRates.forStore("S-1", range),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow("200 with an error in its body");
});
