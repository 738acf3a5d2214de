import { objectsIn, stringsIn } from "../../wire/json.ts";
import { changeRow, fleetSeed, HOUR, NOW, ROWS, type Task, times } from "../task.ts";

const INSPECTIONS = times(4, (number) => ({ id: `10000000-0000-4000-8000-00000000000${number}` }));

/** A fleet whose damages are not in the order of their times. */
const inspected = fleetSeed({
  inspectionTemplates: 3,
  vehicles: 8,
  damages: times(9, (number) => ({
    id: `damage-${number}`,
    reportedAt: new Date(Date.parse(NOW) - ((number * 5) % 9) * 24 * HOUR).toISOString(),
  })),
  inspections: INSPECTIONS,
});

/** Adds rows under keys that no server uses. */
function addRows(rows: Map<string, object>, added: unknown): void {
  for (const [index, row] of objectsIn(added).entries()) rows.set(`new-${index}`, row);
}

function changeRows(rows: Map<string, object>, changes: unknown): void {
  for (const { id, ...changed } of objectsIn(changes)) changeRow(rows, id, changed);
}

/** The tasks of the fleet API. */
export const fleetTasks = {
  "copy-vehicles": {
    operation: "listVehicles",
    words: "Deliver every vehicle once: id, plateNumber, brand and model.",
    data: { columns: ["id", "plateNumber", "brand", "model"] },
    seed: fleetSeed({ vehicles: ROWS }),
    rows: ({ fleet }) => fleet.vehicles.values(),
  },
  "copy-damages": {
    operation: "listDamages",
    words: "Deliver every damage once: id, description, status and reportedAt.",
    data: { columns: ["id", "description", "status", "reportedAt"] },
    seed: fleetSeed({ vehicles: 20, damages: ROWS }),
    rows: ({ fleet }) => fleet.damages.values(),
  },
  "copy-templates": {
    operation: "listInspectionTemplates",
    words:
      "Deliver once every inspection template, active or not; if `isActive` is given, only those with this value. Deliver id, title, version and isActive.",
    data: { columns: ["id", "title", "version", "isActive"] },
    seed: fleetSeed({
      inspectionTemplates: times(130, (number) => ({ id: `template-${number}`, isActive: number % 3 > 0 })),
    }),
    rows: ({ fleet }, { isActive }) =>
      [...fleet.inspectionTemplates.values()].filter(
        (row) => row["isActive"] === (isActive ?? row["isActive"]),
      ),
  },
  "report-damages": {
    operation: "createDamage",
    words: "Report these damages, each once.",
    data: {
      damages: times(3, (number) => ({
        vehicleId: `vehicle-${number}`,
        description: `Broken mirror ${number}`,
        photoUrl: `https://images.example.com/new-${number}.jpg`,
        status: "TO_REPAIR_NOT_OK",
      })),
    },
    seed: inspected,
    apply: ({ fleet }, { damages }) => addRows(fleet.damages, damages),
  },
  "submit-inspections": {
    operation: "submitInspection",
    words: "Submit these inspections, each once. No two inspections of the company have the same notes.",
    data: {
      inspections: times(2, (number) => ({
        vehicleIds: [`vehicle-${number}`, `vehicle-${number + 1}`],
        performedAt: `2026-01-1${number}T08:00:00.000Z`,
        notes: `Night round ${number}`,
      })),
    },
    seed: inspected,
    apply: ({ fleet }, { inspections }) => addRows(fleet.inspections, inspections),
  },
  "change-vehicles": {
    operation: "updateVehicle",
    words: "Change these properties of the vehicles. Everything else about them stays as it is.",
    data: { vehicles: [2, 3, 5].map((number) => ({ id: `vehicle-${number}`, brand: "Renault" })) },
    seed: inspected,
    apply: ({ fleet }, { vehicles }) => changeRows(fleet.vehicles, vehicles),
  },
  "change-inspections": {
    operation: "updateInspection",
    words: "Change the notes of these inspections. Everything else about them stays as it is.",
    data: { inspections: INSPECTIONS.slice(1, 3).map(({ id }) => ({ id, notes: "Checked" })) },
    seed: inspected,
    apply: ({ fleet }, { inspections }) => changeRows(fleet.inspections, inspections),
  },
  "delete-damages": {
    operation: "deleteDamage",
    words: "Delete these damages, and no others.",
    data: { ids: ["damage-2", "damage-5", "damage-6"] },
    seed: inspected,
    apply: ({ fleet }, { ids }) => stringsIn(ids).forEach((id) => fleet.damages.delete(id)),
  },
  "delete-oldest-damage": {
    operation: "deleteDamage",
    words:
      "Delete the damage with the earliest reportedAt: this one only, however often the program has to run.",
    data: {},
    seed: inspected,
    apply({ fleet: { damages } }) {
      const timeOf = (id: string) => String(damages.get(id)?.["reportedAt"]);
      const [oldest = ""] = [...damages.keys()].toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
      damages.delete(oldest);
    },
  },
} as const satisfies Readonly<Record<string, Task>>;
