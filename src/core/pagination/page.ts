import type { JsonObject } from "../../internal/json.ts";
import type { Drift } from "../options/drift.ts";
import type { PageWithResponse } from "../request/response.ts";

/** One page of a list whose pages are linked by cursors. */
export interface CursorPage<T> extends PageWithResponse<CursorPage<T>> {
  items: T[];
  /** The cursor of the next page as the server sent it; null after the last page. */
  nextCursor: string | null;
  /** Continues after this page: store it and pass it to the same list as `{ resume }`; treat it as opaque. Null after the last page. */
  resume: string | null;
  /** The whole response as the server sent it. */
  raw: JsonObject;
}

/** What a numbered list says about itself. Contract: fleet 4. */
export interface Pagination {
  currentPage: number;
  totalPages: number;
  totalCount: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** One page of a numbered list. */
export interface NumberedPage<T, Meta = JsonObject> extends PageWithResponse<NumberedPage<T, Meta>> {
  items: T[];
  /** Where the page stands. Of a list that came whole (gap `lists.unshown`) it is the only page. */
  pagination: Pagination;
  /** The envelope's `meta`. */
  meta: Meta;
  /** Continues after this page: store it and pass it to the same list as `{ resume }`; treat it as opaque. Null after the last page. */
  resume: string | null;
  /** How the list changed since the page before; empty on a page that stands alone. */
  drift: readonly Drift[];
  /** The whole response as the server sent it. */
  raw: JsonObject;
}

/** Options of `pages()` and `items()` of a cursor list. */
export interface PrefetchOptions {
  /** How many pages are fetched ahead of the one that is consumed (0). */
  prefetch?: number | undefined;
}

/** Options of `pages()` and `items()` of a numbered list. */
export interface ConcurrencyOptions {
  /** How many pages may be asked for and not yet delivered (1: each page only when it is wanted). */
  concurrency?: number | undefined;
}

/** Options of `toArray()`. */
export interface ToArrayOptions {
  /** At most so many items; the rest is not fetched. Required: how much memory it may take is the caller's decision. */
  limit: number;
}
