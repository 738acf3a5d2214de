import { describe, expect, it } from "vitest";
import type { CursorList, CursorPage, Photo } from "../../../src/client/store/index.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { json } from "../core/stub-fetch.ts";
import { range, store, stubClient, uuid } from "../store/stub-client.ts";

type Client = ReturnType<typeof stubClient>["client"];
type Open = (client: Client, resume?: string) => CursorList<unknown>;

/**
 * A server of four pages; each contains the last item of the page before it again, with other content. A page of stores
 * contains its own last item twice.
 */
function overlappingClient(idProperty: string) {
  let reads = 0;
  const row = (number: number) => {
    reads += 1; // other content
    return { [idProperty]: `I-${number}`, externalId: `S-${number}`, reads };
  };
  return stubClient(({ query }) => {
    const start = Number(query["cursor"]?.replace("S-", "") ?? 1);
    const last = row(start + 2);
    return json({
      items: [row(start), row(start + 1), last, ...(idProperty === "storeId" ? [last] : [])],
      nextCursor: start < 7 ? `S-${start + 2}` : null,
    });
  });
}

const lists: [string, string, Open][] = [
  ["stores", "storeId", (client, resume) => client.stores.list({ limit: 9, resume })],
  ["photos", "photoId", (client, resume) => client.photos.list("S-1", { ...range, resume })],
  ["photos", "id", (client, resume) => client.photos.list("S-1", { ...range, resume })],
  ["protocols", "protocolId", (client, resume) => client.protocols.list("S-1", { ...range, resume })],
  ["protocols", "id", (client, resume) => client.protocols.list("S-1", { ...range, resume })],
];
const expected = Array.from({ length: 9 }, (_, at) => `S-${at + 1}`);
const idsOf = (items: readonly unknown[]) => items.map((item) => (item as { externalId: string }).externalId);

describe.each(lists)("a server whose pages of %s with %s overlap", (_, idProperty, open) => {
  it("each item is delivered once", async () => {
    const { client } = overlappingClient(idProperty);
    expect(idsOf(await open(client).toArray())).toEqual(expected);
  });

  it("each item is delivered once if the walk is resumed after every page", async () => {
    const { client } = overlappingClient(idProperty);
    const items: unknown[] = [];
    let resume: string | null | undefined;
    while (resume !== null) {
      const page: CursorPage<unknown> = await open(client, resume);
      items.push(...page.items);
      resume = page.resume;
    }
    expect(idsOf(items)).toEqual(expected);
  });
});

it("a store of two pages is delivered once if their servers write its UUID in another letter case", async () => {
  const storeId = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
  const { client } = stubClient(({ query }) =>
    query["cursor"] === undefined
      ? json({ items: [{ ...store, storeId }], nextCursor: "S-1" })
      : json({
          items: [
            { ...store, storeId: storeId.toUpperCase() },
            { ...store, storeId: uuid },
          ],
          nextCursor: null,
        }),
  );
  const stores = await client.stores.list({ limit: 50 }).toArray();
  expect(stores.map((found) => found.storeId)).toEqual([storeId, uuid]);
});

describe("a server with integer IDs beyond 2^53, which JSON.parse cannot distinguish", () => {
  const pages = [
    '{"items":[{"id":1,"n":1},{"id":9007199254740992,"n":2}],"nextCursor":"c"}',
    '{"items":[{"id":9007199254740993,"n":3},{"id":4,"n":4}],"nextCursor":null}',
  ];
  const respond = ({ query }: { query: Record<string, string> }) =>
    new Response(query["cursor"] === undefined ? pages[0] : pages[1]);

  it.each(["photos", "protocols"] as const)("the walk over %s returns each item", async (name) => {
    const { client } = stubClient(respond);
    const items = await client[name].list("S-1", range).take(9);
    expect(items).toMatchObject([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });

  it("a pull returns each item", async () => {
    const { client } = stubClient(respond);
    const since = range.from;
    const run = async (state?: string) => {
      const items: Photo[] = [];
      let last = state;
      for await (const batch of client.photos.pull("S-1", { since, allowedLateness: 3_600_000, state })) {
        items.push(...batch.items);
        last = batch.state;
      }
      return { items, state: last };
    };
    const first = await run();
    expect(first.items).toMatchObject([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    expect((await run(first.state)).items).toEqual([]);
  });
});

describe("two equal items of one page, whose ID the contract does not document", () => {
  const same = { protocolId: "P-1", createdAt: range.from };
  const respond = () => json({ items: [same, same], nextCursor: null });
  it.each([
    ["are both delivered (gap protocols.equal-summaries)", {}, 2],
    ["are one with `identify`", { identify: ({ protocolId }: JsonObject) => String(protocolId) }, 1],
  ])("%s", async (_, options, count) => {
    const { client } = stubClient(respond);
    expect(await client.protocols.list("S-1", { ...range, ...options }).toArray()).toHaveLength(count);
  });
});

describe("a page without a cursor that has a store twice", () => {
  const [a, b, c] = ["a", "b", "c"].map((storeId) => ({ storeId, externalId: null }));
  it.each([
    ["as many entries as a full page", [a, a]],
    ["more entries than a full page", [a, b, a]],
  ])("is not the last page for certain: %s", async (_, items) => {
    const { client } = stubClient(({ query }) =>
      json({ items: query["limit"] === "2" ? items : [a, b, c], nextCursor: null }),
    );
    expect(await client.stores.list({ limit: 2 }).toArray()).toEqual([a, b, c]);
  });
});
