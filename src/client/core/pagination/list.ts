import { inspectSymbol } from "../../../wire/inspect.ts";
import { loadOnce } from "../options/load-once.ts";
import { ItemIterator } from "./items.ts";
import { describeCall } from "./list-call.ts";
import type { ListReader } from "./list-reader.ts";
import type {
  ConcurrencyOptions,
  CursorPage,
  NumberedPage,
  PrefetchOptions,
  ToArrayOptions,
} from "./page.ts";
import type { WithResponse } from "../request/with-response.ts";
import type { PageWithResponse } from "./page-response.ts";
import type { PageSource } from "./page-source.ts";

const sources = new WeakMap<object, PageSource<unknown>>();

/** Returns the source of a list; undefined for another value. */
export function sourceOf(list: unknown): Pick<PageSource<unknown>, "call" | "asSent"> | undefined {
  return typeof list === "object" && list !== null ? sources.get(list) : undefined;
}

/**
 * A list of either kind. Nothing is sent until it is awaited or iterated. The first page is requested once, however
 * often the list is awaited; the first loop begins with it, and each further loop starts a new walk.
 */
export abstract class List<T, P extends PageWithResponse<P> & { items: T[] }, Options extends object>
  implements Promise<P>, AsyncIterable<T>
{
  readonly #source: PageSource<P>;
  readonly #open: () => Promise<ListReader<P>>;

  constructor(source: PageSource<P>) {
    this.#source = source;
    this.#open = loadOnce(source.open);
    sources.set(this, source);
  }

  get [Symbol.toStringTag](): string {
    return "List";
  }

  /** Returns the output of `console.log` and `util.inspect`: the route and the query. Sends nothing. */
  [inspectSymbol](): string {
    return `List { ${describeCall(this.#source.call)} }`;
  }

  /** Whether the list has every entry: it has no filter and begins with the first one. */
  get isWhole(): boolean {
    const { baseQuery, positionQuery } = this.#source.call;
    return positionQuery.resume === undefined && Object.keys(baseQuery).every((name) => name === "limit");
  }

  /** The base URL that the list is read from; undefined if it depends on the environment of the key. */
  get baseUrl(): string | undefined {
    const { destination } = this.#source.call.api.config;
    return typeof destination === "object" ? destination.baseUrl : undefined;
  }

  /** Fetches the first page. */
  then<A = P, B = never>(
    onfulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#readFirst().then(onfulfilled, onrejected);
  }

  /** Fetches the first page and handles its failure. */
  catch<B = never>(onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.#readFirst().catch(onrejected);
  }

  /** Fetches the first page and runs a function afterwards, also after a failure. */
  finally(onfinally?: (() => void) | null): Promise<P> {
    return this.#readFirst().finally(onfinally);
  }

  /** Fetches the first page and returns it with its HTTP response. */
  async withResponse(): Promise<WithResponse<P>> {
    const page = await this.#readFirst();
    return page.withResponse();
  }

  /** Iterates every item, as `for await` does. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return this.items();
  }

  /** Iterates every item, page after page. */
  items(options?: Options): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.#walk("items", options));
  }

  /**
   * Iterates every page, in order.
   * @throws {PaginationError} if the walk could lose or repeat items
   * @example for await (const { items, resume } of store.stores.list().pages()) await save(items, resume);
   */
  pages(options?: Options): AsyncIterableIterator<P, void> {
    return this.#walk("pages", options);
  }

  /**
   * Returns the whole list in one array.
   * @throws {PaginationError} if the list has more than `max` items
   * @example const stores = await store.stores.list().toArray();
   */
  async toArray(options?: ToArrayOptions): Promise<T[]> {
    const reader = await this.#open();
    return reader.toArray(this, options);
  }

  /**
   * Returns the first `count` items in one array; further pages are not fetched.
   * @example const few = await store.stores.list().take(20);
   */
  async take(count: number): Promise<T[]> {
    const reader = await this.#open();
    return reader.take(this, count);
  }

  async *#walk(unit: "items" | "pages", options: Options | undefined): AsyncGenerator<P, void, void> {
    const reader = await this.#open();
    yield* reader.walk(unit, options);
  }

  async #readFirst(): Promise<P> {
    const reader = await this.#open();
    return reader.readFirst();
  }
}

/**
 * A list whose pages are linked by cursors. Nothing is sent until it is awaited or iterated; each loop starts a new
 * walk. `await` returns the first page, `for await` iterates every item.
 */
export class CursorList<T> extends List<T, CursorPage<T>, PrefetchOptions> {}

/**
 * A list of numbered pages. Nothing is sent until it is awaited or iterated; each loop starts a new walk. `await`
 * returns the first page, `for await` iterates every item.
 */
export class PageList<T, Meta = Record<string, unknown>> extends List<
  T,
  NumberedPage<T, Meta>,
  ConcurrencyOptions
> {}
