import type { ListContent } from "./answer.ts";
import { count } from "./count.ts";
import { UnexpectedResponseError } from "./errors.ts";
import type { CursorPage, PrefetchOptions, ToArrayOptions } from "./page.ts";
import { RepeatGuard } from "./repeat-guard.ts";
import { snippet } from "./secret.ts";
import { collect, ItemIterator, type Step, walkPages } from "./walk.ts";

/** How the pages of one list are fetched. `S` is what tells one page from another: a cursor, a window of time. */
export interface CursorSource<T, S> {
  /** `GET /v1/stores`, for messages. */
  doing: string;
  signal: AbortSignal | undefined;
  /** Where the list begins, or goes on. Throws an `InvalidRequestError` for a resume token that it did not make. */
  start(): S;
  /** The first page, for whoever awaits the list. */
  first(): Promise<CursorPage<T>>;
  fetch(state: S, guard: RepeatGuard, cancel: AbortSignal): Promise<Step<CursorPage<T>, S>>;
}

/**
 * A list that goes on by a cursor. Nothing is sent until it is awaited or iterated; each loop begins afresh.
 * Awaiting it gives the first page, `for await` every item.
 */
export class CursorList<T> implements PromiseLike<CursorPage<T>>, AsyncIterable<T> {
  readonly #source: CursorSource<T, unknown>;

  constructor(source: CursorSource<T, unknown>) {
    this.#source = source;
  }

  /** Fetches the first page. */
  then<A = CursorPage<T>, B = never>(
    onfulfilled?: ((page: CursorPage<T>) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#source.first().then(onfulfilled, onrejected);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return this.items();
  }

  /** Every item, page after page. */
  items(options?: PrefetchOptions): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages(options));
  }

  /**
   * Every page.
   * @throws {PaginationError} where going on would lose or repeat items
   */
  pages(options?: PrefetchOptions): AsyncIterableIterator<CursorPage<T>, void> {
    const ahead = count(this.#source.doing, "prefetch", options?.prefetch ?? 0);
    const guard = new RepeatGuard(this.#source.doing);
    const source = this.#source;
    const turn = (state: unknown, cancel: AbortSignal) => source.fetch(state, guard, cancel);
    return walkPages(() => source.start(), turn, ahead, source.signal);
  }

  /** The first `limit` items in one array. */
  async toArray(options: ToArrayOptions): Promise<T[]> {
    return collect(this, count(this.#source.doing, "limit", options?.limit));
  }
}

/** Under which names a list's answer carries its array and its cursor. */
export interface CursorNames {
  readonly items: string;
  readonly cursor: string;
}

/** The array and the cursor of a list's answer. */
export function readCursorPage(
  content: ListContent,
  names: CursorNames,
  guard: RepeatGuard,
  advice = "",
): { items: unknown[]; nextCursor: string | null } {
  const { json, doing, status, clean, text } = content;
  const { [names.items]: items, [names.cursor]: nextCursor } = json;
  if (Array.isArray(items) && (nextCursor === null || typeof nextCursor === "string")) {
    if (nextCursor === "")
      throw guard.error("the server gave an empty text for a cursor: neither a next page nor the end");
    return { items, nextCursor };
  }
  const keys = Object.keys(json).map((key) => `\`${clean(key)}\``);
  throw new UnexpectedResponseError(
    `${doing}: ${status} without an array \`${names.items}\` and a \`${names.cursor}\` that is a string or null; ` +
      `the answer has ${keys.length === 0 ? "no members" : keys.slice(0, 20).join(", ")}${advice}`,
    { status, body: snippet(text, clean) },
  );
}
