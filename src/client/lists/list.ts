import { describeObject, type Inspect, inspection } from "../inspection.ts";
import { readOptions, integer, isCount, type OptionRule, requireValue } from "../option-rules.ts";
import type { WithResponse } from "../response.ts";
import type { ListSource, Page, ToArrayOptions, WalkList } from "./page.ts";
import { verifyPasses } from "./walk.ts";

const maxRule: OptionRule = [
  "an integer of at least 0, or Infinity",
  (value) => value === Infinity || isCount(value, 0),
];

/**
 * A list of either kind. Nothing is sent until it is awaited or iterated. The first page is requested once, however
 * often the list is awaited; each loop starts a new walk.
 */
export class List<T, P extends Page<T, P>, Options extends object> implements Promise<P>, AsyncIterable<T> {
  /** The operation's ID in the OpenAPI document, e.g. `listStores`. */
  readonly operation: string;
  /** The IDs in the path of the request. */
  readonly path: Readonly<Record<string, string>>;
  /** The base URL that the list is read from; undefined if it depends on the environment of the key. */
  readonly baseUrl: string | undefined;
  /** Whether the list has every entry: it has no filter and begins with the first one. */
  readonly isWhole: boolean;
  /** Returns the ID of an item as the service sent it; undefined if it has none. */
  readonly idOf: (item: unknown) => string | undefined;
  /**
   * Iterates every page, in order.
   * @throws {PaginationError} if the walk could lose or repeat items
   * @example for await (const { items, resume } of store.stores.list().pages()) await save(items, resume);
   */
  readonly pages: (options?: Options) => AsyncIterableIterator<P, void>;
  /** Iterates every item, page after page, as `for await` does. */
  readonly items: (options?: Options) => AsyncIterableIterator<T, undefined>;
  /**
   * Returns the whole list in one array.
   * @throws {PaginationError} if the list has more than `max` items
   * @example const stores = await store.stores.list().toArray();
   */
  readonly toArray: (options?: ToArrayOptions) => Promise<T[]>;
  /**
   * Returns the first `count` items in one array; further pages are not fetched.
   * @example const few = await store.stores.list().take(20);
   */
  readonly take: (count: number) => Promise<T[]>;
  /** Fetches the first page and returns it with its HTTP response. */
  readonly withResponse: () => Promise<WithResponse<P>>;
  /** Fetches the first page. */
  readonly then: Promise<P>["then"];
  /** Fetches the first page and handles its failure. */
  readonly catch: Promise<P>["catch"];
  /** Fetches the first page and runs a function afterwards, also after a failure. */
  readonly finally: Promise<P>["finally"];

  /**
   * @param ahead the option of `pages()` and `items()`, and its smallest value, which is the default
   * @internal
   */
  constructor(source: ListSource<T>, walk: WalkList<T, P>, ahead: readonly [name: string, minimum: number]) {
    // closures, so that the methods also work without the object and through a Proxy
    const { operation, label, path, query, baseUrl, controls, idOf } = source;
    this.operation = operation;
    this.path = path;
    this.baseUrl = baseUrl;
    this.isWhole = controls.resume === undefined && Object.keys(query).every((name) => name === "limit");
    this.idOf = idOf;
    const [name, minimum] = ahead;
    const rules = { [name]: integer(minimum) };
    let first: Promise<P> | undefined;
    const readFirst = (): Promise<P> => (first ??= firstOf(this.pages()));
    this.pages = (options = {} as Options) => {
      readOptions(`${label}: `, options, rules);
      const { [name]: count = minimum } = options as Record<string, number | undefined>;
      return iteratePages(source, walk, count - minimum);
    };
    this.items = (options) => iterateItems(this.pages(options));
    this.toArray = async (options = {}) => {
      readOptions(`${label}: `, options, { max: maxRule });
      const { max = 100_000 } = options;
      const all: T[] = [];
      for await (const { items } of this.pages()) {
        for (const item of items) all.push(item);
        if (all.length > max) throw source.end(`the list has more than ${max} items (toArray: max)`, {});
      }
      return all;
    };
    this.take = async (count) => {
      requireValue(`${label}: count must be an integer of at least 0`, isCount(count, 0));
      const some: T[] = [];
      if (count > 0) for await (const item of this.items()) if (some.push(item) === count) break;
      return some;
    };
    this.withResponse = async () => (await readFirst()).withResponse();
    this.then = (onfulfilled, onrejected) => readFirst().then(onfulfilled, onrejected);
    this.catch = (onrejected) => readFirst().catch(onrejected);
    this.finally = (onfinally) => readFirst().finally(onfinally);
  }

  /** What `console.log` shows. @internal */
  [inspection](_: number, options?: unknown, inspect?: Inspect): string {
    const { operation, path, baseUrl } = this;
    const use = "await it for the first page, or iterate it";
    return describeObject("List", { operation, path, baseUrl, use }, inspect, options);
  }

  get [Symbol.toStringTag](): string {
    return "List";
  }

  /** Iterates every item. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return this.items();
  }
}

async function firstOf<P>(pages: AsyncIterable<P>): Promise<P> {
  for await (const page of pages) return page;
  throw new Error("a walk has at least one page");
}

/** Iterates the items of pages. */
async function* iterateItems<T>(
  pages: AsyncIterable<Pick<Page<T, unknown>, "items">>,
): AsyncGenerator<T, undefined, void> {
  for await (const { items } of pages) for (const item of items) yield item;
}

/** The reason of aborted requests. One for all walks: to create a `DOMException` takes 40 µs. */
const walkEnded = "the walk has ended";

/** Iterates the pages of a walk, and ends the requests that are in flight when the caller needs no further page. */
async function* iteratePages<T, P extends Page<T, P>>(
  source: ListSource<T>,
  walk: WalkList<T, P>,
  ahead: number,
): AsyncGenerator<P, void, void> {
  const cancel = new AbortController();
  const pass = (limited: ListSource<T>): AsyncGenerator<P, void, void> =>
    walk(limited, { ahead, cancel: cancel.signal });
  const pages = source.controls.verify === true ? verifyPasses(source, pass) : pass(source);
  let isEnded = false;
  try {
    for (;;) {
      const next = await pages.next();
      isEnded = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // first, because a request in flight would delay `return`; a page behind the end may have been requested ahead
    if (!isEnded || ahead > 0) cancel.abort(walkEnded);
    await pages.return();
  }
}
