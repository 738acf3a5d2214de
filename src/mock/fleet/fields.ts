import { zVehicleFieldEntry, zVehicleFieldEntryListMeta } from "../../../generated/fleet.schemas.ts";
import { parseInstant } from "../server/instants.ts";
import { type JsonObject, objectsIn } from "../../wire/json.ts";
import type { FleetCall, Handler } from "../server/call.ts";
import type { Is } from "../server/readings.ts";
import type { FleetData, FleetRow } from "./data.ts";
import { filtersMeta, matchesSearch, pageReply, type Rows, rowsIn, sortedKeys } from "./pages.ts";
import { idOf, stringOf, vehicleIdsOf } from "./references.ts";
import { requireRow } from "./rows.ts";
import { view } from "./view.ts";
import { fallbackStatus, fieldView, groupsOf } from "./views.ts";

/** `GET /vehicle-fields` */
export const listVehicleFields: Handler<FleetCall> = {
  run: (call) => {
    const { query, fleet, is } = call;
    const all = rowsIn(call, "vehicleFields");
    const rows = all.slice(0, all.count).filter((row) => {
      const groups = groupsOf(row, fleet).map(({ name }) => name);
      return (
        query.search === undefined || matchesSearch(query.search, [row.label, row.description, ...groups], is)
      );
    });
    const slice = (from: number, to: number) => rows.slice(from, to).map((row) => fieldView(row, call));
    return pageReply(call, { count: rows.length, slice }, { filters: filtersMeta(call, ["search"]) });
  },
};

/** `GET /vehicle-fields/{id}/vehicles` */
export const listVehicleFieldVehicles: Handler<FleetCall> = {
  find: (call) => requireRow(call, "vehicleFields"),
  run: (call) => {
    const { id } = call.params;
    const row: FleetRow = { ...call.fleet.vehicleFields.get(id), id };
    const field = view(row, zVehicleFieldEntryListMeta.shape.field, "present");
    return pageReply(call, entryRows(call, row), { field, filters: filtersMeta(call, ["search", "status"]) });
  },
};

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
function entryRows(call: FleetCall, field: FleetRow): Rows {
  const { fleet, query, is } = call;
  const latest = latestByVehicle(fleet, field.id);
  const status = (id: string) => statusOf(latest.get(id), field, is);
  const isFound = (id: string) => {
    const vehicle = fleet.vehicles.get(id);
    const texts = [vehicle?.plateNumber, vehicle?.brand, vehicle?.model];
    return query.search === undefined || matchesSearch(query.search, texts, is);
  };
  // gap fields.no-response
  const all = sortedKeys(call, "vehicles");
  const ids = is("fields.no-response", "left-out") ? all.filter((id) => latest.has(id)) : all;
  const isFiltered = query.search !== undefined || query.status !== undefined;
  const isWanted = (id: string) => (query.status === undefined || status(id) === query.status) && isFound(id);
  const matching = isFiltered ? ids.filter(isWanted) : ids;
  const entry = (id: string): JsonObject => {
    const row = { ...fleet.vehicles.get(id), vehicleId: id, latestResponse: responseTo(latest.get(id)) };
    const none = is("fields.no-response", "null-response") ? null : undefined;
    return view(row, zVehicleFieldEntry, call.server.readings["fleet.absent-properties"], {
      status: status(id),
      ...(!latest.has(id) && { latestResponse: none }),
    });
  };
  return { count: matching.length, slice: (from, to) => matching.slice(from, to).map(entry) };
}

function latestByVehicle(data: FleetData, fieldId: string): Map<string, Latest> {
  const latest = new Map<string, Latest>();
  for (const inspection of data.inspections.values()) {
    const instant = parseInstant(stringOf(inspection.performedAt) ?? "");
    const at = Number.isNaN(instant) ? -Infinity : instant; // an invalid time is older than every time
    for (const response of objectsIn(inspection.responses)) {
      if (idOf(response, "templateItem") !== fieldId) continue;
      const own = idOf(response, "vehicle");
      for (const id of own === undefined ? vehicleIdsOf(inspection) : [own]) {
        const before = latest.get(id);
        if (before === undefined || at >= before.at) latest.set(id, { response, inspection, at });
      }
    }
  }
  return latest;
}

/** gap fields.no-status-rule */
function statusOf(latest: Latest | undefined, field: JsonObject, is: Is): string | undefined {
  const value = stringOf(latest?.response.responseText);
  const options = field.hasStatusRule === true && value !== undefined ? objectsIn(field.options) : [];
  const chosen =
    options.find((option) => option.value === value) ?? options.find((option) => option.label === value);
  return stringOf(chosen?.status) ?? fallbackStatus(field, is);
}

function responseTo(latest: Latest | undefined): JsonObject | undefined {
  if (latest === undefined) return undefined;
  const { response, inspection } = latest;
  const { responseText: value, updatedAt = inspection.performedAt } = response;
  return { ...response, inspectionId: inspection.id, value, updatedAt };
}
