import { objectsIn } from "../../../wire/json.ts";
import type { Task, WriteGoal } from "../model.ts";
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

/** A task that changes the data of an API. */
export function writeTask(api: Task["api"], world: Task["world"], { apply, ...task }: Write): Task {
  return { ...task, api, world, goal: { kind: "write", apply } };
}

export const changeStores = writeTask("store", STORES, {
  name: "change-stores",
  operation: "putStore",
  words: "Give each of these stores its new name. Everything else about them stays as it is.",
  data: {
    stores: [2, 4, 5].map((index) => ({ externalId: `S-${index}`, name: `Renamed ${index}` })),
  },
  apply({ store }, { stores }) {
    for (const { externalId, name } of objectsIn(stores)) {
      const before = store.stores.get(String(externalId));
      if (before !== undefined) store.stores.set(String(externalId), { ...before, name: String(name) });
    }
  },
});

export const createStores = writeTask("store", STORES, {
  name: "create-stores",
  operation: "putStore",
  words: "Create these stores with these properties.",
  data: { stores: [7, 8, 9].map(fullStore) },
  apply({ store }, { stores }) {
    const rows: Map<string, object> = store.stores;
    for (const created of objectsIn(stores)) rows.set(String(created["externalId"]), created);
  },
});

/** Adds elements without the properties that a server adds, which are not compared. */
function addElements(list: Map<string, object[]>, externalId: unknown, added: unknown): void {
  list.get(String(externalId))?.push(...objectsIn(added).map((element) => ({ ...element })));
}

export const addContact = writeTask("store", STORES, {
  name: "add-contact",
  operation: "putContacts",
  words: "Add this contact to the store. Its other contacts stay as they are.",
  data: {
    externalId: "S-2",
    contact: { name: "Cleo", phone: "+48 999", email: null, hasWhatsapp: false, contactType: "store" },
  },
  apply({ store }, { externalId, contact }) {
    addElements(store.contacts, externalId, [contact]);
  },
});

const ADDED = [4, 5].map((index) => ({
  label: `Rack ${index}`,
  friendlyTitle: null,
  productCategories: ["BREADS"],
  expositionType: index === 4 ? "BREADS_BREAD_RACK" : "BREADS_BREAD_BASKETS",
  status: "active",
}));

export const addExpositions = writeTask("store", STORES, {
  name: "add-expositions",
  operation: "putExpositions",
  words: "Add these expositions to the store. Its other expositions stay as they are.",
  data: { externalId: "S-2", expositions: ADDED },
  apply({ store }, { externalId, expositions }) {
    addElements(store.expositions, externalId, expositions);
  },
});

export const changeExposition = writeTask("store", STORES, {
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
