import type { JsonObject, Pagination } from "../../../../generated/fleet.ts";
import type { ApiResponse } from "../../http/api-response.ts";
import { fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../wire/operation.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetContext } from "./context.ts";
import type { FleetResource, FleetRow } from "./data.ts";
import { fleetErrors } from "./errors.ts";
import { applyPagingFault, type NumberedPage } from "./faulty-pages.ts";

/** The meta of every successful response, with the additions of an operation. */
interface Meta {
  pagination?: Pagination;
  [property: string]: unknown;
}

export function envelope(data: unknown, meta: Meta = {}, status = 200): ApiResponse {
  return { status, body: { data, meta: { version: "v1", ...meta } } };
}

/** The rows of a list; counting them does not create them. */
export interface Rows<Row extends JsonObject = JsonObject> {
  readonly count: number;
  /** Returns the rows from one index up to, but not including, another. */
  slice(from: number, to: number): Row[];
}

/** Returns all rows of a resource; the last page costs as much as the first. */
export function rowsIn(context: FleetContext, resource: FleetResource): Rows<FleetRow> {
  const keys = sortedKeys(context, resource);
  const rows = context.data[resource];
  return {
    count: keys.length,
    slice: (from, to) => keys.slice(from, to).flatMap((key) => rows.get(key) ?? []),
  };
}

/** A property of each resource that several rows share. */
const SHARED: Readonly<Record<FleetResource, string>> = {
  vehicles: "brand",
  vehicleGroups: "kind",
  vehicleFields: "inputType",
  inspections: "templateId",
  inspectionTemplates: "isActive",
  damages: "status",
  driverAssignments: "vehicleId",
};

/** Returns the IDs of a resource in the order of its list; a changed row is the last key. gap lists.fleet-order */
export function sortedKeys({ data, readings }: FleetContext, resource: FleetResource): readonly string[] {
  const keys = data[resource].keyList();
  switch (readings["lists.fleet-order"]) {
    case "fixed":
      return keys;
    case "last-change":
      return keys.toReversed();
    case "shared-value": {
      const valueOf = (key: string) => String(data[resource].get(key)?.[SHARED[resource]]);
      return keys.toSorted((a, b) => (valueOf(a) < valueOf(b) ? -1 : Number(valueOf(a) > valueOf(b))));
    }
  }
}

/** Returns one page of a list in its envelope, with `meta.pagination`. */
export function pageResponse(context: FleetContext, rows: Rows, meta: Meta = {}): ApiResponse {
  const { query, readings } = context;
  const limit = query.limit;
  const totalPages = Math.ceil(rows.count / limit);
  const requestedPage = query.page;
  const last = Math.max(totalPages, 1);
  // gap fleet.page-past-end
  const reading = readings["fleet.page-past-end"];
  if (requestedPage > last && reading === "rejected") return respondPastEnd(last, context);
  const page = reading === "clamped" ? Math.min(requestedPage, last) : requestedPage;
  const faithful: NumberedPage = {
    from: (page - 1) * limit,
    to: page * limit,
    pagination: {
      currentPage: page,
      totalPages,
      totalCount: rows.count,
      hasNextPage: page < totalPages,
      hasPreviousPage: page > 1,
    },
  };
  const { from, to, pagination } = applyPagingFault(context.paging, faithful, limit);
  return envelope(rows.slice(from, to), { pagination, ...meta });
}

function respondPastEnd(last: number, { readings }: FleetContext): ApiResponse {
  const issues = [{ path: "page", message: `must be at most ${last}` }];
  return { ...fleetErrors.invalid(issues, readings), violations: issues };
}

const operations: Readonly<Record<string, Operation>> = fleetOperations;

/** Whether the contract does not show the filters and the shape of a list. gaps lists.undocumented, lists.unknown-filters */
export function isUndocumentedList(operation: string): boolean {
  return operations[operation]?.list?.isDocumented === false;
}

/** Whether a list has no pages, so that `page` and `limit` are unknown parameters. gap lists.undocumented */
export function isUnpaged(operation: string, readings: MockReadings): boolean {
  return readings["lists.undocumented"] === "whole" && isUndocumentedList(operation);
}

/** Returns the response of a list whose shape the contract does not show. gap lists.undocumented */
export function undocumentedPageResponse(context: FleetContext, rows: Rows): ApiResponse {
  if (context.readings["lists.undocumented"] === "whole") return envelope(rows.slice(0, rows.count));
  return pageResponse(context, rows);
}

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
