import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { stubClient } from "../store/stub-client.ts";

const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/**
 * Walks over pages such as `ab>1 cd`, which the server returns in turn: a letter for each item, and the cursor of each page
 * but the last. Returns the letters that were delivered.
 */
async function walk(pages: string, idProperty: "id" | "text"): Promise<string> {
  const { client, sent } = stubClient(
    (_, at) => {
      const [items = "", nextCursor = null] = pages.split(" ")[at]?.split(">") ?? [];
      return json({ items: Array.from(items, (letter) => ({ [idProperty]: letter })), nextCursor });
    },
    { strategies: { "protocols.next-page": "cursor" } },
  );
  const items = await client.protocols.list("S", range).toArray();
  expect(sent).toHaveLength(pages.split(" ").length);
  return items.map((item) => String((item as Record<string, unknown>)[idProperty])).join("");
}

const firstAgain = "the server returned the first page again: it seems to ignore the cursor";
const uncertain =
  "the items have no ID and differ between two reads, so it is not certain that the server uses the cursor: give `identify`";

describe("the second page of protocols", () => {
  it.each([
    ["has other items", "id", "ab>1 cd", "abcd"],
    ["follows an empty page", "id", ">1 ab", "ab"],
    ["is empty", "id", "ab>1 >2 cd", "abcd"],
    ["overlaps the first page, which has not changed", "id", "ab>1 bc>2 ab>1 d", "abcd"],
    ["overlaps the first page, which has other items now", "id", "ab>1 bc>2 xy>9 d", "abcd"],
    ["differs, and the first page has not changed", "text", "ab>1 cd>2 ab>9 ef", "abcdef"],
  ] as const)("is delivered if it %s (%s)", async (_, idProperty, pages, delivered) => {
    expect(await walk(pages, idProperty)).toBe(delivered);
  });

  it.each([
    ["is the first page again", "id", "ab>1 ab>1", firstAgain],
    ["is the first page again, which has a new item", "id", "ab>1 xa>1 xa>1", firstAgain],
    ["is the first page again, which has a new item at each read", "id", "ab>1 xa>1 yx>1", firstAgain],
    ["is the first page again", "text", "ab>1 ab>1 ab>1", firstAgain],
    ["differs, and the first page differs between two reads", "text", "ab>1 cd>1 ef>1", uncertain],
  ] as const)("ends the walk with an error if it %s (%s)", async (_, idProperty, pages, reason) => {
    await expect(walk(pages, idProperty)).rejects.toThrow(reason);
  });
});
