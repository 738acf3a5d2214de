import type { Store } from "../../../../generated/store.ts";
import type { JsonObject } from "../../../wire/json.ts";
import type { Task, WriteGoal } from "../model.ts";
import type { ReferenceState } from "../../state.ts";
import { EMPTY_FLEET, NOW } from "./copies.ts";

const REGION = "7d0cbb6c-9c53-4d9c-8a5e-0b6f5f3b1c11";
const SCHEDULE = "2f8f4b0e-1d3e-4a52-9a0b-9d7c9f6b2a22";

/** A store of which every property has a value, so that each loss is visible. */
function fullStore(index: number) {
  return {
    externalId: `S-${index}`,
    name: `Kiosk ${index}`,
    location: `Street ${index}`,
    regionId: REGION,
    storeType: "Kiosk" as const,
    openingTimes: [{ weekday: index % 7, from: "06:00", to: "22:00" }],
    protocolScheduleId: SCHEDULE,
    protocolCronEnabled: true,
    onboardingComplete: true,
    loginCode: `code-${index}`,
  };
}

const EXPOSITION_IDS = [1, 2, 3].map((index) => `00000000-0000-4000-8000-00000000000${index}`);

const TYPES = ["FRIDGE_DRINKS", "ROLLS_BREAD_RACK", "FRIDGE_SALADS"] as const;

function lists(index: number) {
  return {
    contacts: [
      { name: `Anna ${index}`, phone: `+48 1${index}`, email: `anna${index}@example.com` },
      {
        name: `Bo ${index}`,
        phone: `+48 2${index}`,
        hasWhatsapp: true,
        contactType: "regional_manager" as const,
      },
    ],
    expositions: TYPES.map((expositionType, place) => ({
      expositionId:
        index === 2 ? String(EXPOSITION_IDS[place]) : `00000000-0000-4000-8000-0000000000${index}${place}`,
      label: `Rack ${place + 1}`,
      friendlyTitle: `Title ${place + 1}`,
      productCategories: ["DRINKS" as const],
      expositionType,
      status: "active" as const,
    })),
  };
}

const STORES = {
  now: NOW,
  store: { stores: [1, 2, 3, 4, 5, 6].map((index) => ({ ...fullStore(index), ...lists(index) })) },
  fleet: EMPTY_FLEET,
};

type Write = Omit<Task, "api" | "world" | "goal"> & Pick<WriteGoal, "apply">;

function storeWrite({ apply, ...task }: Write): Task {
  return { ...task, api: "store", world: STORES, goal: { kind: "write", apply } };
}

function fleetWrite({ apply, ...task }: Write): Task {
  return { ...task, api: "fleet", world: FLEET, goal: { kind: "write", apply } };
}

function objects(value: unknown): JsonObject[] {
  return value as JsonObject[];
}

/** Gives a new row a key that no server uses. */
function addRows(rows: Map<string, JsonObject>, added: readonly JsonObject[]): void {
  for (const [index, row] of added.entries()) rows.set(`new ${index}`, { ...row });
}

export const changeStores = storeWrite({
  name: "change-stores",
  operation: "putStore",
  words: "Give each of these stores its new name. Everything else about them stays as it is.",
  data: {
    stores: [2, 4, 5].map((index) => ({ externalId: `S-${index}`, name: `Renamed ${index}` })),
  },
  apply({ store }, { stores }) {
    for (const { externalId, name } of objects(stores)) {
      const before = store.stores.get(String(externalId));
      if (before !== undefined) store.stores.set(String(externalId), { ...before, name: String(name) });
    }
  },
});

export const createStores = storeWrite({
  name: "create-stores",
  operation: "putStore",
  words: "Create these stores with these properties.",
  data: { stores: [7, 8, 9].map(fullStore) },
  apply({ store }, { stores }) {
    for (const created of objects(stores))
      store.stores.set(String(created["externalId"]), created as unknown as Store);
  },
});

export const addContact = storeWrite({
  name: "add-contact",
  operation: "putContacts",
  words: "Add this contact to the store. Its other contacts stay as they are.",
  data: {
    externalId: "S-2",
    contact: { name: "Cleo", phone: "+48 999", email: null, hasWhatsapp: false, contactType: "store" },
  },
  apply({ store }, { externalId, contact }) {
    store.contacts.get(String(externalId))?.push({ ...(contact as JsonObject) } as never); // IDs are not compared
  },
});

const ADDED = [4, 5].map((index) => ({
  label: `Rack ${index}`,
  friendlyTitle: null,
  productCategories: ["BREADS"],
  expositionType: index === 4 ? "BREADS_BREAD_RACK" : "BREADS_BREAD_BASKETS",
  status: "active",
}));

export const addExpositions = storeWrite({
  name: "add-expositions",
  operation: "putExpositions",
  words: "Add these expositions to the store. Its other expositions stay as they are.",
  data: { externalId: "S-2", expositions: ADDED },
  apply({ store }, { externalId, expositions }) {
    store.expositions
      .get(String(externalId))
      ?.push(...(objects(expositions).map((row) => ({ ...row })) as never[]));
  },
});

export const changeExposition = storeWrite({
  name: "change-exposition",
  operation: "putExpositions",
  words:
    "Give this exposition of the store the new label. Everything else about it and all others stay as they are.",
  data: { externalId: "S-2", expositionId: EXPOSITION_IDS[1], label: "Renamed rack" },
  apply({ store }, { externalId, expositionId, label }) {
    const rows = store.expositions.get(String(externalId)) ?? [];
    const index = rows.findIndex((row) => row.expositionId === expositionId);
    const row = rows[index];
    if (row !== undefined) rows[index] = { ...row, label: String(label) };
  },
});

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

export const reportDamages = fleetWrite({
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
  apply: ({ fleet }, data) => addRows(fleet.damages, objects(data["damages"])),
});

export const submitInspections = fleetWrite({
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
  apply: ({ fleet }, data) => addRows(fleet.inspections, objects(data["inspections"])),
});

function changeRows(rows: Map<string, JsonObject>, changes: unknown): void {
  for (const { id, ...changed } of objects(changes))
    rows.set(String(id), { ...rows.get(String(id)), ...changed });
}

export const changeVehicles = fleetWrite({
  name: "change-vehicles",
  operation: "updateVehicle",
  words: "Change these properties of the vehicles. Everything else about them stays as it is.",
  data: { vehicles: [2, 3, 5].map((index) => ({ id: `vehicle-${index}`, brand: "DAF" })) },
  apply: ({ fleet }, data) => changeRows(fleet.vehicles, data["vehicles"]),
});

export const changeInspections = fleetWrite({
  name: "change-inspections",
  operation: "updateInspection",
  words: "Change the notes of these inspections. Everything else about them stays as it is.",
  data: { inspections: INSPECTION_IDS.slice(1, 3).map((id) => ({ id, notes: "Checked" })) },
  apply: ({ fleet }, data) => changeRows(fleet.inspections, data["inspections"]),
});

export const deleteDamages = fleetWrite({
  name: "delete-damages",
  operation: "deleteDamage",
  words: "Delete these damages, and no others.",
  data: { ids: ["damage-2", "damage-5", "damage-6"] },
  apply({ fleet }, { ids }) {
    for (const id of ids as string[]) fleet.damages.delete(id);
  },
});

/** The ID of the damage with the earliest `reportedAt`. */
function oldestDamage({ fleet }: ReferenceState): string {
  const rows = [...fleet.damages.values()];
  const [oldest] = rows.toSorted((a, b) => String(a["reportedAt"]).localeCompare(String(b["reportedAt"])));
  return String(oldest?.["id"]);
}

export const deleteOldestDamage = fleetWrite({
  name: "delete-oldest-damage",
  operation: "deleteDamage",
  words:
    "Delete the damage with the earliest reportedAt: this one only, however often the program has to run.",
  data: {},
  apply: (state) => void state.fleet.damages.delete(oldestDamage(state)),
});
