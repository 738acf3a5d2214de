import type { DestinationLock } from "../request/destination.ts";
import type { PageApi } from "./list-call.ts";

/** Returns the API with one destination for all pages. */
export function lockApi(api: PageApi, lock: DestinationLock): PageApi {
  return {
    config: api.config,
    page: (operation, input, options, _, cancel) => api.page(operation, input, options, lock, cancel),
  };
}
