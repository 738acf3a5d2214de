import { type JsonObject, objectOf, objectsIn } from "../../wire/json.ts";
import { changeRow, HOUR, ROWS, storeSeed, type Task, times } from "../task.ts";

/** The range of the protocols and photos to copy: ten days with a row in each hour, also exactly at its start. */
const FROM = "2026-01-05T00:00:00.000Z";
const TO = "2026-01-15T00:00:00.000Z";
const VISIT = { externalId: "S-1", from: FROM, to: TO };

const STATUSES = ["completed", "completed", "processing", "failed"];
const PHOTO_STATUSES = ["completed", "failed", "completed", "uploaded", "annotated"];

/** One protocol for each hour, from three hours before the range to three hours after it. */
const protocols = times(246, (number) => {
  const time = Date.parse(FROM) + (number - 4) * HOUR;
  return {
    protocolId: `P-${number - 1}`,
    status: STATUSES[(number - 1) % STATUSES.length],
    createdAt: new Date(time).toISOString(),
    submittedAt: new Date(time + 1.5 * HOUR).toISOString(),
  };
});

/** Three photos of each protocol, seconds apart. */
const photos = protocols.flatMap(({ protocolId, createdAt }, index) =>
  [0, 1, 2].map((number) => ({
    photoId: `I-${index}-${number}`,
    protocolId,
    expositionId: null,
    status: PHOTO_STATUSES[(index + number) % PHOTO_STATUSES.length],
    fillRate: (index * 7 + number) % 101,
    createdAt: new Date(Date.parse(createdAt) + number * 1000).toISOString(),
    url: `https://images.example.com/${index}/${number}.jpg`,
  })),
);

/** The store to copy from, and another one whose rows must not be copied. */
const visited = storeSeed({
  stores: [
    { externalId: "S-1", name: "Kiosk 1", protocols, photos },
    {
      externalId: "S-2",
      name: "Kiosk 2",
      protocols: [{ protocolId: "Q-1", status: "completed", createdAt: FROM }],
      photos: [{ photoId: "J-1", protocolId: "Q-1", status: "completed", fillRate: 50, createdAt: FROM }],
    },
  ],
});

function isInRange({ createdAt }: { createdAt: string }): boolean {
  return Date.parse(createdAt) >= Date.parse(FROM) && Date.parse(createdAt) < Date.parse(TO);
}

/** Stores with one photo of one protocol each, so that the rate of a store is that of its photo. */
const measured = storeSeed({
  stores: times(12, (number) => {
    const protocol = { protocolId: `P-${number}`, status: "completed", createdAt: FROM };
    const photo = { ...protocol, photoId: `I-${number}`, fillRate: 14.75 + number * 5.25 };
    return { externalId: `S-${number}`, name: `Kiosk ${number}`, protocols: [protocol], photos: [photo] };
  }),
});

/** A store of which every property has a value, so that each loss is visible. */
export function fullStore(number: number) {
  return {
    externalId: `S-${number}`,
    name: `Kiosk ${number}`,
    location: `Street ${number}`,
    regionId: "7d0cbb6c-9c53-4d9c-8a5e-0b6f5f3b1c11",
    storeType: "Kiosk" as const,
    openingTimes: [{ weekday: number % 7, from: "06:00", to: "22:00" }],
    protocolScheduleId: "2f8f4b0e-1d3e-4a52-9a0b-9d7c9f6b2a22",
    protocolCronEnabled: true,
    onboardingComplete: true,
    loginCode: `code-${number}`,
  };
}

const TYPES = ["FRIDGE_DRINKS", "ROLLS_BREAD_RACK", "FRIDGE_SALADS"] as const;
const CHANGED_EXPOSITION = "00000000-0000-4000-8000-000000000022";

/** Six stores with two contacts and three expositions each. */
const described = storeSeed({
  stores: times(6, (number) => ({
    ...fullStore(number),
    contacts: [
      { name: `Anna ${number}`, phone: `+48 1${number}`, email: `anna${number}@example.com` },
      { name: `Bo ${number}`, phone: `+48 2${number}`, hasWhatsapp: true, contactType: "regional_manager" },
    ],
    expositions: TYPES.map((expositionType, index) => ({
      expositionId: `00000000-0000-4000-8000-0000000000${number}${index + 1}`,
      expositionType,
      status: "active",
    })),
  })),
});

/** An exposition to add. */
export function newExposition(number: number, expositionType: string, category: string): JsonObject {
  const label = `Rack ${number}`;
  return { label, friendlyTitle: null, productCategories: [category], expositionType, status: "active" };
}

/** Adds elements without the properties that a server adds, which are not compared. */
function addElements(list: Map<string, object[]>, externalId: unknown, added: readonly object[]): void {
  list.get(String(externalId))?.push(...added);
}

/** The tasks of the store API. */
export const storeTasks = {
  "copy-stores": {
    operation: "listStores",
    words: "Deliver every store once: storeId, externalId, name, location and storeType.",
    data: { columns: ["storeId", "externalId", "name", "location", "storeType"] },
    seed: storeSeed({ stores: ROWS, protocolsPerStore: 0 }),
    rows: ({ store }) => [...store.stores.values(), ...store.storesWithoutId.values()],
  },
  "copy-protocols": {
    operation: "listProtocols",
    words:
      "Deliver once every protocol of the store that was created in the range: at `from` or later, and before `to`. Deliver protocolId (the property of the protocol's ID), status and createdAt.",
    data: { ...VISIT, columns: ["protocolId", "status", "createdAt"] },
    seed: visited,
    rows: ({ store }) => (store.protocols.get("S-1") ?? []).filter(isInRange),
  },
  "copy-photos": {
    operation: "listPhotos",
    words:
      "Deliver once every photo of the store that was created in the range: at `from` or later, and before `to`. If `status` is given, only photos whose own status it is. Deliver photoId, protocolId, status and createdAt.",
    data: { ...VISIT, columns: ["photoId", "protocolId", "status", "createdAt"] },
    seed: visited,
    rows: ({ store }, { status }) =>
      (store.photos.get("S-1") ?? []).filter(
        (row) => isInRange(row) && row.status === (status ?? row.status),
      ),
  },
  "copy-fill-rates": {
    operation: "getFillRates",
    words:
      "Deliver the fill rate of every store in the range, in percent (0 to 100): externalId and fillRate.",
    data: { from: FROM, to: TO, columns: ["externalId", "fillRate"] },
    seed: measured,
    rows: ({ store }) =>
      Array.from(store.photos, ([externalId, [photo]]) => ({ externalId, fillRate: photo?.fillRate })),
  },
  "change-stores": {
    operation: "putStore",
    words: "Give each of these stores its new name. Everything else about them stays as it is.",
    data: { stores: [2, 4, 5].map((number) => ({ externalId: `S-${number}`, name: `Renamed ${number}` })) },
    seed: described,
    apply({ store }, { stores }) {
      for (const { externalId, name } of objectsIn(stores)) changeRow(store.stores, externalId, { name });
    },
  },
  "create-stores": {
    operation: "putStore",
    words: "Create these stores with these properties.",
    data: { stores: [7, 8, 9].map(fullStore) },
    seed: described,
    apply({ store }, { stores }) {
      const rows: Map<string, object> = store.stores;
      for (const created of objectsIn(stores)) rows.set(String(created["externalId"]), created);
    },
  },
  "add-contact": {
    operation: "putContacts",
    words: "Add this contact to the store. Its other contacts stay as they are.",
    data: {
      externalId: "S-2",
      contact: { name: "Cleo", phone: "+48 999", email: null, hasWhatsapp: false, contactType: "store" },
    },
    seed: described,
    apply: ({ store }, { externalId, contact }) =>
      addElements(store.contacts, externalId, [objectOf(contact)]),
  },
  "add-expositions": {
    operation: "putExpositions",
    words: "Add these expositions to the store. Its other expositions stay as they are.",
    data: {
      externalId: "S-2",
      expositions: [
        newExposition(4, "BREADS_BREAD_RACK", "BREADS"),
        newExposition(5, "BREADS_BREAD_BASKETS", "BREADS"),
      ],
    },
    seed: described,
    apply: ({ store }, { externalId, expositions }) =>
      addElements(store.expositions, externalId, objectsIn(expositions)),
  },
  "change-exposition": {
    operation: "putExpositions",
    words:
      "Give this exposition of the store the new label. Everything else about it and all others stay as they are.",
    data: { externalId: "S-2", expositionId: CHANGED_EXPOSITION, label: "Renamed rack" },
    seed: described,
    apply({ store }, { externalId, expositionId, label }) {
      const rows: object[] = store.expositions.get(String(externalId)) ?? [];
      const index = rows.findIndex((row) => objectOf(row)["expositionId"] === expositionId);
      rows.splice(index, 1, { ...rows[index], label });
    },
  },
} as const satisfies Readonly<Record<string, Task>>;
