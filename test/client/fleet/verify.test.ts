import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { requestedPage, stubClient } from "./stub-client.ts";

/** A list of two pages that has other items at each read, and optionally another count on the second page. */
async function walk(passes: readonly { items: string; secondCount?: number }[]) {
  const { client, sent } = stubClient((request, at) => {
    const { items, secondCount = 4 } = passes[Math.floor(at / 2)] ?? { items: "abcd" };
    const currentPage = requestedPage(request);
    const letters = currentPage === 1 ? items.slice(0, 2) : items.slice(2);
    const totalCount = currentPage === 1 ? 4 : secondCount;
    const pagination = { currentPage, totalPages: 2, totalCount, hasNextPage: currentPage === 1 };
    return json({ data: Array.from(letters, (id) => ({ id })), meta: { pagination } });
  });
  const found = client.vehicles
    .list({ verify: true })
    .toArray()
    .then((items) => items.map(({ id }) => id).join(""))
    .catch((error: unknown) => String(error));
  return { found: await found, passes: sent.length / 2 };
}

describe("a verified list", () => {
  it("is delivered after two passes with the same items, in any order", async () => {
    expect(await walk([{ items: "abcd" }, { items: "dcba" }])).toEqual({ found: "dcba", passes: 2 });
  });

  it("is read again until two passes in a row are the same", async () => {
    const passes = [{ items: "abcd" }, { items: "abce" }, { items: "abcd" }, { items: "abcd" }];
    expect(await walk(passes)).toEqual({ found: "abcd", passes: 4 });
  });

  it("does not count a pass during which the list changed", async () => {
    const passes = [
      { items: "abcd" },
      { items: "abcd", secondCount: 5 },
      { items: "abcd" },
      { items: "abcd" },
    ];
    expect(await walk(passes)).toEqual({ found: "abcd", passes: 4 });
  });

  it("ends with an error after five passes", async () => {
    const passes = ["abcd", "abce", "abcf", "abcg", "abch", "abch"].map((items) => ({ items }));
    expect(await walk(passes)).toEqual({
      found: "PaginationError: GET /vehicles: the list changed during 5 passes (`verify`)",
      passes: 5,
    });
  });

  it("may be steady in the last of five passes", async () => {
    const passes = ["abcd", "abce", "abcf", "abcg", "abcg"].map((items) => ({ items }));
    expect(await walk(passes)).toEqual({ found: "abcg", passes: 5 });
  });
});
