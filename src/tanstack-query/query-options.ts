import type { InfiniteData, QueryFunctionContext, QueryKey } from "@tanstack/query-core";
import { ConfigurationError } from "../core/errors/errors.ts";
import type { CallOptions } from "../core/options/options.ts";

/** What `useQuery`, `fetchQuery` and the like take. */
export interface ReadOptions<T, Key extends QueryKey> {
  queryKey: Key;
  /** Makes the call, which ends when the query is cancelled. */
  queryFn: (context: QueryFunctionContext<Key>) => Promise<T>;
  /** The client retries, and TanStack Query does not retry on top of it. */
  retry: false;
}

/** A page of any list of either client. */
export interface ResumablePage {
  resume: string | null;
}

/** What `useInfiniteQuery`, `fetchInfiniteQuery` and the like take. */
export interface InfiniteReadOptions<Page extends ResumablePage, Key extends QueryKey> {
  queryKey: Key;
  /** Reads one page, from the `resume` of the page before. */
  queryFn: (context: QueryFunctionContext<Key, string | undefined>) => Promise<Page>;
  initialPageParam: string | undefined;
  /** The `resume` of the last page; null after the end. */
  getNextPageParam: (last: Page) => string | null;
  /** The client retries, and TanStack Query does not retry on top of it. */
  retry: false;
  /** Fixes the type of the data; there is no value. */
  select?: (data: InfiniteData<Page, string | undefined>) => InfiniteData<Page, string | undefined>;
}

/**
 * Makes the options of a query that reads one thing. When the query is cancelled, its request is aborted.
 * @param queryKey identifies what is read, its IDs and filters included
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
 * Makes the options of an infinite query over the pages of a list. When the query is cancelled, its request is aborted.
 * @param queryKey identifies the list, its IDs and filters included
 * @param open opens the list with what is given: `resume` belongs into its query
 * @throws {ConfigurationError} for a key or function of another type
 * @example
 * useInfiniteQuery(infiniteQueryOptions(["stores"], (page, options) => store.stores.list({ ...page, limit: 50 }, options)));
 */
export function infiniteQueryOptions<Page extends ResumablePage, const Key extends QueryKey>(
  queryKey: Key,
  open: (page: { resume: string | undefined }, options: CallOptions) => PromiseLike<Page>,
): InfiniteReadOptions<Page, Key> {
  checkArguments("infiniteQueryOptions", queryKey, open);
  return {
    queryKey,
    queryFn: async ({ signal, pageParam }) => open({ resume: pageParam }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ resume }) => resume,
    retry: false,
  };
}

function checkArguments(name: string, queryKey: unknown, call: unknown): void {
  if (!Array.isArray(queryKey)) throw new ConfigurationError(`${name}: the query key must be an array`);
  if (typeof call !== "function") {
    throw new ConfigurationError(`${name} takes a function that makes the call with the given options`);
  }
}
