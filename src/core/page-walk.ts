// Loaded when the first numbered list is read.
import type { ListReader } from "./list.ts";
import type { Drift, NumberedPage } from "./page.ts";
import { PageWatch, type Watched } from "./page-watch.ts";

/** A page as it was answered, before its turn in the walk. */
export interface FetchedPage<T, Meta> {
  page: NumberedPage<T, Meta>;
  /** The items as the server sent them. */
  sent: readonly unknown[];
  /** The ids of the items, as far as they have any. */
  ids: readonly (string | number)[];
  operation: string;
}

/** How the pages of one list are fetched. */
export interface PageSource<T, Meta> extends Watched {
  signal: AbortSignal | undefined;
  report: (operation: string, drift: Drift) => void;
  /** Where the list begins, or goes on. Throws an `InvalidRequestError` for a resume token that it did not make. */
  start(): number;
  fetch(page: number, cancel: AbortSignal | undefined): Promise<FetchedPage<T, Meta>>;
}

export function pageReader<T, Meta>(source: PageSource<T, Meta>): ListReader<NumberedPage<T, Meta>> {
  return {
    async first() {
      const walk = new PageWalk(source);
      return walk.take(await walk.ask(undefined));
    },
    pages: (concurrency) => walkPages(source, concurrency),
  };
}

/**
 * Walks pages in order. With a `concurrency` above 1 it fetches ahead as soon as the server has said how many pages
 * there are, never past the last of them. Leaving the walk cancels what is under way; after an error it is done;
 * parallel `next()` calls are answered in turn.
 */
async function* walkPages<T, Meta>(
  source: PageSource<T, Meta>,
  concurrency: number,
): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
  const { signal } = source;
  signal?.throwIfAborted();
  const cancel = new AbortController();
  const ahead = concurrency === 1 ? 0 : concurrency;
  const walk = new PageWalk(source);
  const queue: ReturnType<typeof walk.ask>[] = [];
  try {
    for (;;) {
      const page = walk.take(await (queue.shift() ?? walk.ask(cancel.signal)));
      signal?.throwIfAborted();
      while (queue.length < ahead && walk.knowsMore) queue.push(walk.ask(cancel.signal));
      yield page;
      if (!page.pagination.hasNextPage) return;
      signal?.throwIfAborted();
    }
  } finally {
    // an abort makes an error, which the walks that end by themselves are spared
    if (queue.length > 0) cancel.abort();
  }
}

/** Where one walk stands: what was asked for, what was taken, and how many pages there are. */
class PageWalk<T, Meta> {
  readonly #source: PageSource<T, Meta>;
  readonly #watch: PageWatch;
  #asked: number;
  #taken: number;
  /** How many pages there are, by the answer that came last. */
  #total = 0;
  /** An answer was the last page, or none came: nothing is asked for ahead any more. */
  #ends = false;

  constructor(source: PageSource<T, Meta>) {
    this.#source = source;
    this.#watch = new PageWatch(source);
    this.#asked = source.start() - 1;
    this.#taken = this.#asked;
  }

  /** Whether the server has spoken of a page that was not asked for yet. */
  get knowsMore(): boolean {
    return !this.#ends && this.#asked < this.#total;
  }

  ask(cancel: AbortSignal | undefined): Promise<FetchedPage<T, Meta>> {
    this.#asked += 1;
    const answer = this.#source.fetch(this.#asked, cancel);
    answer.then(
      ({ page: { pagination } }) => {
        this.#total = pagination.totalPages;
        this.#ends ||= !pagination.hasNextPage;
      },
      () => {
        this.#ends = true; // whoever takes it from the queue sees the error
      },
    );
    return answer;
  }

  /** The next page in order. */
  take({ page, sent, ids, operation }: FetchedPage<T, Meta>): NumberedPage<T, Meta> {
    const drift = this.#watch.accept(this.#taken + 1, { pagination: page.pagination, sent, ids });
    this.#taken += 1;
    for (const change of drift) this.#source.report(operation, change);
    return { ...page, drift };
  }
}
