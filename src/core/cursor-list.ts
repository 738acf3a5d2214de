import { ItemIterator } from "./items.ts";
import { List } from "./list.ts";
import type { CursorPage, PrefetchOptions } from "./page.ts";

/**
 * A list that goes on by a cursor. Nothing is sent until it is awaited or iterated; each loop begins afresh.
 * Awaiting it gives the first page, `for await` every item.
 */
export class CursorList<T> extends List<T, CursorPage<T>> {
  /** Every item, page after page. */
  items(options?: PrefetchOptions): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages(options));
  }

  /**
   * Every page.
   * @throws {PaginationError} where going on would lose or repeat items
   */
  override pages(options?: PrefetchOptions): AsyncIterableIterator<CursorPage<T>, void> {
    return this.walk("prefetch", options?.prefetch ?? 0, 0);
  }
}
