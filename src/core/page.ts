import type { JsonObject } from "./json.ts";

/** One page of a list that goes on by a cursor. */
export interface CursorPage<T> {
  items: T[];
  /** What the server said: the cursor of the next page, or null after the last. */
  nextCursor: string | null;
  /** Goes on after this page: store it as text and hand it to the same list as `{ resume }`. Null after the last page. */
  resume: string | null;
  /** The whole answer as the server sent it. */
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

/** How a numbered list changed between two of its pages: items may be missed or seen twice. */
export interface Drift {
  /** The page on which it was noticed. */
  page: number;
  kind: "totalCount" | "totalPages" | "repeated-id";
  /** What it was before, or the id that came again. */
  before: number | string;
  after: number | string;
}

export interface DriftEvent {
  operation: string;
  drift: Drift;
}

/** Options of `pages()` and `items()` of a cursor list. */
export interface PrefetchOptions {
  /** How many pages are fetched ahead of the one that is consumed (0). */
  prefetch?: number | undefined;
}

/** Options of `toArray()`. */
export interface ToArrayOptions {
  /** At most so many items; the rest is not fetched. Required: how much memory it may take is the caller's decision. */
  limit: number;
}
