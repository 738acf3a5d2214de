import { signal } from "@preact/signals";
import type { CursorPage, NumberedPage } from "shelfleet";
import { argumentsOf, type Draft, pathNames } from "../call-arguments.ts";
import type { Operation } from "../operations.ts";
import { runCall } from "../run.ts";
import { server } from "../server.ts";

export type Page = CursorPage<unknown> | NumberedPage<unknown>;

/** A walk over a list: the arguments that it was called with, and the pages that it has returned. */
export interface Walk {
  args: unknown[];
  pages: Page[];
}

/** A list as both clients return it. */
interface Pages {
  pages: () => AsyncIterable<Page>;
}

/** The last walk over each list, by operation. */
const walks = signal<Readonly<Record<string, Walk>>>({});

server.subscribe(() => {
  walks.value = {};
});

export function walkOf({ id }: Operation): Walk | undefined {
  return walks.value[id];
}

/** Returns the arguments that resume a list after a page. */
export function resumedArguments(operation: Operation, draft: Draft, resume: string): unknown[] {
  const [query, ...ids] = argumentsOf(operation, draft).toReversed();
  const hasQuery = typeof query === "object" && query !== null;
  const count = pathNames(operation).length;
  return hasQuery
    ? [...ids.toReversed(), { ...query, resume }]
    : [...[...ids, query].slice(0, count), { resume }];
}

/** Reads at most `maximum` pages of a list, and shows each when it arrives. */
export async function walk(operation: Operation, args: unknown[], maximum: number): Promise<void> {
  const begun: Walk = { args, pages: [] };
  let displayed = begun;
  const show = (next: Walk): void => {
    // a later walk or a new server has replaced this walk
    if (next !== begun && walks.value[operation.id] !== displayed) return;
    displayed = next;
    walks.value = { ...walks.value, [operation.id]: next };
  };
  show(begun);
  await runCall(operation, args, async (list) => {
    const pages: Page[] = [];
    for await (const page of (list as Pages).pages()) {
      pages.push(page);
      show({ args, pages: [...pages] });
      if (pages.length >= maximum) break;
    }
    return pages.map((page) => ({ items: page.items.length, resume: page.resume }));
  });
}
