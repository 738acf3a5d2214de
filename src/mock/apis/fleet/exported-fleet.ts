import type { JsonObject } from "../../../../generated/fleet.ts";
import { archiveKey, type FleetData, type FleetResource, fleetResources, type FleetRow } from "./data.ts";
import { deepCopy, type SeededMap } from "../../seed/seeded-map.ts";
import { isObject } from "../../../wire/json.ts";
import { namesOf, tableOf } from "../../../wire/names.ts";
import { elementsAt, idAt, objectAt } from "../../seed/state-checks.ts";

/** Rows of the fleet API by resource, each with its ID, in the order of the lists. */
export type ExportedRows = { [Resource in FleetResource]?: JsonObject[] };

/** The data of one environment of the fleet API as JSON. */
export type ExportedFleet = ExportedRows & {
  /** The deleted rows, which some readings still show. */
  archived?: ExportedRows;
};

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

type Rows = ReadonlyMap<string, FleetRow>;

/** A validated copy of the exported rows of one environment, by the names of its collections. Do not change it. */
export type ImportedFleet = Readonly<Record<keyof FleetData, Rows>>;

/** Validates and copies the exported rows of one environment. Throws an error that names the invalid place. */
export function importFleet(value: unknown, place: string): ImportedFleet {
  const state = objectAt(value ?? {}, place, [...fleetResources, "archived"]);
  const archived = objectAt(state.archived ?? {}, `${place}.archived`, fleetResources);
  const deleted = new Map<string, FleetRow>();
  const imported = tableOf(fleetResources, (resource) => {
    const rows = rowsAt(state[resource], `${place}.${resource}`);
    for (const [id, row] of rowsAt(archived[resource], `${place}.archived.${resource}`))
      deleted.set(archiveKey(resource, id), row);
    return rows;
  });
  return { ...imported, archived: deleted };
}

function rowsAt(value: unknown, place: string): Rows {
  const rows = new Map<string, FleetRow>();
  for (const [index, element] of elementsAt(value, place).entries()) {
    const row = objectAt(element, `${place}[${index}]`);
    const id = idAt(row.id, `${place}[${index}].id`);
    if (rows.has(id)) throw new Error(`${place}[${index}].id: duplicate row "${id}"`);
    rows.set(id, deepCopy({ ...row, id }));
  }
  return rows;
}

/** Fills an environment with imported rows. They are copied on first access. */
export function seedImportedFleet(data: FleetData, imported: ImportedFleet): void {
  for (const name of namesOf(imported)) data[name].seedCopies(imported[name]);
}
