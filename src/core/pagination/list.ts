import { InvalidRequestError } from "../errors/errors.ts";
import { inspectSymbol } from "../../internal/inspect.ts";
import { isObject, type JsonObject } from "../../internal/json.ts";
import { collect, ItemIterator } from "./items.ts";
import type {
  ConcurrencyOptions,
  CursorPage,
  NumberedPage,
  PrefetchOptions,
  ToArrayOptions,
} from "./page.ts";
import type { PageWithResponse, WithResponse } from "../request/response.ts";
import { type PageSource, walkPages } from "./walk.ts";

/**
 * The common part of both kinds of lists. Nothing is sent until a list is awaited or iterated; each loop starts a new
 * walk.
 */
export abstract class List<T, P extends PageWithResponse<P> & { items: T[] }>
  implements Promise<P>, AsyncIterable<T>
{
  protected readonly source: PageSource<P>;

  constructor(source: PageSource<P>) {
    this.source = source;
  }

  get [Symbol.toStringTag](): string {
    return "List";
  }

  /** Returns the output of `console.log` and `util.inspect`: the route and the query. Sends nothing. */
  [inspectSymbol](): string {
    return `List { ${this.source.describe()} }`;
  }

  /** Fetches the first page. */
  then<A = P, B = never>(
    onfulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#first().then(onfulfilled, onrejected);
  }

  /** Fetches the first page and handles its failure. */
  catch<B = never>(onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.#first().catch(onrejected);
  }

  /** Fetches the first page and runs a function afterwards, also after a failure. */
  finally(onfinally?: (() => void) | null): Promise<P> {
    return this.#first().finally(onfinally);
  }

  /** Fetches the first page and returns it with its HTTP response. */
  async withResponse(): Promise<WithResponse<P>> {
    const page = await this.#first();
    return page.withResponse();
  }

  /** Iterates every item, as `for await` does. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages());
  }

  /** Iterates every page. */
  abstract pages(): AsyncIterableIterator<P, void>;

  /**
   * Returns the first `limit` items in one array, from as many pages as necessary.
   * @example const stores = await store.stores.list().toArray({ limit: 1000 });
   */
  async toArray(options: ToArrayOptions): Promise<T[]> {
    return collect(this, readCount(this.source.label, options, "limit", 0));
  }

  async #first(): Promise<P> {
    return this.source.first?.() ?? (this.source.begin(0).request(undefined) as Promise<P>); // every list has a first page
  }
}

/**
 * A list whose pages are linked by cursors. Nothing is sent until it is awaited or iterated; each loop starts a new
 * walk. `await` returns the first page, `for await` iterates every item.
 */
export class CursorList<T> extends List<T, CursorPage<T>> {
  /** Iterates every item, page after page. */
  items(options?: PrefetchOptions): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages(options));
  }

  /**
   * Iterates every page.
   * @throws {PaginationError} if the walk could lose or repeat items
   * @example for await (const { items, resume } of store.stores.list().pages()) await save(items, resume);
   */
  override pages(options?: PrefetchOptions): AsyncIterableIterator<CursorPage<T>, void> {
    const ahead = options === undefined ? 0 : readCount(this.source.label, options, "prefetch", 0, 0);
    return walkPages(this.source, ahead);
  }
}

/**
 * A list of numbered pages. Nothing is sent until it is awaited or iterated; each loop starts a new walk. `await`
 * returns the first page, `for await` iterates every item.
 */
export class PageList<T, Meta = JsonObject> extends List<T, NumberedPage<T, Meta>> {
  /** Iterates every item, page after page. */
  items(options?: ConcurrencyOptions): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages(options));
  }

  /**
   * Iterates every page, in order.
   * @throws {PaginationError} if the walk could lose or repeat items
   */
  override pages(options?: ConcurrencyOptions): AsyncIterableIterator<NumberedPage<T, Meta>, void> {
    const concurrency =
      options === undefined ? 1 : readCount(this.source.label, options, "concurrency", 1, 1);
    return walkPages(this.source, concurrency === 1 ? 0 : concurrency);
  }
}

/** Reads the only option of a method; `fallback` is its default. */
function readCount(
  label: string,
  options: unknown,
  name: string,
  minimum: number,
  fallback?: number,
): number {
  const refuse = (path: string, message: string): never => {
    throw new InvalidRequestError(label, [{ path, message }]);
  };
  if (options !== undefined && !isObject(options)) return refuse("options", "must be an object");
  for (const [given, value] of Object.entries(options ?? {}))
    if (given !== name && value !== undefined) refuse(given, `is not an option; expected ${name}`);
  const value = options?.[name] ?? fallback;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= minimum) return value;
  return refuse(name, `must be an integer of at least ${minimum}`);
}
