import type { WithResponse } from "../core.ts";
import { PaginationError } from "../errors.ts";
import { refuse } from "./query.ts";
import { idReader, Walk } from "./walk.ts";
import { type ComparedPage, verifyPasses } from "./verify.ts";
import type {
  ConcurrencyOptions,
  CursorPage,
  ListSource,
  NumberedPage,
  PrefetchOptions,
  ToArrayOptions,
} from "./page.ts";

/** Opens a walk. `ahead` pages are requested before they are needed; `cancel` ends them when the walk ends. */
type OpenPages<P> = (ahead: number, cancel: AbortController) => AsyncGenerator<P, void, void>;

/** What a list of each kind has besides its requests. */
export interface ListParts<P> {
  readonly source: ListSource<unknown>;
  readonly open: OpenPages<P>;
  /** The option of `pages()` and `items()`, and its smallest value, which is the default. */
  readonly ahead: readonly [name: string, minimum: number];
}

interface AnyPage<T> {
  items: T[];
}

/**
 * A list of either kind. Nothing is sent until it is awaited or iterated. The first page is requested once, however
 * often the list is awaited; each loop starts a new walk.
 */
export abstract class List<T, P extends AnyPage<T>, Options extends object>
  implements Promise<P>, AsyncIterable<T>
{
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

  // closures, so that the methods also work without the object and through a Proxy
  constructor({ source, open, ahead }: ListParts<P>) {
    const { operation, label, path, query, baseUrl, controls } = source;
    this.operation = operation;
    this.path = path;
    this.baseUrl = baseUrl;
    this.isWhole = controls.resume === undefined && Object.keys(query).every((name) => name === "limit");
    this.idOf = idReader(source);
    const openWith = (options: Options | undefined): AsyncGenerator<P, void, void> =>
      open(readCount(label, options, ...ahead) - ahead[1], new AbortController());
    let first: Promise<P> | undefined;
    const readFirst = (): Promise<P> => (first ??= firstOf(openWith(undefined)));
    this.pages = openWith;
    this.items = (options) => iterateItems(openWith(options));
    this.toArray = async (options) => {
      const max = options?.max === Infinity ? Infinity : readCount(label, options, "max", 0, 100_000);
      const all: T[] = [];
      for await (const { items } of openWith(undefined)) {
        for (const item of items) all.push(item);
        if (all.length > max)
          throw new PaginationError(label, `the list has more than ${max} items (toArray: max)`);
      }
      return all;
    };
    this.take = async (count) => {
      const some: T[] = [];
      if (readCount(label, { count }, "count", 0) === 0) return some;
      for await (const item of this.items()) if (some.push(item) === count) break;
      return some;
    };
    this.withResponse = async () => {
      const page = await readFirst();
      // the pages of both kinds have it
      return (page as unknown as { withResponse(): Promise<WithResponse<P>> }).withResponse();
    };
    this.then = (onfulfilled, onrejected) => readFirst().then(onfulfilled, onrejected);
    this.catch = (onrejected) => readFirst().catch(onrejected);
    this.finally = (onfinally) => readFirst().finally(onfinally);
  }

  get [Symbol.toStringTag](): string {
    return "List";
  }

  /** Iterates every item. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return this.items();
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

/** Reads the only option of a method, a number. */
function readCount(
  label: string,
  options: object | undefined,
  name: string,
  minimum: number,
  fallback = minimum,
): number {
  const { [name]: count = fallback, ...others } = (options ?? {}) as Record<string, number | undefined>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuse(label, unknown, `is not an option. Expected ${name}`);
  if (Number.isSafeInteger(count) && count >= minimum) return count;
  throw refuse(label, name, `must be an integer of at least ${minimum}`);
}

async function firstOf<P>(pages: AsyncGenerator<P, void, void>): Promise<P> {
  for await (const page of pages) return page;
  throw new Error("a walk has at least one page");
}

/** Iterates the items of pages. */
async function* iterateItems<T>(
  pages: AsyncGenerator<AnyPage<T>, void, void>,
): AsyncGenerator<T, undefined, void> {
  for await (const { items } of pages) for (const item of items) yield item;
}

/** Opens a walk: once, or with `verify` until two passes agree. */
export async function* openWalk<T, P extends ComparedPage>(
  source: ListSource<T>,
  cancel: AbortController,
  pass: (source: ListSource<T>) => AsyncGenerator<P, void, void> | Promise<AsyncGenerator<P, void, void>>,
): AsyncGenerator<P, void, void> {
  try {
    yield* source.controls.verify === true
      ? verifyPasses(new Walk(source, cancel.signal), pass)
      : await pass(source);
  } finally {
    cancel.abort(walkEnded);
  }
}

/** The reason of aborted requests. One for all walks: to create a `DOMException` takes 40 µs. */
const walkEnded = "the walk has ended";

/**
 * Requests pages before they are needed. A generator makes one page after the other, so that the pages come in order, and
 * a failure comes in the place of its page.
 * @param ahead the number of pages that are requested while one is used
 */
export async function* readPagesAhead<P>(
  pages: AsyncGenerator<P, void, void>,
  ahead: number,
  cancel: AbortController,
): AsyncGenerator<P, void, void> {
  const pending: Promise<IteratorResult<P, void>>[] = [];
  try {
    for (;;) {
      while (pending.length <= ahead) {
        const next = pages.next();
        next.catch(() => {}); // it is thrown when its turn comes
        pending.push(next);
      }
      const { done, value } = await (pending.shift() as Promise<IteratorResult<P, void>>); // there is one
      if (done === true) return;
      yield value;
    }
  } finally {
    cancel.abort(walkEnded); // a request in flight would delay `return`
    await pages.return().catch(() => {}); // the walk has ended
  }
}
