import { count } from "./count.ts";
import type { JsonObject } from "./json.ts";
import type { ConcurrencyOptions, NumberedPage, ToArrayOptions } from "./page.ts";
import type { PageSource } from "./page-walk.ts";
import { collect, ItemIterator } from "./walk.ts";

/**
 * A list of numbered pages. Nothing is sent until it is awaited or iterated; each loop begins afresh.
 * Awaiting it gives the first page, `for await` every item.
 */
export class PageList<T, Meta = JsonObject> implements PromiseLike<NumberedPage<T, Meta>>, AsyncIterable<T> {
  readonly #source: PageSource<T, Meta>;

  constructor(source: PageSource<T, Meta>) {
    this.#source = source;
  }

  /** Fetches the first page. */
  then<A = NumberedPage<T, Meta>, B = never>(
    onfulfilled?: ((page: NumberedPage<T, Meta>) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#first().then(onfulfilled, onrejected);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return this.items();
  }

  /** Every item, page after page. */
  items(options?: ConcurrencyOptions): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages(options));
  }

  /**
   * Every page, in order.
   * @throws {PaginationError} where going on would lose or repeat items
   */
  pages(options?: ConcurrencyOptions): AsyncIterableIterator<NumberedPage<T, Meta>, void> {
    const concurrency = count(this.#source.doing, "concurrency", options?.concurrency ?? 1, 1);
    return this.#walk(concurrency);
  }

  /** The first `limit` items in one array. */
  async toArray(options: ToArrayOptions): Promise<T[]> {
    return collect(this, count(this.#source.doing, "limit", options?.limit));
  }

  async #first(): Promise<NumberedPage<T, Meta>> {
    const { firstPage } = await import("./page-walk.ts");
    return firstPage(this.#source);
  }

  async *#walk(concurrency: number): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
    const { walkPages } = await import("./page-walk.ts");
    yield* walkPages(this.#source, concurrency);
  }
}
