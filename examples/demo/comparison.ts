import type { DatabaseSync } from "node:sqlite";
import type { ReferenceServer } from "shelfleet/mock";

/** A line of the table: what the service has, and what each program has in the end. */
export interface Comparison {
  readonly name: string;
  readonly service: number;
  readonly naive: string;
  readonly shelfleet: string;
}

/** Describes the IDs that a program has: how many entries they are, how many are missing, there twice, or
 * deleted in the service. */
export function describeIds(found: readonly string[], expected: ReadonlySet<string>): string {
  const distinct = new Set(found);
  const missing = [...expected].filter((id) => !distinct.has(id)).length;
  const twice = found.length - distinct.size;
  const deleted = [...distinct].filter((id) => !expected.has(id)).length;
  const counts = { missing, twice, deleted };
  const notes = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  return notes.length === 0 ? String(found.length) : `${found.length} (${notes.join(", ")})`;
}

/** The IDs in a table of the database. */
export function readIds(db: DatabaseSync, table: string): string[] {
  return db
    .prepare(`SELECT id FROM "${table}"`)
    .all()
    .map(({ id }) => String(id));
}

/** The descriptions of the damages that a service has: each program reports each one once. */
export function readReports(ref: ReferenceServer): string[] {
  return [...ref.state.fleet.damages.values()].map(({ description }) => String(description));
}

/** The IDs of the entries that a service has. */
export function readService(ref: ReferenceServer): Readonly<Record<string, ReadonlySet<string>>> {
  const { stores } = ref.state.store;
  const { vehicles, inspections } = ref.state.fleet;
  return {
    stores: new Set([...stores.values()].map(({ storeId }) => storeId)),
    vehicles: new Set(vehicles.keys()),
    inspections: new Set(inspections.keys()),
  };
}

/** The table as text. */
export function formatTable(rows: readonly Comparison[]): string {
  const cells = [
    ["", "service", "naive loop", "shelfleet"],
    ...rows.map(({ name, service, naive, shelfleet }) => [name, String(service), naive, shelfleet]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}
