import { PaginationError } from "../errors/errors.ts";
import type { Drift } from "../options/drift.ts";
import { type PageSource, type PageWalk, walkPages } from "./list.ts";

const maxPasses = 5;

/** A walk that keeps one hash for each item of its pages. */
export interface KeyedWalk<P> extends PageWalk<P> {
  readonly keys: readonly number[];
}

/**
 * Repeats a walk until two consecutive passes have the same items, and then delivers the pages of the last pass. Memory
 * holds the pages of one pass and one hash for each item of two.
 */
export function verifiedWalk<P extends { drift: readonly Drift[] }>(
  source: Omit<PageSource<P>, "begin"> & { begin(ahead: number): KeyedWalk<P> },
  ahead: number,
): PageWalk<P> {
  let pages: Promise<P[]> | undefined;
  let remaining = 1; // after the passes, more than the first page is known
  let at = 0;
  return {
    request() {
      if (remaining === 0) return undefined;
      remaining -= 1;
      pages ??= readTwice(source, ahead);
      const index = at;
      at += 1;
      return pages.then((read) => {
        if (index === 0) remaining = read.length - 1;
        return read[index] as P; // no more pages were requested than exist
      });
    },
  };
}

async function readTwice<P extends { drift: readonly Drift[] }>(
  source: Omit<PageSource<P>, "begin"> & { begin(ahead: number): KeyedWalk<P> },
  ahead: number,
): Promise<P[]> {
  let before: string | undefined;
  for (let pass = 1; pass <= maxPasses; pass++) {
    const walk = source.begin(ahead);
    const pages: P[] = [];
    for await (const page of walkPages({ ...source, begin: () => walk }, ahead)) pages.push(page);
    const content = walk.keys.toSorted((one, other) => one - other).join();
    const isSteady = pages.every(({ drift }) => drift.length === 0);
    if (isSteady && content === before) return pages;
    before = isSteady ? content : undefined;
  }
  throw new PaginationError(
    source.call.label,
    `the list changed during ${maxPasses} passes (\`verify\`)`,
    {},
  );
}
