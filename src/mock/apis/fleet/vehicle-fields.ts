import { zVehicleFieldEntry, zVehicleFieldEntryListMeta } from "../../../../generated/fleet.schemas.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { filtersMeta, matches, pageResponse, type Rows, rowsIn, sortedKeys } from "./page.ts";
import { stringOf, view } from "./properties.ts";
import { idOf, requireRow, vehicleIdsOf } from "./rows.ts";
import { fallbackStatus, fieldView, groupsOf } from "./views.ts";
import { parseInstant } from "../../../wire/instants.ts";
import { type JsonObject, objectsIn } from "../../../wire/json.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetData, FleetRow } from "./data.ts";

/** `GET /vehicle-fields` */
export const listVehicleFields: FleetHandler = {
  run: (context) => {
    const { data, readings } = context;
    const rows = rowsIn(context, "vehicleFields")
      .slice(0, Infinity)
      .filter((row) => isFoundField(row, context));
    const slice = (from: number, to: number) =>
      rows.slice(from, to).map((row) => fieldView(row, data, readings));
    return pageResponse(
      context,
      { count: rows.length, slice },
      { filters: filtersMeta(context, ["search"]) },
    );
  },
};

/** `GET /vehicle-fields/{id}/vehicles` */
export const listVehicleFieldVehicles: FleetHandler = {
  find: requireRow("vehicleFields"),
  run: (context) => {
    const { id } = context.params;
    const row: FleetRow = { ...context.data.vehicleFields.get(id), id };
    const field = view(row, zVehicleFieldEntryListMeta.shape.field, "present");
    return pageResponse(context, entryRows(context, row), {
      field,
      filters: filtersMeta(context, ["search", "status"]),
    });
  },
};

function isFoundField(row: JsonObject, { data, query, readings }: FleetContext): boolean {
  if (query.search === undefined) return true;
  const groups = groupsOf(row, data).map(({ name }) => name);
  return matches(query.search, [row.label, row.description, ...groups], readings);
}

interface Latest {
  readonly response: JsonObject;
  readonly inspection: JsonObject;
  readonly at: number;
}

/**
 * Returns the vehicles of a field, computed from the inspections.
 *
 * - A template item with the ID of a vehicle field is about that field, so a response to such an item is a response
 *   for the field.
 * - A response belongs to the vehicle in its `vehicleId`, or else to every vehicle of its inspection.
 * - The latest response is that of the inspection performed last; at the same instant, the one submitted last.
 * - Its value selects an option of the field, by value or else by label; the vehicle has the status of that option.
 */
function entryRows(context: FleetContext, field: FleetRow): Rows {
  const { data, query, readings } = context;
  const latest = latestByVehicle(data, field.id);
  const status = (id: string) => statusOf(latest.get(id), field, readings);
  const isFound = (id: string) =>
    query.search === undefined || matchesVehicle(data.vehicles.get(id), query.search, readings);
  const isWanted = (id: string) => query.status === undefined || status(id) === query.status;
  const ids = vehicleIds(context, latest);
  const isFiltered = query.search !== undefined || query.status !== undefined;
  const matchingIds = isFiltered ? ids.filter((id) => isWanted(id) && isFound(id)) : ids;
  return {
    count: matchingIds.length,
    slice: (from, to) =>
      matchingIds.slice(from, to).map((id) => {
        const row = { ...data.vehicles.get(id), vehicleId: id, latestResponse: responseTo(latest.get(id)) };
        return view(row, zVehicleFieldEntry, readings["fleet.absent-properties"], {
          status: status(id),
          ...(!latest.has(id) && { latestResponse: NO_RESPONSE[readings["fields.no-response"]] }),
        });
      }),
  };
}

/** Returns each vehicle once, without deleted ones. gap fields.no-response */
function vehicleIds(context: FleetContext, latest: ReadonlyMap<string, Latest>): readonly string[] {
  const ids = sortedKeys(context, "vehicles");
  if (context.readings["fields.no-response"] !== "left-out") return ids;
  return ids.filter((id) => latest.has(id));
}

function latestByVehicle(data: FleetData, fieldId: string): Map<string, Latest> {
  const latest = new Map<string, Latest>();
  for (const inspection of data.inspections.values()) {
    const at = performedInstant(inspection.performedAt);
    for (const response of objectsIn(inspection.responses)) {
      if (idOf(response, "templateItem") !== fieldId) continue;
      for (const id of respondedVehicles(response, inspection)) {
        const before = latest.get(id);
        if (before === undefined || at >= before.at) latest.set(id, { response, inspection, at });
      }
    }
  }
  return latest;
}

function respondedVehicles(response: JsonObject, inspection: JsonObject): string[] {
  const own = idOf(response, "vehicle");
  return own === undefined ? vehicleIdsOf(inspection) : [own];
}

/** An invalid time is older than every time. */
function performedInstant(performedAt: unknown): number {
  const ms = typeof performedAt === "string" ? parseInstant(performedAt) : Number.NaN;
  return Number.isNaN(ms) ? -Infinity : ms;
}

/** gap fields.no-status-rule */
function statusOf(latest: Latest | undefined, field: JsonObject, readings: MockReadings): string | undefined {
  const value = stringOf(latest?.response.responseText);
  const options = field.hasStatusRule === true && value !== undefined ? objectsIn(field.options) : [];
  const chosen =
    options.find((option) => option.value === value) ?? options.find((option) => option.label === value);
  return stringOf(chosen?.status) ?? fallbackStatus(field, readings);
}

function matchesVehicle(vehicle: JsonObject | undefined, search: string, readings: MockReadings): boolean {
  return matches(search, [vehicle?.plateNumber, vehicle?.brand, vehicle?.model], readings);
}

/** The latest response of a vehicle without one. gap fields.no-response */
const NO_RESPONSE: Record<MockReadings["fields.no-response"], null | undefined> = {
  "null-response": null,
  "absent-response": undefined,
  "left-out": undefined,
};

function responseTo(latest: Latest | undefined): JsonObject | undefined {
  if (latest === undefined) return undefined;
  const { response, inspection } = latest;
  const { responseText: value, updatedAt = inspection.performedAt } = response;
  return { ...response, inspectionId: inspection.id, value, updatedAt };
}
