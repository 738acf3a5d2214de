import { inspectSymbol } from "../../../wire/inspect.ts";
import { isObject, type JsonObject } from "../../../wire/json.ts";
import { collect, ItemIterator } from "./items.ts";
import { describeCall, type ListCall, type PageApi, refusal } from "./list-call.ts";
import type {
  ConcurrencyOptions,
  CursorPage,
  NumberedPage,
  Pagination,
  PrefetchOptions,
  ToArrayOptions,
} from "./page.ts";
import type { Drift } from "../options/drift.ts";
import type { PageWithResponse, WithResponse } from "../request/response.ts";
import type { SentItem } from "../request/shape.ts";

/** The progress of one walk over the pages of a list. */
export interface PageWalk<P> {
  /**
   * Requests the next page. Pages are returned in the order of the calls. Returns undefined if there is no further
   * page, or if its position is not known yet.
   */
  request(cancel: AbortSignal | undefined): Promise<P> | undefined;
}

/** The source of a list's pages. */
export interface PageSource<P> {
  call: ListCall;
  /** The option of `pages()` and `items()` that requests pages before they are needed; its default is its minimum. */
  ahead: { name: string; minimum: number };
  /** Opens the list again for a mirror; undefined for the list of a time range. */
  mirrored?: MirrorAccess;
  /** Starts a walk; throws an `InvalidRequestError` for a resume token of another list. */
  begin(ahead: number): PageWalk<P>;
  /** Reads the first page for a caller who awaits the list; by default, the first page of a walk. */
  first?(): Promise<P>;
}

/** The way in which a mirror reads a list. */
export interface MirrorAccess {
  /** The properties that may hold the ID of an item. */
  idProperties: readonly string[];
  /** Opens the list again, with another API and position, and with its items as the service sent them. */
  open(change: { api: PageApi; position: JsonObject }): {
    pages(): AsyncIterable<SentPage>;
  };
}

/** A page of a list that was opened for a mirror. */
export interface SentPage {
  items: readonly SentItem<unknown>[];
  resume: string | null;
  pagination?: Pagination;
  drift?: readonly Drift[];
}

const sources = new WeakMap<object, PageSource<unknown>>();

/** Returns the source of a list; undefined for another value. */
export function sourceOf(list: unknown): Pick<PageSource<unknown>, "call" | "mirrored"> | undefined {
  return typeof list === "object" && list !== null ? sources.get(list) : undefined;
}

/** A list of either kind. Nothing is sent until it is awaited or iterated; each loop starts a new walk. */
export abstract class List<T, P extends PageWithResponse<P> & { items: T[] }, Options extends object>
  implements Promise<P>, AsyncIterable<T>
{
  readonly #source: PageSource<P>;

  constructor(source: PageSource<P>) {
    this.#source = source;
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

  /** Iterates every item, page after page. */
  items(options?: Options): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages(options));
  }

  /**
   * Iterates every page, in order.
   * @throws {PaginationError} if the walk could lose or repeat items
   * @example for await (const { items, resume } of store.stores.list().pages()) await save(items, resume);
   */
  pages(options?: Options): AsyncIterableIterator<P, void> {
    const { call, ahead } = this.#source;
    const { name, minimum } = ahead;
    const count = options === undefined ? minimum : readCount(call, options, name, minimum, minimum);
    return walkPages(this.#source, count === minimum ? 0 : count);
  }

  /**
   * Returns the first `limit` items in one array, from as many pages as necessary.
   * @example const stores = await store.stores.list().toArray({ limit: 1000 });
   */
  async toArray(options: ToArrayOptions): Promise<T[]> {
    return collect(this, readCount(this.#source.call, options, "limit", 0));
  }

  async #first(): Promise<P> {
    return this.#source.first?.() ?? (this.#source.begin(0).request(undefined) as Promise<P>); // every list has a first page
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
export class PageList<T, Meta = JsonObject> extends List<T, NumberedPage<T, Meta>, ConcurrencyOptions> {}

/** Reads the only option of a method; `fallback` is its default. */
function readCount(
  call: ListCall,
  options: unknown,
  name: string,
  minimum: number,
  fallback?: number,
): number {
  if (options !== undefined && !isObject(options)) throw refusal(call, "options", "must be an object");
  for (const [given, value] of Object.entries(options ?? {}))
    if (given !== name && value !== undefined)
      throw refusal(call, given, `is not an option; expected ${name}`);
  const value = options?.[name] ?? fallback;
  if (Number.isSafeInteger(value) && (value as number) >= minimum) return value as number;
  throw refusal(call, name, `must be an integer of at least ${minimum}`);
}

/**
 * Walks the pages in order and requests at most `ahead` of them before the consumer needs them. Leaving the walk
 * cancels the requests in flight. After an error the walk is done. Parallel `next()` calls resolve in order.
 */
export async function* walkPages<P>(source: PageSource<P>, ahead: number): AsyncGenerator<P, void, void> {
  const signal = source.call.options?.signal;
  signal?.throwIfAborted();
  const cancel = new AbortController();
  const walk = source.begin(ahead);
  const queue: Promise<P>[] = [];
  const fill = (maximum: number): void => {
    while (queue.length < maximum && !cancel.signal.aborted) {
      const page = walk.request(cancel.signal);
      if (page === undefined) return;
      queue.push(page);
      page.then(
        () => fill(ahead),
        () => {}, // the loop below throws it in order
      );
    }
  };
  try {
    fill(1);
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const page = await next;
      void queue.shift(); // removed only now: until its delivery a page counts as requested
      signal?.throwIfAborted();
      fill(ahead);
      yield page;
      signal?.throwIfAborted();
      fill(Math.max(1, ahead));
    }
  } finally {
    if (queue.length > 0) cancel.abort();
  }
}
