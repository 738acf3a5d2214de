import { describe, expect, it } from "vitest";
import { ItemIterator } from "../../../src/client/core/pagination/items.ts";

/** Pages that arrive one millisecond after they are requested. */
async function* pagesOf(...pages: number[][]): AsyncGenerator<{ items: number[] }, void, void> {
  for (const items of pages) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield { items };
  }
}

describe("the items of pages", () => {
  const pages = [[1, 2, 3], [], [4], [5, 6], [7, 8]];

  // regression: a walk queued for each item, which took three times as long
  it("are returned at once if their page was fetched, also after an item that waited for its page", async () => {
    const items = new ItemIterator(pagesOf([1, 2]));
    await items.next();
    let second: unknown;
    void items.next().then(({ value }) => {
      second = value;
    });
    await Promise.resolve();
    expect(second).toBe(2);
  });

  // each number of turns is a different moment between two pending calls
  it.each([0, 1, 2, 3, 4, 5, 6])(
    "are returned once and in order if they are requested %i turns after a call that waited",
    async (turns) => {
      const items = new ItemIterator(pagesOf(...pages));
      const requested: Promise<IteratorResult<number, undefined>>[] = [];
      while (requested.length < 10) {
        requested.push(items.next(), items.next());
        await requested.at(-2);
        for (let round = 0; round < turns; round++) await Promise.resolve();
        requested.push(items.next());
      }
      const values = (await Promise.all(requested)).map(({ value }) => value);
      const rest = Array.from({ length: values.length - 8 }, () => undefined);
      expect(values).toEqual([...pages.flat(), ...rest]);
    },
  );

  it.each([0, 1, 2, 3, 4, 5, 6])(
    "are returned to each call before the walk is left, %i turns after the last one",
    async (turns) => {
      const items = new ItemIterator(pagesOf(...pages));
      const before = [items.next(), items.next(), items.next(), items.next()];
      for (let round = 0; round < turns; round++) await Promise.resolve();
      const after = [items.return(), items.next(), items.next()];
      const values = (await Promise.all([...before, ...after])).map(({ value }) => value);
      expect(values).toEqual([1, 2, 3, 4, undefined, undefined, undefined]);
    },
  );

  it("are no longer returned after the walk was left, even before the first item", async () => {
    const done = { done: true, value: undefined };
    const left = new ItemIterator(pagesOf(...pages));
    expect(await left.return()).toEqual(done);
    expect(await left.next()).toEqual(done);
    const begun = new ItemIterator(pagesOf(...pages));
    await begun.next();
    expect(await Promise.all([begun.return(), begun.next()])).toEqual([done, done]);
  });
});
