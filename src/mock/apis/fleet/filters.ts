import type { JsonObject } from "../../../../generated/fleet.ts";
import type { MockReadings } from "../../server/readings.ts";
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

/** Whether the search finds one of the values, ignoring case. gap fleet.search */
export function matches(search: string, values: readonly unknown[], readings: MockReadings): boolean {
  const wanted = search.toLowerCase();
  return values.some((value) => typeof value === "string" && isMatch(value.toLowerCase(), wanted, readings));
}

function isMatch(value: string, wanted: string, readings: MockReadings): boolean {
  switch (readings["fleet.search"]) {
    case "part":
      return value.includes(wanted);
    case "whole-value":
      return value === wanted;
    case "every-word":
      return wanted.split(/\s+/).every((word) => value.includes(word));
  }
}
