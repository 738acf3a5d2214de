import { PaginationError } from "../errors/errors.ts";
import type { Drift } from "../options/drift.ts";
import { pageReader, type PageReader, type PageWalk } from "./walk.ts";

const mostPasses = 5;

/** A walk that keeps one hash for each item of its pages. */
interface KeyedWalk<R, P> extends PageWalk<R, P> {
  readonly keys: readonly number[];
}

/**
 * Repeats a walk until two passes in a row agree on their items, and then yields the pages of the last pass. Memory
 * holds the pages of one pass and one hash for each item of two.
 */
export function verifiedReader<R, P extends { drift: readonly Drift[] }>(
  label: string,
  begin: () => KeyedWalk<R, P>,
  signal: AbortSignal | undefined,
): PageReader<P> {
  const readOnce = async (ahead: number): Promise<{ pages: P[]; content: string }> => {
    let keys: readonly number[] = [];
    const reader = pageReader(() => {
      const walk = begin();
      ({ keys } = walk);
      return walk;
    }, signal);
    const pages: P[] = [];
    for await (const page of reader.pages(ahead)) pages.push(page);
    return { pages, content: keys.toSorted((one, other) => one - other).join() };
  };
  const readTwice = async (ahead: number): Promise<P[]> => {
    let before: string | undefined;
    for (let pass = 1; pass <= mostPasses; pass++) {
      const { pages, content } = await readOnce(ahead);
      const isSteady = pages.every(({ drift }) => drift.length === 0);
      if (isSteady && content === before) return pages;
      before = isSteady ? content : undefined;
    }
    throw new PaginationError(label, `the list changed during ${mostPasses} passes (\`verify\`)`, {});
  };
  return {
    first: async () => (await readTwice(0))[0] as P, // every list has a first page
    async *pages(ahead) {
      yield* await readTwice(ahead);
    },
  };
}
