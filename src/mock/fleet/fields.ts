import { zVehicleFieldEntry, zVehicleFieldEntryListMeta } from "../../../generated/fleet.schemas.ts";
import { type JsonObject, objectOf, objectsIn } from "../../wire/json.ts";
import type { FleetCall, Handler } from "../server/call.ts";
import type { Reply } from "../server/exchange.ts";
import { parseInstant } from "../server/clock.ts";
import { type FleetData, type FleetRow, idOf, stringOf, vehicleIdsOf } from "./data.ts";
import { filtersMeta, matchesSearch, pageReply, sortedIds } from "./pages.ts";
import { rowOf } from "./handlers.ts";
import { fallbackStatus, view } from "./views.ts";

/** `GET /vehicle-fields/{id}/vehicles` */
export const listVehicleFieldVehicles: Handler<FleetCall> = {
  find: (call) => void rowOf(call, "vehicleFields"),
  run: (call) => {
    const row = rowOf(call, "vehicleFields");
    const field = view(row, zVehicleFieldEntryListMeta.shape.field);
    return entriesReply(call, row, { field, ...filtersMeta(call, ["search", "status"]) });
  },
};

interface Latest {
  readonly response: JsonObject;
  readonly inspection: JsonObject;
  readonly at: number;
}

/**
 * Returns a page of the vehicles of a field, computed from the inspections.
 *
 * - A template item with the ID of a vehicle field is about that field, so a response to such an item is a response
 *   for the field.
 * - A response belongs to the vehicle in its `vehicleId`, or else to every vehicle of its inspection.
 * - The latest response is that of the inspection performed last; at the same instant, the one submitted last.
 * - Its value selects an option of the field, by value or else by label; the vehicle has the status of that option.
 */
function entriesReply(call: FleetCall, field: FleetRow, meta: JsonObject): Reply {
  const { fleet, query } = call;
  const latest = latestByVehicle(fleet, field.id);
  const isWanted = (id: string): boolean => {
    if (!latest.has(id)) return false; // gap fields.no-response
    if (query.status !== undefined && statusOf(latest.get(id), field) !== query.status) return false;
    if (query.search === undefined) return true;
    const { plateNumber, brand, model } = objectOf(fleet.vehicles.get(id));
    return matchesSearch(query.search, [plateNumber, brand, model]);
  };
  const show = (id: string): JsonObject => {
    const row = { ...fleet.vehicles.get(id), vehicleId: id, latestResponse: responseTo(latest.get(id)) };
    return view(row, zVehicleFieldEntry, { status: statusOf(latest.get(id), field) });
  };
  return pageReply(call, sortedIds(call, "vehicles").filter(isWanted), show, meta);
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
