import type { ReferenceState } from "../../mock/index.ts";
import { type JsonObject, objectsIn } from "../../wire/json.ts";
import type { Task } from "../model.ts";
import { fleetSeed, HOUR, NOW, ROWS, times } from "./seeds.ts";

/** Every third template is inactive. */
const templates = times(130, (number) => ({
  id: `template-${number - 1}`,
  title: `Check ${number - 1}`,
  isActive: (number - 1) % 3 !== 0,
}));

const INSPECTION_IDS = times(4, (number) => `10000000-0000-4000-8000-00000000000${number}`);

/** A fleet whose damages are not in the order of their times. */
const inspected = fleetSeed({
  inspectionTemplates: 3,
  vehicles: times(8, (number) => ({
    id: `vehicle-${number}`,
    plateNumber: `WX ${999 + number}`,
    brand: "MAN",
    model: `TGX ${number - 1}`,
    vin: `VIN0000000000000${number - 1}`,
    type: "TRACTOR_UNIT",
  })),
  damages: times(9, (number) => ({
    id: `damage-${number}`,
    vehicleId: `vehicle-${((number - 1) % 8) + 1}`,
    description: `Scratch ${number}`,
    photoUrl: `https://images.example.com/${number - 1}.jpg`,
    reportedAt: new Date(Date.parse(NOW) - ((((number - 1) * 5) % 9) + 1) * 24 * HOUR).toISOString(),
  })),
  inspections: INSPECTION_IDS.map((id, index) => ({
    id,
    vehicleIds: [`vehicle-${index + 1}`],
    performedAt: "2026-01-02T08:00:00.000Z",
    notes: `Round ${index + 1}`,
    location: { title: "Yard", latitude: 52.1, longitude: 21.2 },
  })),
});

type Rows = Map<string, JsonObject>;

/** Adds rows under keys that no server uses. */
function addRows(rows: Rows, added: unknown): void {
  for (const [index, row] of objectsIn(added).entries()) rows.set(`new-${index}`, { ...row });
}

function changeRows(rows: Rows, changes: unknown): void {
  for (const { id, ...changed } of objectsIn(changes))
    rows.set(String(id), { ...rows.get(String(id)), ...changed });
}

/** Returns the ID of the damage with the earliest `reportedAt`. */
function oldestDamage({ fleet }: ReferenceState): string {
  const rows = [...fleet.damages.values()];
  const [oldest] = rows.toSorted((a, b) => String(a["reportedAt"]).localeCompare(String(b["reportedAt"])));
  return String(oldest?.["id"]);
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
      "Deliver once every inspection template, active or not; if `isActive` is given, only those with this value. " +
      "Deliver id, title, version and isActive.",
    data: { columns: ["id", "title", "version", "isActive"] },
    seed: fleetSeed({ inspectionTemplates: templates }),
    rows: ({ fleet }, { isActive }) =>
      [...fleet.inspectionTemplates.values()].filter(
        (template) => isActive === undefined || template["isActive"] === isActive,
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
    data: { vehicles: [2, 3, 5].map((number) => ({ id: `vehicle-${number}`, brand: "DAF" })) },
    seed: inspected,
    apply: ({ fleet }, { vehicles }) => changeRows(fleet.vehicles, vehicles),
  },
  "change-inspections": {
    operation: "updateInspection",
    words: "Change the notes of these inspections. Everything else about them stays as it is.",
    data: { inspections: INSPECTION_IDS.slice(1, 3).map((id) => ({ id, notes: "Checked" })) },
    seed: inspected,
    apply: ({ fleet }, { inspections }) => changeRows(fleet.inspections, inspections),
  },
  "delete-damages": {
    operation: "deleteDamage",
    words: "Delete these damages, and no others.",
    data: { ids: ["damage-2", "damage-5", "damage-6"] },
    seed: inspected,
    apply({ fleet }, { ids }) {
      if (Array.isArray(ids)) for (const id of ids) fleet.damages.delete(String(id));
    },
  },
  "delete-oldest-damage": {
    operation: "deleteDamage",
    words:
      "Delete the damage with the earliest reportedAt: this one only, however often the program has to run.",
    data: {},
    seed: inspected,
    apply: (state) => void state.fleet.damages.delete(oldestDamage(state)),
  },
} as const satisfies Readonly<Record<string, Task>>;
