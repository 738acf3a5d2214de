import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetContext } from "./context.ts";

/** Returns `meta.filters`: sent filters, and the value of those that were not sent. gap fleet.unsent-filters */
export function filtersMeta({ query, readings }: FleetContext, names: readonly string[]): JsonObject {
  const filters: JsonObject = {};
  for (const name of names) {
    const sent = query[name];
    if (sent !== undefined) filters[name] = sent;
    else if (readings["fleet.unsent-filters"] === "null-value") filters[name] = null;
    else if (readings["fleet.unsent-filters"] === "empty-string") filters[name] = "";
  }
  return filters;
}

/** Whether one of the strings contains the search string, ignoring case. */
export function matches(search: string, texts: readonly unknown[]): boolean {
  const wanted = search.toLowerCase();
  return texts.some((text) => typeof text === "string" && text.toLowerCase().includes(wanted));
}
