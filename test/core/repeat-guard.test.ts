import { describe, expect, it, vi } from "vitest";
import { hash, RepeatGuard } from "../../src/core/repeat-guard.ts";

describe("a page that is compared with the one before", () => {
  const itemsOf = vi.fn<(text: string) => unknown[]>((text) => JSON.parse(text) as unknown[]);

  /** How often the page before was read again after such first items came one after another. */
  function readAgain(...firstItems: unknown[]): number {
    itemsOf.mockClear();
    const guard = new RepeatGuard("GET /a");
    for (const [at, item] of firstItems.entries()) {
      const items = [item, { at }];
      guard.accept(undefined, items, JSON.stringify(items), itemsOf);
    }
    return itemsOf.mock.calls.length;
  }

  it("is read in full only where their first items have the same letters", () => {
    expect(readAgain({ id: "a" }, { id: "b" }, { id: "c" })).toBe(0);
    expect(readAgain({ id: "aab" }, { id: "abb" }, { id: "bbb" })).toBe(0);
    expect(readAgain({ id: "ab" }, { id: "ba" })).toBe(1);
    expect(readAgain({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(1);
  });
});

it("a hash is a whole number of 53 bits, and no two of many like texts have the same", () => {
  const hashes = Array.from({ length: 200_000 }, (_, at) => hash(`cursor-${at}`));
  expect(hashes.every(Number.isSafeInteger)).toBe(true);
  expect(new Set(hashes).size).toBe(hashes.length);
});
