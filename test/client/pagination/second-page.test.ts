import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { stubClient } from "../store/stub-client.ts";

const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** A page: a letter for each item, and its cursor. */
type Page = readonly [items: string, nextCursor: string | null];

/** Walks over the pages, which the server returns in turn; returns the letters that were delivered. */
async function walk(pages: readonly Page[], idProperty: "id" | "text"): Promise<string> {
  const { client, sent } = stubClient(
    (_, at) => {
      const [items, nextCursor] = pages[at] as Page;
      return json({ items: Array.from(items, (letter) => ({ [idProperty]: letter })), nextCursor });
    },
    { strategies: { "protocols.next-page": "cursor" } },
  );
  const items = await client.protocols.list("S", range).toArray();
  expect(sent).toHaveLength(pages.length);
  return items.map((item) => String((item as Record<string, unknown>)[idProperty])).join("");
}

describe("the second page of protocols with IDs", () => {
  it.each<[string, Page[], string]>([
    [
      "has other items",
      [
        ["ab", "1"],
        ["cd", null],
      ],
      "abcd",
    ],
    [
      "follows an empty page",
      [
        ["", "1"],
        ["ab", null],
      ],
      "ab",
    ],
    [
      "is empty",
      [
        ["ab", "1"],
        ["", "2"],
        ["cd", null],
      ],
      "abcd",
    ],
    [
      "overlaps the first page, which has not changed",
      [
        ["ab", "1"],
        ["bc", "2"],
        ["ab", "1"],
        ["d", null],
      ],
      "abcd",
    ],
    [
      "overlaps the first page, which has other items now",
      [
        ["ab", "1"],
        ["bc", "2"],
        ["xy", "9"],
        ["d", null],
      ],
      "abcd",
    ],
  ])("is delivered if it %s", async (_, pages, delivered) => {
    expect(await walk(pages, "id")).toBe(delivered);
  });

  it.each<[string, Page[]]>([
    [
      "is the first page again",
      [
        ["ab", "1"],
        ["ab", "1"],
      ],
    ],
    [
      "is the first page again, which has a new item",
      [
        ["ab", "1"],
        ["xa", "1"],
        ["xa", "1"],
      ],
    ],
    [
      "is the first page again, which has a new item at each read",
      [
        ["ab", "1"],
        ["xa", "1"],
        ["yx", "1"],
      ],
    ],
  ])("ends the walk with an error if it %s", async (_, pages) => {
    await expect(walk(pages, "id")).rejects.toThrow(
      "the server returned the first page again: it seems to ignore the cursor",
    );
  });
});

describe("the second page of protocols without IDs", () => {
  it.each<[string, Page[], string]>([
    [
      "differs, and the first page has not changed",
      [
        ["ab", "1"],
        ["cd", "2"],
        ["ab", "9"],
        ["ef", null],
      ],
      "abcdef",
    ],
  ])("is delivered if it %s", async (_, pages, delivered) => {
    expect(await walk(pages, "text")).toBe(delivered);
  });

  it("ends the walk with an error if it is the first page again", async () => {
    await expect(
      walk(
        [
          ["ab", "1"],
          ["ab", "1"],
          ["ab", "1"],
        ],
        "text",
      ),
    ).rejects.toThrow("the server returned the first page again: it seems to ignore the cursor");
  });

  it("ends the walk with an error if the first page differs between two reads", async () => {
    await expect(
      walk(
        [
          ["ab", "1"],
          ["cd", "1"],
          ["ef", "1"],
        ],
        "text",
      ),
    ).rejects.toThrow(
      "the items have no ID and differ between two reads, so it is not certain that the server uses the cursor: give `identify`",
    );
  });
});
