import type { JsonObject } from "../../../wire/json.ts";
import { parseInstant } from "../../server/instants.ts";
import type { FleetOptions } from "../../fleet/data.ts";
import type { StoreOptions } from "../../store/data.ts";
import type { CopyGoal, ExpectedRow, Task } from "../model.ts";

/** The number of rows: three pages of the largest size, and a part of one. */
const ROWS = 230;

const HOUR = 3_600_000;

/** The range of the protocols and photos to copy: ten days with a row in each hour, also exactly at its start. */
const FROM = "2026-01-05T00:00:00.000Z";
const TO = "2026-01-15T00:00:00.000Z";

export const NOW = "2026-01-20T00:00:00.000Z";

export const EMPTY_FLEET = {
  vehicles: 0,
  vehicleGroups: 0,
  vehicleFields: 0,
  inspections: 0,
  inspectionTemplates: 0,
  damages: 0,
  driverAssignments: 0,
} as const;

type Copy = Omit<Task, "api" | "world" | "goal"> &
  Pick<CopyGoal, "rows"> &
  ({ readonly store: StoreOptions } | { readonly fleet: FleetOptions });

/** A task that copies rows of the API whose data it has. */
function copyTask({ rows, ...copy }: Copy): Task {
  const goal: CopyGoal = { kind: "copy", rows };
  if ("store" in copy) {
    const { store, ...task } = copy;
    return { ...task, api: "store", world: { now: NOW, store, fleet: EMPTY_FLEET }, goal };
  }
  const { fleet, ...task } = copy;
  const world = { now: NOW, store: { stores: 0 }, fleet: { ...EMPTY_FLEET, ...fleet } };
  return { ...task, api: "fleet", world, goal };
}

function rowsOf(rows: Iterable<object>, id: string, names: readonly string[]): ExpectedRow[] {
  return Array.from(rows, (given) => {
    const row: JsonObject = { ...given };
    return { id: String(row[id]), values: Object.fromEntries(names.map((name) => [name, row[name]])) };
  });
}

const STORE_COLUMNS = ["storeId", "externalId", "name", "location", "storeType"];

export const copyStores = copyTask({
  name: "copy-stores",
  operation: "listStores",
  words: "Deliver every store once: storeId, externalId, name, location and storeType.",
  data: { columns: STORE_COLUMNS },
  store: { stores: ROWS, protocolsPerStore: 0 },
  rows: ({ store }) =>
    rowsOf([...store.stores.values(), ...store.storesWithoutId.values()], "storeId", STORE_COLUMNS),
});

/** Returns one row for each hour, from three hours before the range to three hours after it. */
function hourly(build: (createdAt: string, index: number) => JsonObject): JsonObject[] {
  const [from, to] = [parseInstant(FROM) - 3 * HOUR, parseInstant(TO) + 3 * HOUR];
  return Array.from({ length: (to - from) / HOUR }, (_, index) =>
    build(new Date(from + index * HOUR).toISOString(), index),
  );
}

const STATUSES = ["completed", "completed", "processing", "failed"];

const protocols = hourly((createdAt, index) => ({
  protocolId: `P-${index}`,
  status: STATUSES[index % STATUSES.length],
  createdAt,
  submittedAt: new Date(parseInstant(createdAt) + 1.5 * HOUR).toISOString(),
}));

const IMAGE_STATUSES = ["completed", "failed", "completed", "uploaded", "annotated"];

/** Three photos of each protocol, seconds apart. */
const photos = protocols.flatMap(({ protocolId, createdAt }, index) =>
  [0, 1, 2].map((number) => ({
    photoId: `I-${index}-${number}`,
    protocolId,
    expositionId: null,
    status: IMAGE_STATUSES[(index + number) % IMAGE_STATUSES.length],
    fillRate: (index * 7 + number) % 101,
    createdAt: new Date(parseInstant(String(createdAt)) + number * 1000).toISOString(),
    url: `https://images.example.com/${index}/${number}.jpg`,
  })),
);

const ONE_STORE = {
  stores: [
    { externalId: "S-1", name: "Kiosk 1", protocols, photos },
    {
      externalId: "S-2",
      name: "Kiosk 2",
      protocols: [{ protocolId: "Q-1", status: "completed", createdAt: FROM }],
      photos: [{ photoId: "J-1", protocolId: "Q-1", status: "completed", fillRate: 50, createdAt: FROM }],
    },
  ],
};

function isInRange({ createdAt }: { createdAt: string }): boolean {
  const time = parseInstant(createdAt);
  return time >= parseInstant(FROM) && time < parseInstant(TO);
}

const PROTOCOL_COLUMNS = ["protocolId", "status", "createdAt"];

export const copyProtocols = copyTask({
  name: "copy-protocols",
  operation: "listProtocols",
  words:
    "Deliver once every protocol of the store that was created in the range: at `from` or later, and before `to`. " +
    "Deliver protocolId (the property of the protocol's ID), status and createdAt.",
  data: { externalId: "S-1", from: FROM, to: TO, columns: PROTOCOL_COLUMNS },
  store: ONE_STORE,
  rows: ({ store }) =>
    rowsOf((store.protocols.get("S-1") ?? []).filter(isInRange), "protocolId", PROTOCOL_COLUMNS),
});

const PHOTO_COLUMNS = ["photoId", "protocolId", "status", "createdAt"];

export const copyPhotos = copyTask({
  name: "copy-photos",
  operation: "listPhotos",
  words:
    "Deliver once every photo of the store that was created in the range: at `from` or later, and before `to`. If " +
    "`status` is given, only photos whose own status it is. Deliver photoId, protocolId, status and createdAt.",
  data: { externalId: "S-1", from: FROM, to: TO, columns: PHOTO_COLUMNS },
  store: ONE_STORE,
  rows: ({ store }, { status }) => {
    const all = (store.photos.get("S-1") ?? []).filter(isInRange);
    const selected = all.filter((photo) => status === undefined || photo.status === status);
    return rowsOf(selected, "photoId", PHOTO_COLUMNS);
  },
});

/** One photo of one protocol for each store, so that the rate of the store is that of its photo. */
const measured = Array.from({ length: 12 }, (_, index) => ({
  externalId: `S-${index + 1}`,
  name: `Kiosk ${index + 1}`,
  protocols: [{ protocolId: `P-${index}`, status: "completed", createdAt: FROM }],
  photos: [
    {
      photoId: `I-${index}`,
      protocolId: `P-${index}`,
      status: "completed",
      fillRate: 20 + index * 5.25,
      createdAt: FROM,
    },
  ],
}));

const RATE_COLUMNS = ["externalId", "fillRate"];

export const copyFillRates = copyTask({
  name: "copy-fill-rates",
  operation: "getFillRates",
  words: "Deliver the fill rate of every store in the range, in percent (0 to 100): externalId and fillRate.",
  data: { from: FROM, to: TO, columns: RATE_COLUMNS },
  store: { stores: measured },
  rows: ({ store }) =>
    Array.from(store.photos, ([externalId, [photo]]) => ({
      id: externalId,
      values: { externalId, fillRate: photo?.fillRate },
    })),
});

const VEHICLE_COLUMNS = ["id", "plateNumber", "brand", "model"];

export const copyVehicles = copyTask({
  name: "copy-vehicles",
  operation: "listVehicles",
  words: "Deliver every vehicle once: id, plateNumber, brand and model.",
  data: { columns: VEHICLE_COLUMNS },
  fleet: { vehicles: ROWS },
  rows: ({ fleet }) => rowsOf(fleet.vehicles.values(), "id", VEHICLE_COLUMNS),
});

const DAMAGE_COLUMNS = ["id", "description", "status", "reportedAt"];

export const copyDamages = copyTask({
  name: "copy-damages",
  operation: "listDamages",
  words: "Deliver every damage once: id, description, status and reportedAt.",
  data: { columns: DAMAGE_COLUMNS },
  fleet: { vehicles: 20, damages: ROWS },
  rows: ({ fleet }) => rowsOf(fleet.damages.values(), "id", DAMAGE_COLUMNS),
});

const TEMPLATE_COLUMNS = ["id", "title", "version", "isActive"];

/** Every third template is inactive, every second one belongs to the group. */
const templates = Array.from({ length: 130 }, (_, index) => ({
  id: `template-${index}`,
  title: `Check ${index}`,
  isActive: index % 3 !== 0,
}));

export const copyTemplates = copyTask({
  name: "copy-templates",
  operation: "listInspectionTemplates",
  words:
    "Deliver once every inspection template, active or not; if `isActive` is given, only those with this value. " +
    "Deliver id, title, version and isActive.",
  data: { columns: TEMPLATE_COLUMNS },
  fleet: { inspectionTemplates: templates },
  rows: ({ fleet }, { isActive }) => {
    const all = [...fleet.inspectionTemplates.values()];
    const selected = all.filter((template) => isActive === undefined || template["isActive"] === isActive);
    return rowsOf(selected, "id", TEMPLATE_COLUMNS);
  },
});
