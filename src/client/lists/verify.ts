import type { ListSource } from "./page.ts";
import type { Walk } from "./walk.ts";

/** The number of passes after which a walk gives up. */
const maxPasses = 5;

/** A page, as far as passes are compared. */
export interface ComparedPage {
  readonly sent: readonly unknown[];
}

/**
 * Reads a list until two consecutive passes have the same items, and then delivers the pages of the last pass. Each second
 * pass has another page size, so that a loss at the edges of pages shows.
 */
export async function* verifyPasses<T, P extends ComparedPage>(
  walk: Walk<T>,
  pass: (source: ListSource<T>) => AsyncGenerator<P, void, void> | Promise<AsyncGenerator<P, void, void>>,
): AsyncGenerator<P, void, void> {
  const { source } = walk;
  let before: string | undefined;
  /** The size of the longest page, which may be less than the request asked for. */
  let longest = 0;
  for (let count = 0; count < maxPasses; count += 1) {
    // a little less than half: in 4000 random lists such pages lost other items than whole ones most often
    const other = longest > 1 ? Math.max(1, Math.floor(longest / 2) - 1) : 2;
    const query = count % 2 === 0 ? source.query : { ...source.query, limit: other };
    const pages: P[] = [];
    for await (const page of await pass({ ...source, query })) {
      pages.push(page);
      longest = Math.max(longest, page.sent.length);
    }
    const keys = JSON.stringify(pages.flatMap(({ sent }) => walk.keysOf(sent)).toSorted());
    if (keys === before) {
      // a verified walk cannot be continued: its other passes are gone
      for (const page of pages)
        yield Object.defineProperty(page, "resume", { value: null, enumerable: true });
      return;
    }
    before = keys;
  }
  throw walk.end(
    `${maxPasses} passes had different items (verify): the list changes too often, or pages of different sizes lose items`,
  );
}
