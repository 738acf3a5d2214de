import type { JsonObject } from "../../../../../generated/fleet.ts";
import type { SeededMap } from "../../../seed/seeded-map.ts";
import { type FleetData, archiveKey, fleetResources } from "../data.ts";
import { isObject } from "../../../../wire/json.ts";
import type { ExportedFleet, ExportedRows } from "./exported.ts";

/** Returns the data of one environment as plain JSON; `place` names it in errors. */
export function exportFleet(data: FleetData, place: string): ExportedFleet {
  const exported: ExportedFleet = {};
  for (const resource of fleetResources) {
    const rows = data[resource];
    exported[resource] = rows.keyList().map((id) => exportRow(rows, id, id, `${place}.${resource}`));
  }
  const archived = exportArchived(data, `${place}.archived`);
  return Object.keys(archived).length === 0 ? exported : { ...exported, archived };
}

/** The keys of deleted rows are `resource/id`. */
function exportArchived({ archived }: FleetData, place: string): ExportedRows {
  const exported: ExportedRows = {};
  for (const resource of fleetResources) {
    const prefix = archiveKey(resource, "");
    const keys = archived.keyList().filter((key) => key.startsWith(prefix));
    if (keys.length === 0) continue;
    exported[resource] = keys.map((key) =>
      exportRow(archived, key, key.slice(prefix.length), `${place}.${resource}`),
    );
  }
  return exported;
}

function exportRow(rows: SeededMap<JsonObject>, key: string, id: string, place: string): JsonObject {
  const row = rows.plain(key);
  if (isObject(row) && row.id === id) return row;
  throw new Error(`${place}: the row "${id}" must have its key as id`);
}
