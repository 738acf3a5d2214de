import type { CursorPage, NumberedPage } from "shelfleet";
import { argumentsOf, type Draft, pathNames } from "../call-arguments.ts";
import type { Operation } from "../operations.ts";
import { runCall } from "../run.ts";

export type Page = CursorPage<unknown> | NumberedPage<unknown>;

/** A list that was begun: what it was asked for and the pages that came. */
export interface Walk {
  args: unknown[];
  pages: Page[];
  isWalking: boolean;
}

/** A list as both clients give it. */
interface Pages {
  pages: () => AsyncIterable<Page>;
}

/** The arguments of a list that continues after a page. */
export function resumedArguments(operation: Operation, draft: Draft, resume: string): unknown[] {
  const [query, ...ids] = argumentsOf(operation, draft).toReversed();
  const hasQuery = typeof query === "object" && query !== null;
  const count = pathNames(operation).length;
  return hasQuery
    ? [...ids.toReversed(), { ...query, resume }]
    : [...[...ids, query].slice(0, count), { resume }];
}

/** Walks over so many pages, or all, and shows each as it comes. */
export async function walk(
  operation: Operation,
  args: unknown[],
  most: number,
  show: (pages: Page[]) => void,
): Promise<void> {
  const pages: Page[] = [];
  await runCall(operation, args, async (list) => {
    for await (const page of (list as Pages).pages()) {
      pages.push(page);
      show([...pages]);
      if (pages.length >= most) break;
    }
    return pages.map((page) => ({ items: page.items.length, resume: page.resume }));
  });
}
