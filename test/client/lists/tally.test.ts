// The decisions of a walk by page numbers, over plain data.
import { describe, expect, it } from "vitest";
import type { RawNumberedPage } from "../../../src/client/lists/numbered-page.ts";
import {
  type Balance,
  compareTotals,
  isSafePlace,
  isShortPage,
  judgeBalance,
  lacksItems,
  Tally,
} from "../../../src/client/lists/tally.ts";

/** A page with the items from the first to the last number; `total` items on `pages` pages. */
function page(number: number, [first, last]: [number, number], total: number, pages: number) {
  const items = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const pagination = {
    currentPage: number,
    totalPages: pages,
    totalCount: total,
    hasNextPage: number < pages,
    hasPreviousPage: number > 1,
  };
  return { number, items, pagination, page: undefined as never, meta: {} } satisfies RawNumberedPage;
}

describe("the totals of two consecutive responses", () => {
  const before = { totalCount: 9, totalPages: 3 };
  const count = (after: number) => ({ kind: "totalCount", page: 2, before: 9, after });
  const pages = (after: number) => ({ kind: "totalPages", page: 2, before: 3, after });

  it.each<[string, number, number, object[]]>([
    ["are the same", 9, 3, []],
    ["are less", 6, 2, [count(6), pages(2)]],
    ["are more", 10, 4, [count(10), pages(4)]],
    ["are less on as many pages", 8, 3, [count(8)]],
    ["are the same on more pages", 9, 5, [pages(5)]],
  ])("%s: each difference is a change", (_, total, totalPages, changes) => {
    expect(compareTotals(before, page(2, [4, 6], total, totalPages))).toEqual(changes);
  });

  it("say how many items were created and deleted; the first response and another page size say nothing", () => {
    const tally = new Tally(undefined);
    for (const total of [9, 12, 8, 8]) tally.compare(page(1, [1, 3], total, 3));
    tally.beginPass(true);
    expect(tally.compare(page(1, [1, 2], 20, 10))).toEqual([]);
    tally.beginPass(false);
    expect(tally.compare(page(1, [1, 2], 19, 10))).toHaveLength(1);
    expect([tally.created, tally.deleted]).toEqual([3, 5]);
  });

  it("are those of the token for the first response of a walk that continues", () => {
    const tally = new Tally({ ...before, size: 3 });
    expect(tally.compare(page(2, [4, 6], 8, 3))).toEqual([count(8)]);
    expect([tally.deleted, tally.longest]).toEqual([1, 3]);
  });

  it("are not blamed for items that came again: at most as many as were created", () => {
    const tally = new Tally(undefined);
    for (const total of [6, 8]) tally.compare(page(1, [1, 3], total, 3));
    tally.add(page(2, [3, 5], 8, 3), 1);
    expect(tally.unseen).toBe(1);
    tally.add(page(3, [3, 5], 8, 3), 3);
    expect(tally.unseen).toBe(2);
  });
});

describe("a page", () => {
  it.each<[string, RawNumberedPage, boolean, boolean]>([
    ["that is full", page(2, [4, 6], 9, 3), false, false],
    ["with fewer items than another one", page(2, [4, 5], 9, 3), true, true],
    ["that is the last one and has what is left", page(3, [7, 8], 8, 3), false, false],
    ["that is the last one and has less", page(3, [7, 7], 8, 3), true, true],
    ["that is the last one and leaves more than a page", page(2, [4, 6], 9, 2), false, true],
    ["behind the end", page(4, [1, 0], 9, 3), false, false],
  ])("%s is short, or lacks items", (_, raw, isShort, lacks) => {
    expect([isShortPage(raw, 3), lacksItems(raw, 3)]).toEqual([isShort, lacks]);
  });

  it.each<[string, RawNumberedPage | undefined, number, boolean]>([
    ["the first one of the list", page(1, [9, 9], 9, 3), 1, true],
    ["the first one of the list, before the beginning of the walk", page(1, [9, 9], 9, 3), 2, false],
    ["one that begins with a known item", page(3, [2, 9], 9, 3), 1, true],
    ["one that begins with a new item", page(3, [7, 9], 9, 3), 1, false],
    ["one without items", page(3, [1, 0], 9, 3), 1, false],
    ["one that does not exist", undefined, 1, false],
  ])("after a change a walk continues with %s, or goes back", (_, raw, start, isSafe) => {
    expect(isSafePlace(raw, start, (item) => Number(item) < 5)).toBe(isSafe);
  });
});

describe("a walk at its last page", () => {
  const balance: Balance = {
    delivered: 9,
    total: 9,
    unseen: 0,
    deleted: 0,
    hasShortPage: false,
    isGrowing: true,
    canRepeat: true,
  };

  it.each<[ReturnType<typeof judgeBalance>, string, Partial<Balance>]>([
    ["done", "has as many items as the total", {}],
    ["repeat", "has fewer", { delivered: 8 }],
    ["fail", "has fewer, and a further pass would find nothing", { delivered: 8, canRepeat: false }],
    ["done", "has fewer, because an item was created on a page that was read", { delivered: 8, unseen: 1 }],
    ["done", "has more, because an item was deleted", { delivered: 10, deleted: 1 }],
    ["look", "has more, although none was deleted", { delivered: 10 }],
    ["done", "has more, and the last page had nothing new", { delivered: 10, isGrowing: false }],
    ["done", "has as many after a deletion, and no page was short", { deleted: 1 }],
    ["repeat", "has as many after a deletion, and a page was short", { deleted: 1, hasShortPage: true }],
    [
      "done",
      "has one more after a deletion, and a page was short",
      { delivered: 10, deleted: 1, hasShortPage: true },
    ],
  ])("%s: %s", (verdict, _, change) => {
    expect(judgeBalance({ ...balance, ...change })).toBe(verdict);
  });
});
