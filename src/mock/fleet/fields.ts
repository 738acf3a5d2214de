import { zVehicleFieldEntry, zVehicleFieldEntryListMeta } from "../../../generated/fleet.schemas.ts";
import { type JsonObject, objectsIn } from "../../wire/json.ts";
import type { FleetCall, Handler } from "../server/call.ts";
import { parseInstant } from "../server/instants.ts";
import type { FleetData, FleetRow } from "./data.ts";
import { filtersMeta, matchesSearch, pageReply, type Rows, rowsIn, sortedKeys } from "./pages.ts";
import { idOf, rowOf, stringOf, vehicleIdsOf } from "./rows.ts";
import { fallbackStatus, fieldView, groupsOf, view } from "./views.ts";

/** `GET /vehicle-fields` */
export const listVehicleFields: Handler<FleetCall> = {
  run: (call) => {
    const { query, fleet } = call;
    const all = rowsIn(call, "vehicleFields");
    const rows = all.slice(0, all.count).filter((row) => {
      const groups = groupsOf(row, fleet).map(({ name }) => name);
      return (
        query.search === undefined || matchesSearch(query.search, [row.label, row.description, ...groups])
      );
    });
    const slice = (from: number, to: number) => rows.slice(from, to).map((row) => fieldView(row, call));
    return pageReply(call, { count: rows.length, slice }, { filters: filtersMeta(call, ["search"]) });
  },
};

/** `GET /vehicle-fields/{id}/vehicles` */
export const listVehicleFieldVehicles: Handler<FleetCall> = {
  find: (call) => void rowOf(call, "vehicleFields"),
  run: (call) => {
    const row = rowOf(call, "vehicleFields");
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
  const { fleet, query, server } = call;
  const latest = latestByVehicle(fleet, field.id);
  const isWanted = (id: string): boolean => {
    const vehicle = fleet.vehicles.get(id);
    const texts = [vehicle?.plateNumber, vehicle?.brand, vehicle?.model];
    const isFound = query.search === undefined || matchesSearch(query.search, texts);
    return isFound && (query.status === undefined || statusOf(latest.get(id), field) === query.status);
  };
  // gap fields.no-response: a vehicle without a response is left out
  const answered = sortedKeys(call, "vehicles").filter((id) => latest.has(id));
  const ids = query.search === undefined && query.status === undefined ? answered : answered.filter(isWanted);
  const entry = (id: string): JsonObject => {
    const row = { ...fleet.vehicles.get(id), vehicleId: id, latestResponse: responseTo(latest.get(id)) };
    const absent = server.readings["fleet.absent-properties"];
    return view(row, zVehicleFieldEntry, absent, { status: statusOf(latest.get(id), field) });
  };
  return { count: ids.length, slice: (from, to) => ids.slice(from, to).map(entry) };
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

function statusOf(latest: Latest | undefined, field: JsonObject): string | undefined {
  const value = stringOf(latest?.response.responseText);
  const options = field.hasStatusRule === true && value !== undefined ? objectsIn(field.options) : [];
  const chosen =
    options.find((option) => option.value === value) ?? options.find((option) => option.label === value);
  return stringOf(chosen?.status) ?? fallbackStatus(field);
}

function responseTo(latest: Latest | undefined): JsonObject | undefined {
  if (latest === undefined) return undefined;
  const { response, inspection } = latest;
  const { responseText: value, updatedAt = inspection.performedAt } = response;
  return { ...response, inspectionId: inspection.id, value, updatedAt };
}
