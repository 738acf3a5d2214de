import { PaginationError } from "../errors/errors.ts";
import type { Drift } from "../options/drift.ts";
import { type PageSource, type PageWalk, walkPages } from "./walk.ts";

const mostPasses = 5;

/** A walk that keeps one hash for each item of its pages. */
export interface KeyedWalk<P> extends PageWalk<P> {
  readonly keys: readonly number[];
}

/**
 * Repeats a walk until two passes in a row agree on their items, and then delivers the pages of the last pass. Memory
 * holds the pages of one pass and one hash for each item of two.
 */
export function verifiedWalk<P extends { drift: readonly Drift[] }>(
  source: Omit<PageSource<P>, "begin"> & { begin(ahead: number): KeyedWalk<P> },
  ahead: number,
): PageWalk<P> {
  let pages: Promise<P[]> | undefined;
  let left = 1; // more than the first page is known after the passes
  let at = 0;
  return {
    ask() {
      if (left === 0) return undefined;
      left -= 1;
      pages ??= readTwice(source, ahead);
      const index = at;
      at += 1;
      return pages.then((read) => {
        if (index === 0) left = read.length - 1;
        return read[index] as P; // no more were asked for than there are
      });
    },
  };
}

async function readTwice<P extends { drift: readonly Drift[] }>(
  source: Omit<PageSource<P>, "begin"> & { begin(ahead: number): KeyedWalk<P> },
  ahead: number,
): Promise<P[]> {
  let before: string | undefined;
  for (let pass = 1; pass <= mostPasses; pass++) {
    const walk = source.begin(ahead);
    const pages: P[] = [];
    for await (const page of walkPages({ ...source, begin: () => walk }, ahead)) pages.push(page);
    const content = walk.keys.toSorted((one, other) => one - other).join();
    const isSteady = pages.every(({ drift }) => drift.length === 0);
    if (isSteady && content === before) return pages;
    before = isSteady ? content : undefined;
  }
  throw new PaginationError(source.label, `the list changed during ${mostPasses} passes (\`verify\`)`, {});
}
