import { count } from "./count.ts";
import { collect, ItemIterator } from "./items.ts";
import type { ToArrayOptions } from "./page.ts";

/** How a list is read. Loaded when the first list is: a program that only makes calls does without. */
export interface ListReader<P> {
  /** The first page, for whoever awaits the list. */
  first(): Promise<P>;
  /** The pages in order, as many of them fetched ahead. */
  pages(ahead: number): AsyncGenerator<P, void, void>;
}

/** What lists have in common: nothing is sent until they are awaited or iterated, and each loop begins afresh. */
export abstract class List<T, P extends { items: T[] }> implements PromiseLike<P>, AsyncIterable<T> {
  readonly #doing: string;
  readonly #load: () => Promise<ListReader<P>>;

  constructor(doing: string, load: () => Promise<ListReader<P>>) {
    this.#doing = doing;
    this.#load = load;
  }

  /** Fetches the first page. */
  then<A = P, B = never>(
    onfulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#load()
      .then((reader) => reader.first())
      .then(onfulfilled, onrejected);
  }

  /** Every item: what `for await` walks over. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages());
  }

  /** Every page. */
  abstract pages(): AsyncIterableIterator<P, void>;

  /** The first `limit` items in one array. */
  async toArray(options: ToArrayOptions): Promise<T[]> {
    return collect(this, count(this.#doing, "limit", options?.limit));
  }

  /** The pages with an option that counts how many are fetched ahead. */
  protected walk(option: string, value: number, least: number): AsyncIterableIterator<P, void> {
    return read(this.#load, count(this.#doing, option, value, least));
  }
}

async function* read<P>(load: () => Promise<ListReader<P>>, ahead: number): AsyncGenerator<P, void, void> {
  yield* (await load()).pages(ahead);
}
