export {
  type InfiniteReadOptions,
  infiniteQueryOptions,
  queryOptions,
  type ReadOptions,
  type ResumablePage,
} from "./query-options.ts";
