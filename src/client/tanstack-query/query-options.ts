import type { InfiniteData, QueryFunctionContext, QueryKey } from "@tanstack/query-core";
import { ConfigurationError } from "../core/errors/errors.ts";
import type { CallOptions } from "../core/options/options.ts";

/** The options that `useQuery`, `fetchQuery` and similar functions take. */
export interface ReadOptions<T, Key extends QueryKey> {
  queryKey: Key;
  /** Makes the call, which is aborted when the query is cancelled. */
  queryFn: (context: QueryFunctionContext<Key>) => Promise<T>;
  /** Disables the retries of TanStack Query, because the client retries. */
  retry: false;
}

/** A page of any list of either client. */
export interface ResumablePage {
  resume: string | null;
}

/** The options that `useInfiniteQuery`, `fetchInfiniteQuery` and similar functions take. */
export interface InfiniteReadOptions<Page extends ResumablePage, Key extends QueryKey> {
  queryKey: Key;
  /** Reads one page, from the `resume` of the previous page. */
  queryFn: (context: QueryFunctionContext<Key, string | undefined>) => Promise<Page>;
  initialPageParam: string | undefined;
  /** Returns the `resume` of the last page; null after the end. */
  getNextPageParam: (last: Page) => string | null;
  /** Disables the retries of TanStack Query, because the client retries. */
  retry: false;
  /** Only for the type of the data; never set at run time. */
  select?: (data: InfiniteData<Page, string | undefined>) => InfiniteData<Page, string | undefined>;
}

/**
 * Returns the options of a query for one entity. When the query is cancelled, its request is aborted.
 * @param queryKey identifies the entity, including its IDs and filters
 * @param read makes the call with the given options
 * @throws {ConfigurationError} for a key or function of another type
 * @example useQuery(queryOptions(["store", id], (options) => store.stores.get(id, options)));
 */
export function queryOptions<T, const Key extends QueryKey>(
  queryKey: Key,
  read: (options: CallOptions) => PromiseLike<T>,
): ReadOptions<T, Key> {
  checkArguments("queryOptions", queryKey, read);
  return { queryKey, queryFn: async ({ signal }) => read({ signal }), retry: false };
}

/**
 * Returns the options of an infinite query for the pages of a list. When the query is cancelled, its request is
 * aborted.
 * @param queryKey identifies the list, including its IDs and filters
 * @param open opens the list with the given arguments: `resume` belongs into its query
 * @throws {ConfigurationError} for a key or function of another type
 * @example
 * useInfiniteQuery(infiniteQueryOptions(["stores"], (page, options) => store.stores.list({ ...page, limit: 50 },
 * options)));
 */
export function infiniteQueryOptions<Page extends ResumablePage, const Key extends QueryKey>(
  queryKey: Key,
  open: (page: { resume: string | undefined }, options: CallOptions) => PromiseLike<Page>,
): InfiniteReadOptions<Page, Key> {
  checkArguments("infiniteQueryOptions", queryKey, open);
  return {
    queryKey,
    queryFn: async ({ signal, pageParam }) => {
      let isRead = pageParam === undefined;
      const position = {
        get resume() {
          isRead = true;
          return pageParam;
        },
      };
      const page = await open(position, { signal });
      if (isRead && (page.resume === null || page.resume !== pageParam)) return page;
      throw new ConfigurationError("infiniteQueryOptions: `resume` must be in the query of the list");
    },
    initialPageParam: undefined,
    getNextPageParam: ({ resume }) => resume,
    retry: false,
  };
}

function checkArguments(name: string, queryKey: unknown, call: unknown): void {
  if (!Array.isArray(queryKey)) throw new ConfigurationError(`${name}: the query key must be an array`);
  if (typeof call !== "function") {
    throw new ConfigurationError(`${name}: the second argument must be a function that makes the call`);
  }
}
