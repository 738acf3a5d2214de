// What a walk by cursors does with each response: which requests it sends, and how it ends.
import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/index.ts";
import { type Answer, notFound, serve, storeRow } from "../../sync/service.ts";

/** A page of stores; 0 is a store without external ID. */
const page = (ids: readonly number[], nextCursor: unknown, more: object = {}): Answer => [
  200,
  { items: ids.map((n) => storeRow(n, n === 0 ? { externalId: null } : {})), nextCursor, ...more },
];
const rowsOf = (answer: Answer) => (answer as [number, { items?: Store[] }])[1].items ?? [];
const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** A service that gives one answer after the other, and the requests that it gets. */
function answering(answers: readonly Answer[]) {
  const served = serve(() => answers[served.sent.length - 1] ?? notFound);
  const requests = () => served.sent.map(({ path, query }) => `${path}?${query}`);
  return { ...served, requests };
}

describe("a list of stores", () => {
  it.each<[string, Answer[], RegExp]>([
    [
      "the same cursor twice",
      [page([1], "a"), page([2], "a"), page([2], "a")],
      /an earlier cursor again: the walk would not end$/,
    ],
    [
      "an earlier cursor twice",
      [page([1], "a"), page([2], "b"), page([3], "a"), page([3], "a")],
      /an earlier cursor again/,
    ],
    [
      "earlier stores on two pages",
      [page([1], "a"), page([1], "b"), page([1], "b"), page([1], "c"), page([1], "c")],
      /: the server returned only earlier items/,
    ],
    [
      "empty pages",
      [page([1], "a"), ...Array.from({ length: 1000 }, (_, n) => page([], `b${n}`))],
      /: the server returned only earlier items, or none: the walk would not end$/,
    ],
    ["an empty cursor", [page([1], "a"), page([2], "")], /without `items` and `nextCursor`$/],
    ["a number as cursor", [page([1], "a"), page([2], 5)], /of the list: without `items` and `nextCursor`$/],
    ["no cursor", [page([1], "a"), page([2], undefined)], /without `items` and `nextCursor`$/],
    [
      "no array",
      [page([1], "a"), [200, { items: {}, nextCursor: null }]],
      /without `items` and `nextCursor`$/,
    ],
    [
      "a store that is gone",
      [page([1], "a"), page([], null), page([], null), notFound],
      /: the page is empty, and the store of/,
    ],
    [
      "two full pages",
      [page([1], "a"), page([2, 0], null), page([2, 0, ...Array(98).keys()], null)],
      /: a full page without a cursor may end with a store without external ID/,
    ],
  ])("ends with an error at %s, after the last page", async (_, answers, message) => {
    const { store, sent } = answering(answers);
    const delivered: unknown[] = [];
    const walk = async () => {
      for await (const { storeId } of store.stores.list({ limit: 2 }).items()) delivered.push(storeId);
    };
    await expect(walk()).rejects.toThrow(message);
    expect(delivered[0]).toBe(storeRow(1).storeId);
    expect(sent).toHaveLength(answers.length);
  });

  it("names the last page that was delivered when it ends", async () => {
    const { store } = answering([page([1], "a"), page([2], "b"), page([3], "b"), page([3], "b")]);
    await expect(store.stores.list().toArray()).rejects.toMatchObject({ lastCursor: "a" });
  });

  it("ends at the cursor of its own first page", async () => {
    const { store, sent } = answering([page([1], "a"), page([1], "a")]);
    await expect(store.stores.list({ cursor: "a" }).toArray()).rejects.toThrow("an earlier cursor again");
    expect(sent).toHaveLength(2);
  });

  const largest = [...Array(100).keys()].toReversed();

  it.each<[string, object, Answer[], string]>([
    [
      "an empty last page",
      {},
      [page([1], "a"), page([], null), page([], null), [200, storeRow(1)]],
      "? ?cursor=a ?cursor=a /a?",
    ],
    [
      "a page that is empty once",
      {},
      [page([1], "a"), page([], null), page([2], null)],
      "? ?cursor=a ?cursor=a",
    ],
    [
      "a cursor that comes again once",
      {},
      [page([1], "a"), page([2], "a"), page([2], "b"), page([3], null)],
      "? ?cursor=a ?cursor=a ?cursor=b",
    ],
    [
      "an earlier page that comes again once",
      {},
      [page([1], "a"), page([2], "b"), page([2], "b"), page([3], null)],
      "? ?cursor=a ?cursor=b ?cursor=b",
    ],
    ["the caller's cursor", { cursor: "a" }, [page([], null)], "?cursor=a"],
    ["an empty page", {}, [page([1], "a"), page([], "b"), page([2], null)], "? ?cursor=a ?cursor=b"],
    ["a cursor", { limit: 2 }, [page([1, 0], "a"), page([2], null)], "?limit=2 ?limit=2&cursor=a"],
    ["a short page", { limit: 3 }, [page([1, 0], null)], "?limit=3"],
    ["a full page", { limit: 2 }, [page([0, 1], null)], "?limit=2"],
    [
      "a full page that ends without external ID",
      { limit: 2 },
      [page([1, 2], "a"), page([3, 0], null), page([3, 0, 4], "b"), page([5], null)],
      "?limit=2 ?limit=2&cursor=a ?limit=100&cursor=a ?limit=2&cursor=b",
    ],
    [
      "the largest page that ends without external ID",
      { limit: 100 },
      [page(largest, null), page([99], "a"), page([100], null)],
      "?limit=100 ?limit=99 ?limit=100&cursor=a",
    ],
  ])("requests after %s only what it needs", async (_, query, answers, expected) => {
    const service = answering(answers);
    const found = await service.store.stores.list(query).toArray();
    const rows = new Map(answers.flatMap(rowsOf).map((row) => [row.storeId, row]));
    expect(found).toEqual([...rows.values()]);
    expect(service.requests().join(" ").replaceAll("/stores", "")).toBe(expected);
  });

  it("has no page without items if the second look has nothing new, and no token then", async () => {
    const { store } = answering([page([1, 0], null), page([1, 0], null)]);
    const pages = [];
    for await (const { items, resume } of store.stores.list({ limit: 2 }).pages())
      pages.push([items.length, resume]);
    expect(pages).toEqual([[2, null]]);
  });

  it("continues after a page that was read with another limit", async () => {
    const rest = [page([2, 0], null), page([2, 0, 3], "b"), page([4], null)];
    const { store, requests } = answering([page([1], "a"), ...rest, page([4], null)]);
    const list = store.stores.list({ limit: 2 });
    const tokens = [];
    for await (const { resume } of list.pages()) tokens.push(resume);
    const resumed = await store.stores.list({ limit: 2, resume: tokens[1] ?? "" }).toArray();
    expect(resumed.map(({ storeId }) => storeId)).toEqual([storeRow(4).storeId]);
    expect(requests().slice(4)).toEqual(requests().slice(3, 4));
  });

  it("fails as the request fails that looks for the store of a cursor", async () => {
    const gateway: Answer = [404, { message: "no route" }];
    const { store } = answering([page([1], "a"), page([], null), page([], null), gateway]);
    await expect(store.stores.list().toArray()).rejects.toThrow("404");
  });
});

describe("a list of photos", () => {
  const photos = (more: object): Answer => [200, { items: [{ photoId: "1" }], nextCursor: null, ...more }];
  const whole = '[{"photoId":"1"}]';

  it.each<[string, object, string]>([
    ["other photos", { photos: [{ id: 2 }] }, "is not a page of the list: with `photos`; the contract does"],
    ["an empty list of other photos", { photos: [] }, whole],
    ["another cursor", { cursor: "b" }, "is not a page of the list: with `cursor`; the contract does not"],
    ["the cursor of the request", { cursor: "a" }, whole],
    ["a cursor that is null", { cursor: null }, whole],
    ["another store", { externalId: "S-2" }, "the response is about another list"],
    ["the store in other letters", { externalId: "s-1 " }, whole],
    ["a store without external ID", { externalId: null }, whole],
  ])("whose response also has %s is read once, or an error", async (_, more, words) => {
    const { store, sent } = answering([photos(more)]);
    const list = store.photos.list("S-1", { ...range, limit: 1, cursor: "a" });
    expect(await list.toArray().then(JSON.stringify, String)).toContain(words);
    expect(sent).toHaveLength(1);
  });
});
