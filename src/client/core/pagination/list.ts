import { PaginationError } from "../errors/errors.ts";
import { inspectSymbol } from "../../../wire/inspect.ts";
import { isInteger, isObject, type JsonObject } from "../../../wire/json.ts";
import { collect, ItemIterator } from "./items.ts";
import { describeCall, type ListCall, refusal } from "./list-call.ts";
import { RequestRecord } from "./request-record.ts";
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
export function sourceOf(list: unknown): Pick<PageSource<unknown>, "call" | "mirrored"> | undefined {
  return typeof list === "object" && list !== null ? sources.get(list) : undefined;
}

/** The first page of a list, which is requested once. */
interface FirstPage<P> {
  page: Promise<P>;
  /** The requests of the page, for the first loop; undefined if a loop has begun with it. */
  record: RequestRecord | undefined;
}

/**
 * A list of either kind. Nothing is sent until it is awaited or iterated. The first page is requested once, however
 * often the list is awaited; the first loop begins with it, and each further loop starts a new walk.
 */
export abstract class List<T, P extends PageWithResponse<P> & { items: T[] }, Options extends object>
  implements Promise<P>, AsyncIterable<T>
{
  readonly #source: PageSource<P>;
  #first: FirstPage<P> | undefined;

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
    const { call } = this.#source;
    if (isObject(options) && "limit" in options)
      throw refusal(
        call,
        "limit",
        "is not an option: toArray returns the whole list. Use take(n) for the first n items, or `max`",
      );
    const max = readCount(call, options, {
      name: "max",
      minimum: 0,
      fallback: defaultMax,
      mayBeInfinite: true,
    });
    const items = await collect(this, max + 1);
    if (items.length <= max) return items;
    const advice = "pass a larger `max`, call take(n) for the first n items, or iterate the list";
    throw new PaginationError(call.label, `the list has more than ${max} items (\`max\`): ${advice}`, {});
  }

  /**
   * Returns the first `count` items in one array; further pages are not fetched.
   * @example const few = await store.stores.list().take(20);
   */
  async take(count: number): Promise<T[]> {
    const { call } = this.#source;
    return collect(this, readCount(call, { count }, { name: "count", minimum: 0 }));
  }

  #walk(unit: "items" | "pages", options: Options | undefined): AsyncGenerator<P, void, void> {
    const { call, ahead } = this.#source;
    const { name, minimum } = ahead;
    const count =
      options === undefined ? minimum : readCount(call, options, { name, minimum, fallback: minimum });
    return this.#walkPages(unit, count === minimum ? 0 : count);
  }

  /** Starts a walk. The first one of the list begins with the first page, if that was awaited. */
  async *#walkPages(unit: "items" | "pages", ahead: number): AsyncGenerator<P, void, void> {
    const first = this.#first;
    const record = first?.record ?? new RequestRecord();
    if (first !== undefined) first.record = undefined;
    const pages = this.#source.walk({ ahead, unit, sender: record.replay() });
    if (first !== undefined) return yield* pages;
    try {
      yield await this.#keepFirst(pages, undefined);
      yield* pages;
    } finally {
      await pages.return(); // the consumer may have left after the first page
    }
  }

  async #readFirst(): Promise<P> {
    if (this.#first !== undefined) return this.#first.page;
    const record = new RequestRecord();
    const pages = this.#source.walk({ ahead: 0, unit: "pages", sender: record });
    return this.#keepFirst(pages, record);
  }

  /** Keeps the first page for those who await the list. A failure is not kept, so that the list can be read again. */
  #keepFirst(pages: AsyncGenerator<P, void, void>, record: RequestRecord | undefined): Promise<P> {
    const page = pages.next().then(({ value }) => value as P); // every list has a first page
    const first = { page, record };
    this.#first = first;
    page.then(
      () => record?.close(),
      () => {
        if (this.#first === first) this.#first = undefined;
      },
    );
    return page;
  }
}

/** The default of `max`: a list with more items should be read page by page. */
const defaultMax = 100_000;

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

/** The only option of a method. */
interface CountOption {
  name: string;
  minimum: number;
  fallback?: number;
  mayBeInfinite?: boolean;
}

/** Reads the only option of a method. */
function readCount(call: ListCall, options: unknown, option: CountOption): number {
  const { name, minimum, fallback, mayBeInfinite = false } = option;
  if (options !== undefined && !isObject(options)) throw refusal(call, "options", "must be an object");
  for (const [given, value] of Object.entries(options ?? {}))
    if (given !== name && value !== undefined)
      throw refusal(call, given, `is not an option; expected ${name}`);
  const value = options?.[name] ?? fallback;
  if (mayBeInfinite && value === Infinity) return Infinity;
  if (isInteger(value) && value >= minimum) return value;
  throw refusal(
    call,
    name,
    `must be an integer of at least ${minimum}${mayBeInfinite ? ", or Infinity" : ""}`,
  );
}
