import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetContext } from "./context.ts";

/** `meta.filters`: what was sent, and what stands for a filter that was not. gap fleet.unsent-filters */
export function filtersMeta({ query, readings }: FleetContext, names: readonly string[]): JsonObject {
  const filters: JsonObject = {};
  for (const name of names) {
    const sent = query[name];
    if (sent !== undefined) filters[name] = sent;
    else if (readings["fleet.unsent-filters"] === "null-value") filters[name] = null;
    else if (readings["fleet.unsent-filters"] === "empty-text") filters[name] = "";
  }
  return filters;
}

/** Whether one of the texts contains what is searched for, in small letters or capitals. */
export function matches(search: string, texts: readonly unknown[]): boolean {
  const wanted = search.toLowerCase();
  return texts.some((text) => typeof text === "string" && text.toLowerCase().includes(wanted));
}
