import { ItemIterator } from "./items.ts";
import type { JsonObject } from "../internal/json.ts";
import { List } from "./list.ts";
import type { ConcurrencyOptions, NumberedPage } from "./page.ts";

/**
 * A list of numbered pages. Nothing is sent until it is awaited or iterated; each loop begins afresh.
 * Awaiting it gives the first page, `for await` every item.
 */
export class PageList<T, Meta = JsonObject> extends List<T, NumberedPage<T, Meta>> {
  /** Every item, page after page. */
  items(options?: ConcurrencyOptions): AsyncIterableIterator<T, undefined> {
    return new ItemIterator(this.pages(options));
  }

  /**
   * Every page, in order.
   * @throws {PaginationError} where going on would lose or repeat items
   */
  override pages(options?: ConcurrencyOptions): AsyncIterableIterator<NumberedPage<T, Meta>, void> {
    return this.walk("concurrency", options?.concurrency ?? 1, 1);
  }
}
