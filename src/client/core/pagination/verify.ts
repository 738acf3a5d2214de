import { PaginationError } from "../errors/response-errors.ts";
import { KeySet } from "./key-set.ts";
import type { ListCall } from "./list-call.ts";

/** The most passes over a list that changes. */
export const maxPasses = 5;

/** A page of a pass, which can be delivered without some of its items. */
export interface VerifiedPage<P> {
  /** One hash for each item. */
  keys: readonly number[];
  build(isNew: readonly boolean[], resume: string | null): P;
}

/** All pages of one pass. */
export interface VerifiedPass<P> {
  pages: readonly VerifiedPage<P>[];
  /** No change was noticed during the pass. */
  isSteady: boolean;
}

/**
 * Reads a list until two consecutive passes have the same items, and then delivers the pages of the last pass. Items
 * that were delivered before a resume are left out. Memory holds the pages of one pass and one hash for each item.
 */
export async function* verifyPasses<P>(
  { label, options }: Pick<ListCall, "label" | "options">,
  readPass: () => Promise<VerifiedPass<P>>,
  delivered: KeySet,
  writeResume: (delivered: KeySet) => string,
): AsyncGenerator<P, void, void> {
  const pages = await readSteadyPass(label, readPass);
  const known = KeySet.empty();
  const candidates = pages.map((page) => ({
    page,
    isNew: page.keys.map((key) => known.add(key) && !delivered.has(key)),
  }));
  const last = candidates.at(-1);
  const remaining = candidates.filter((candidate) => candidate === last || candidate.isNew.includes(true));
  for (const { page, isNew } of remaining) {
    for (const key of page.keys) delivered.add(key);
    yield page.build(isNew, page === last?.page ? null : writeResume(delivered));
    options?.signal?.throwIfAborted();
  }
}

async function readSteadyPass<P>(
  label: string,
  readPass: () => Promise<VerifiedPass<P>>,
): Promise<readonly VerifiedPage<P>[]> {
  let before: string | undefined;
  for (let passes = 1; passes <= maxPasses; passes++) {
    const { pages, isSteady } = await readPass();
    const content = pages
      .flatMap(({ keys }) => keys)
      .toSorted((a, b) => a - b)
      .join();
    if (isSteady && content === before) return pages;
    before = isSteady ? content : undefined;
  }
  throw new PaginationError(label, `the list changed during ${maxPasses} passes (\`verify\`)`, {});
}
