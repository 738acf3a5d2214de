import type { Drift } from "../options/drift.ts";
import type { PageWithResponse } from "./page-response.ts";

/** One page of a list whose pages are linked by cursors. */
export interface CursorPage<T> extends PageWithResponse<CursorPage<T>> {
  items: T[];
  /** The cursor of the next page as the server sent it; null after the last page. */
  nextCursor: string | null;
  /**
   * Continues after this page: save it and pass it to the same list as `{ resume }`. Treat it as opaque. Null after the
   * last page.
   */
  resume: string | null;
  /** The whole response as the server sent it. */
  raw: Record<string, unknown>;
}

/** The pagination of a numbered list. Contract: fleet 4. */
export interface Pagination {
  currentPage: number;
  totalPages: number;
  totalCount: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** One page of a numbered list. */
export interface NumberedPage<T, Meta = Record<string, unknown>>
  extends PageWithResponse<NumberedPage<T, Meta>> {
  items: T[];
  /** The position of the page. A list without pages (gap `lists.undocumented`) is its only page. */
  pagination: Pagination;
  /** The envelope's `meta`. */
  meta: Meta;
  /**
   * Continues after this page: save it and pass it to the same list as `{ resume }`. Treat it as opaque. Null after the
   * last page.
   */
  resume: string | null;
  /** Changes of the list since the previous page; empty if that page was not requested. */
  drift: readonly Drift[];
  /** The whole response as the server sent it. */
  raw: Record<string, unknown>;
}

/** Options of `pages()` and `items()` of a cursor list. */
export interface PrefetchOptions {
  /** The number of pages that are fetched ahead of the current one (default: 0). */
  prefetch?: number | undefined;
}

/** Options of `pages()` and `items()` of a numbered list. */
export interface ConcurrencyOptions {
  /** The largest number of pages that are requested but not yet delivered (default: 1, each page when it is needed). */
  concurrency?: number | undefined;
}

/** Options of `toArray()`. */
export interface ToArrayOptions {
  /**
   * The largest number of items; a longer list is a `PaginationError` (default: 100 000). `Infinity` disables it.
   */
  max?: number | undefined;
}
