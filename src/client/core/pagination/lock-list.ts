import type { DestinationLock } from "../request/destination.ts";
import { sourceOf } from "./list.ts";
import type { PageApi } from "./list-call.ts";

/** Gives the walks of a list that was just opened the destination of other calls. Changes no list of another library. */
export function lockList<List>(list: List, lock: DestinationLock): List {
  const call = sourceOf(list)?.call;
  if (call !== undefined) Object.assign(call, { api: lockApi(call.api, lock) });
  return list;
}

/** Returns the API with one destination for all pages. */
export function lockApi(api: PageApi, lock: DestinationLock): PageApi {
  return {
    config: api.config,
    redact: (text) => api.redact(text),
    page: (operation, input, options, _, cancel) => api.page(operation, input, options, lock, cancel),
  };
}
