import { type JsonObject, objectsIn } from "../../../wire/json.ts";
import type { ReferenceState } from "../../reference-server.ts";
import { NOW } from "./copies.ts";
import { writeTask } from "./writes.ts";

const vehicles = Array.from({ length: 8 }, (_, index) => ({
  id: `vehicle-${index + 1}`,
  plateNumber: `WX ${1000 + index}`,
  brand: "MAN",
  model: `TGX ${index}`,
  vin: `VIN0000000000000${index}`,
  type: "TRACTOR_UNIT",
}));

const DAY = 86_400_000;

/** Damages in an order that is not that of their times. */
const damages = Array.from({ length: 9 }, (_, index) => ({
  id: `damage-${index + 1}`,
  vehicleId: `vehicle-${(index % 8) + 1}`,
  description: `Scratch ${index + 1}`,
  photoUrl: `https://images.example.com/${index}.jpg`,
  reportedAt: new Date(Date.parse(NOW) - (((index * 5) % 9) + 1) * DAY).toISOString(),
}));

const INSPECTION_IDS = [1, 2, 3, 4].map((index) => `10000000-0000-4000-8000-00000000000${index}`);

const inspections = INSPECTION_IDS.map((id, index) => ({
  id,
  vehicleIds: [`vehicle-${index + 1}`],
  performedAt: "2026-01-02T08:00:00.000Z",
  notes: `Round ${index + 1}`,
  location: { title: "Yard", latitude: 52.1, longitude: 21.2 },
}));

const FLEET = {
  now: NOW,
  store: { stores: 0 },
  fleet: {
    vehicles,
    damages,
    vehicleGroups: 0,
    vehicleFields: 0,
    inspections,
    inspectionTemplates: 3,
    driverAssignments: 0,
  },
};

/** Gives a new row a key that no server uses. */
function addRows(rows: Map<string, JsonObject>, added: readonly JsonObject[]): void {
  for (const [index, row] of added.entries()) rows.set(`new-${index}`, { ...row });
}

export const reportDamages = writeTask("fleet", FLEET, {
  name: "report-damages",
  operation: "createDamage",
  words: "Report these damages, each once.",
  data: {
    damages: [1, 2, 3].map((index) => ({
      vehicleId: `vehicle-${index}`,
      description: `Broken mirror ${index}`,
      photoUrl: `https://images.example.com/new-${index}.jpg`,
      status: "TO_REPAIR_NOT_OK",
    })),
  },
  apply: ({ fleet }, data) => addRows(fleet.damages, objectsIn(data["damages"])),
});

export const submitInspections = writeTask("fleet", FLEET, {
  name: "submit-inspections",
  operation: "submitInspection",
  words: "Submit these inspections, each once. No two inspections of the company have the same notes.",
  data: {
    inspections: [1, 2].map((index) => ({
      vehicleIds: [`vehicle-${index}`, `vehicle-${index + 1}`],
      performedAt: `2026-01-1${index}T08:00:00.000Z`,
      notes: `Night round ${index}`,
    })),
  },
  apply: ({ fleet }, data) => addRows(fleet.inspections, objectsIn(data["inspections"])),
});

function changeRows(rows: Map<string, JsonObject>, changes: unknown): void {
  for (const { id, ...changed } of objectsIn(changes))
    rows.set(String(id), { ...rows.get(String(id)), ...changed });
}

export const changeVehicles = writeTask("fleet", FLEET, {
  name: "change-vehicles",
  operation: "updateVehicle",
  words: "Change these properties of the vehicles. Everything else about them stays as it is.",
  data: { vehicles: [2, 3, 5].map((index) => ({ id: `vehicle-${index}`, brand: "DAF" })) },
  apply: ({ fleet }, data) => changeRows(fleet.vehicles, data["vehicles"]),
});

export const changeInspections = writeTask("fleet", FLEET, {
  name: "change-inspections",
  operation: "updateInspection",
  words: "Change the notes of these inspections. Everything else about them stays as it is.",
  data: { inspections: INSPECTION_IDS.slice(1, 3).map((id) => ({ id, notes: "Checked" })) },
  apply: ({ fleet }, data) => changeRows(fleet.inspections, data["inspections"]),
});

export const deleteDamages = writeTask("fleet", FLEET, {
  name: "delete-damages",
  operation: "deleteDamage",
  words: "Delete these damages, and no others.",
  data: { ids: ["damage-2", "damage-5", "damage-6"] },
  apply({ fleet }, { ids }) {
    if (Array.isArray(ids)) for (const id of ids) fleet.damages.delete(String(id));
  },
});

/** The ID of the damage with the earliest `reportedAt`. */
function oldestDamage({ fleet }: ReferenceState): string {
  const rows = [...fleet.damages.values()];
  const [oldest] = rows.toSorted((a, b) => String(a["reportedAt"]).localeCompare(String(b["reportedAt"])));
  return String(oldest?.["id"]);
}

export const deleteOldestDamage = writeTask("fleet", FLEET, {
  name: "delete-oldest-damage",
  operation: "deleteDamage",
  words:
    "Delete the damage with the earliest reportedAt: this one only, however often the program has to run.",
  data: {},
  apply: (state) => void state.fleet.damages.delete(oldestDamage(state)),
});
