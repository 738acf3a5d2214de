import { describe, expect, it } from "vitest";
import { type Answer, json } from "../core/stub-fetch.ts";
import { range, stubClient } from "./stub-client.ts";

const deep = "[".repeat(100_000) + "]".repeat(100_000);

async function failureOf(walk: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of walk);
  } catch (error) {
    return error;
  }
  throw new Error("the walk came to its end");
}

describe("a PaginationError of a walk by cursor says why", () => {
  it.each<[string, Answer]>([
    [
      "the server gave a cursor that it gave before: the walk would not end",
      (_, index) => json({ items: [{ externalId: index }], nextCursor: "c" }),
    ],
    [
      "the server answered the page before once more: it seems to ignore the cursor",
      (_, index) => json({ items: [{ externalId: 1 }], nextCursor: `c${index}` }),
    ],
    ["1000 empty pages in a row", (_, index) => json({ items: [], nextCursor: `c${index}` })],
    [
      "an item is nested deeper than can be compared with others",
      () => new Response(`{"items":[${deep}],"nextCursor":null}`),
    ],
  ])("%s", async (reason, answer) => {
    const { client } = stubClient(answer);
    expect(await failureOf(client.stores.list())).toMatchObject({
      name: "PaginationError",
      reason,
      message: `GET /v1/stores: ${reason}`,
    });
  });

  it("and where to begin again", async () => {
    const { client } = stubClient((_, index) =>
      json({ items: [{ externalId: index }], nextCursor: index < 2 ? `c${index}` : "c0" }),
    );
    expect(await failureOf(client.stores.list())).toMatchObject({ lastCursor: "c1", lastPage: undefined });
  });
});

describe("a PaginationError of the protocol list says why", () => {
  const doing = "GET /v1/stores/{externalId}/protocols";
  const more: Answer = (_, index) => json({ items: [{ id: "P" }], nextCursor: `c${index}` });

  it("where one page was wanted", async () => {
    const { client } = stubClient(more, { strategies: { "protocols.next-page": "single" } });
    expect(await failureOf(client.protocols.list("S", range))).toMatchObject({
      message: `${doing}: there are more protocols than one page holds (strategy "single")`,
    });
  });

  it("where the cursor is ignored", async () => {
    const { client } = stubClient(more, { strategies: { "protocols.next-page": "cursor" } });
    expect(await failureOf(client.protocols.list("S", range))).toMatchObject({
      message: `${doing}: the server answered the page before once more: it seems to ignore the cursor`,
    });
  });

  it("where the cursor is ignored after the first page was put aside", async () => {
    const { client } = stubClient(more, { strategies: { "protocols.next-page": "cursor" } });
    const { resume } = await client.protocols.list("S", range);
    expect(await failureOf(client.protocols.list("S", { ...range, resume: resume ?? "" }))).toMatchObject({
      message: `${doing}: the server answered the first page once more: it seems to ignore the cursor`,
    });
  });

  it("where one instant holds more than a page", async () => {
    const { client } = stubClient(more);
    const instant = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-01T00:00:00.001Z" };
    expect(await failureOf(client.protocols.list("S", instant))).toMatchObject({
      message:
        `${doing}: more protocols at one instant (2026-01-01T00:00:00.000Z to 2026-01-01T00:00:00.001Z) ` +
        "than a page holds: they cannot be told apart by time",
    });
  });

  it("where a page has no list", async () => {
    const { client } = stubClient(() => json({ protocols: [] }));
    await expect(client.protocols.list("S", range)).rejects.toThrow(
      `${doing}: 200 without an array \`items\` and a \`nextCursor\` that is a string or null; the answer has \`protocols\``,
    );
  });
});

describe("a resume token of the protocol list", () => {
  const window = { at: "window", ranges: [["a", "b"]], seen: [1], edge: [2] };
  const second = { at: "second", cursor: "c", seen: [1] };

  it.each([
    { at: "start" },
    { at: "other", cursor: "c" },
    { cursor: "c" },
    { ...second, at: "other" },
    { ...window, at: "other" },
    { at: "cursor" },
    { at: "cursor", cursor: 5 },
    { ...second, cursor: 5 },
    { ...second, seen: undefined },
    { ...second, seen: ["1"] },
    { ...second, seen: [1, null] },
    { ...window, ranges: [] },
    { ...window, ranges: 5 },
    { ...window, ranges: ["ab"] },
    { ...window, ranges: [["a"]] },
    { ...window, ranges: [["a", "b", "c"]] },
    { ...window, ranges: [["a", 5]] },
    { ...window, ranges: [["a", "b"], []] },
    { ...window, seen: ["1"] },
    { ...window, edge: undefined },
    { ...window, edge: ["2"] },
  ])("is refused where it is %j", async (state) => {
    const { client, sent } = stubClient();
    const list = client.protocols.list("S", { ...range, resume: JSON.stringify(state) });
    await expect(list).rejects.toMatchObject({
      name: "InvalidRequestError",
      issues: [{ path: "resume", message: "is not the `resume` of a page of this list" }],
    });
    expect(sent).toEqual([]);
  });

  it("leads to the range that it names", async () => {
    const { client, sent } = stubClient();
    const [from, to] = ["2026-01-01T06:00:00Z", "2026-01-01T07:00:00Z"];
    const resume = JSON.stringify({ ...window, ranges: [[from, to]], seen: [], edge: [] });
    await client.protocols.list("S", { ...range, resume }).toArray({ limit: 9 });
    expect(sent.map(({ query }) => query)).toEqual([{ from, to }]);
  });

  it("leads to the cursor that it names", async () => {
    const { client, sent } = stubClient();
    const resume = '{"at":"cursor","cursor":"c7"}';
    await client.protocols.list("S", { ...range, resume, extra: { a: "b" } }).toArray({ limit: 9 });
    expect(sent.map(({ query }) => query)).toEqual([{ ...range, a: "b", cursor: "c7" }]);
  });
});

describe("photos without a list", () => {
  it("tell which reading to choose", async () => {
    const { client } = stubClient(() => json({ photos: [], nextCursor: null }));
    const page = await client.photos.list("S", range);
    expect(() => page.items).toThrow(/ the answer has `photos`, `nextCursor`.*"photos.page-shape"/);
    expect(Object.keys(page)).toEqual(["raw"]);
  });
});
