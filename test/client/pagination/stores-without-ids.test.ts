import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { stubClient } from "../store/stub-client.ts";

/** A page: stores and its cursor. A capital letter is an external ID; other letters are names of stores without external ID. */
type Page = readonly [stores: string, nextCursor: string | null];

function storeOf(letter: string): object {
  const isId = letter === letter.toUpperCase();
  return isId ? { externalId: letter, name: "x" } : { externalId: null, name: letter };
}

/** Walks over the pages, which the server returns in turn; returns the letters that were delivered. */
async function walk(...pages: readonly Page[]): Promise<string> {
  const { client, sent } = stubClient((_, at) => {
    const [stores, nextCursor] = pages[at] as Page;
    return json({ items: Array.from(stores, storeOf), nextCursor });
  });
  const stores = await client.stores.list().toArray();
  expect(sent).toHaveLength(pages.length);
  return stores.map(({ externalId, name }) => externalId ?? name).join("");
}

// gaps stores.cursor-start, stores.null-cursor
describe("stores that a service returns without `storeId`", () => {
  it.each<[string, string, ...Page[]]>([
    ["starts after the cursor", "ABCD", ["AB", "B"], ["CD", null]],
    ["starts at the cursor", "ABCD", ["ABC", "C"], ["CD", null]],
    ["starts at the cursor, which is the first store of its page", "AbC", ["Ab", "A"], ["AbC", null]],
    ["starts after the last store with an external ID", "ABcD", ["ABc", "B"], ["cD", null]],
    [
      "repeats stores without external ID after a cursor that names no store",
      "AbCdE",
      ["AbCd", "z"],
      ["bdE", null],
    ],
  ])("are delivered once if the next page %s", async (_, delivered, ...pages) => {
    expect(await walk(...pages)).toBe(delivered);
  });
});
