import type { JsonObject } from "../../../../../generated/fleet.ts";
import { deepCopy } from "../../../seed/deep-copy.ts";
import { SeedKeys } from "../../../seed/seed-keys.ts";
import type { SeededMap } from "../../../seed/seeded-map.ts";
import { elementsAt, idAt, objectAt } from "../../../seed/state-checks.ts";
import { type FleetData, archiveKey, fleetResources } from "../data.ts";

type Rows = ReadonlyMap<string, JsonObject>;

/** A validated copy of the exported rows of one environment, by the names of its collections. Do not change it. */
export type ImportedFleet = Readonly<Record<keyof FleetData, Rows>>;

/** Validates and copies the exported rows of one environment. Throws an error that names the invalid place. */
export function importFleet(value: unknown, place: string): ImportedFleet {
  const state = objectAt(value ?? {}, place, [...fleetResources, "archived"]);
  const archived = objectAt(state.archived ?? {}, `${place}.archived`, fleetResources);
  const deleted = new Map<string, JsonObject>();
  const imported: Partial<Record<keyof FleetData, Rows>> = { archived: deleted };
  for (const resource of fleetResources) {
    imported[resource] = rowsAt(state[resource], `${place}.${resource}`);
    for (const [id, row] of rowsAt(archived[resource], `${place}.archived.${resource}`))
      deleted.set(archiveKey(resource, id), row);
  }
  return imported as ImportedFleet; // the loop has set every resource
}

function rowsAt(value: unknown, place: string): Rows {
  const rows = new Map<string, JsonObject>();
  for (const [index, element] of elementsAt(value, place).entries()) {
    const row = objectAt(element, `${place}[${index}]`);
    const id = idAt(row.id, `${place}[${index}].id`);
    if (rows.has(id)) throw new Error(`${place}[${index}].id: duplicate row "${id}"`);
    rows.set(id, deepCopy(row));
  }
  return rows;
}

/** Fills an environment with imported rows. They are copied on first access. */
export function seedImportedFleet(data: FleetData, imported: ImportedFleet): void {
  for (const [name, rows] of Object.entries(imported)) {
    const collection: SeededMap<JsonObject> = data[name as keyof FleetData];
    collection.seed(new SeedKeys(rows.keys()), (id) => deepCopy(rows.get(id) ?? { id }));
  }
}
