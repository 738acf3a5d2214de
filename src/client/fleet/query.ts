import type { NumberedQuery } from "../lists/query.ts";

/** The options of every list query. Contract: fleet 4, Shared list parameters. */
export interface PageQuery extends NumberedQuery {
  /** The first page, 1 or more (default: 1). */
  page?: number | undefined;
  /** The number of items on a page, 1 to 100 (default: 50). */
  limit?: number | undefined;
}
