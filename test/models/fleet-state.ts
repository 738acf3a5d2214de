/** The data of the fleet model, and its seeds. All of it is plain JSON. */
import type { Json, JsonObject } from "./exchange.ts";
import { createRandom, type Random, uuidAt } from "./random.ts";
import type { FleetReadings } from "./readings.ts";

export type Collection =
  | "vehicles"
  | "vehicle-groups"
  | "vehicle-fields"
  | "inspection-templates"
  | "inspections"
  | "damages"
  | "driver-assignments";

export type Properties = Record<string, Json>;

export interface Entity {
  id: string;
  deleted: boolean;
  /** The written or seeded properties. References are IDs. */
  properties: Properties;
  /** The body of a write, which every read returns under the reading `opaque` of gap fleet.input-shapes. */
  sent?: JsonObject;
}

export interface User {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
}

/** The value that an inspection gave for one field of one vehicle. */
export interface FieldResponse {
  id: string;
  fieldId: string;
  vehicleId: string;
  inspectionId: string;
  value: string;
  fileUrl: string | null;
  updatedAt: string;
}

export interface KeyRecord {
  key: string;
  scopes: string[];
}

export interface FleetState {
  seed: number;
  ids: number;
  requests: number;
  keys: KeyRecord[];
  users: User[];
  responses: FieldResponse[];
  /** Filters that the service keeps in force, by key and path (gap lists.filters-across-pages). */
  remembered: Record<string, Record<string, string[]>>;
  entities: Record<Collection, Entity[]>;
}

export interface FleetSeed {
  readonly seed?: number | undefined;
  /** Default 3. The other collections grow with it. */
  readonly vehicles?: number | undefined;
  /** Sizes of single collections. */
  readonly sizes?: Partial<Readonly<Record<Collection, number>>> | undefined;
}

/** Inspections have UUIDs; the type of the other IDs is only "string". */
const idPrefixes: Record<Collection, string> = {
  vehicles: "veh",
  "vehicle-groups": "grp",
  "vehicle-fields": "fld",
  "inspection-templates": "tpl",
  inspections: "",
  damages: "dmg",
  "driver-assignments": "asg",
};

export function nextId(state: FleetState, collection: Collection): string {
  state.ids += 1;
  const uuid = uuidAt(state.seed, state.ids);
  const prefix = idPrefixes[collection];
  return prefix === "" ? uuid : `${prefix}_${uuid.slice(0, 8)}${uuid.slice(-4)}`;
}

const firstInstant = Date.UTC(2026, 2, 1, 8);
const hour = 3_600_000;

function instant(hours: number): string {
  return new Date(firstInstant + hours * hour).toISOString();
}

interface Seeding {
  readonly state: FleetState;
  readonly random: Random;
  readonly readings: FleetReadings;
}

/** A value that is not in the contract where the reading says that there are some. */
function valueOf(
  reading: "documented" | "open",
  index: number,
  seen: readonly string[],
  unlisted: string,
): string {
  if (reading === "open" && index % 3 === 1) return unlisted;
  return seen[index % seen.length] ?? unlisted;
}

function ids(state: FleetState, collection: Collection): string[] {
  return state.entities[collection].map(({ id }) => id);
}

/** One ID of a collection, null where it is empty. */
function oneId(state: FleetState, collection: Collection, index: number): string | null {
  const all = state.entities[collection];
  return all[index % Math.max(1, all.length)]?.id ?? null;
}

const brands = ["Scania", "Volvo", "MAN", "DAF"];

function vehicle({ state, random, readings }: Seeding, index: number): Properties {
  return {
    plateNumber: `WX ${String(10_000 + index)}`,
    brand: brands[index % brands.length] ?? "Scania",
    model: `Model ${random.integer(100, 900)}`,
    vin: `VIN${String(index).padStart(14, "0")}`,
    type: valueOf(readings["vehicles.type-values"], index, ["TRACTOR_UNIT"], "SEMI_TRAILER"),
    groupIds: [oneId(state, "vehicle-groups", index)],
  };
}

function group(_: Seeding, index: number): Properties {
  return { name: `Group ${index + 1}` };
}

const inputTypes = ["SELECT", "TEXT", "SELECT"];
const options = [
  { id: "opt_1", label: "Good", value: "good", status: "OK" },
  { id: "opt_2", label: "Worn", value: "worn", status: "WARNING" },
  { id: "opt_3", label: "Broken", value: "broken", status: "NOT_OK" },
];

function field({ state }: Seeding, index: number): Properties {
  const inputType = inputTypes[index % inputTypes.length] ?? "TEXT";
  return {
    label: `Field ${index + 1}`,
    description: `Description ${index + 1}`,
    inputType,
    isRequired: index % 2 === 0,
    instructionImageUrl: index % 2 === 0 ? null : `https://images.example/field-${index + 1}.png`,
    // the third field has options and no status rule
    hasStatusRule: index % 3 === 0,
    groupIds: ids(state, "vehicle-groups").slice(0, 2),
    options: inputType === "SELECT" ? options : [],
    createdAt: instant(index),
    updatedAt: instant(index + 1),
  };
}

function templateItems(index: number): Json[] {
  const item = (order: number, inputType: string, choices: Json[], more: Properties = {}): Properties => ({
    id: `item_${index + 1}_${order}`,
    label: `Question ${order}`,
    inputType,
    isRequired: order === 1,
    options: choices,
    order,
    instructionImageUrl: null,
    ...more,
  });
  return [
    item(1, "BOOLEAN", []),
    item(2, "SELECT", ["good", "worn"]),
    item(3, "TEXT", [], { dependsOn: { itemId: `item_${index + 1}_1`, value: true } }),
  ];
}

function template({ state }: Seeding, index: number): Properties {
  return {
    title: index % 2 === 0 ? `Departure check ${index + 1}` : `Return check ${index + 1}`,
    description: `Template ${index + 1}`,
    version: 1 + (index % 3),
    isActive: index % 3 !== 1,
    items: templateItems(index),
    groupIds: [oneId(state, "vehicle-groups", index)],
    createdAt: instant(index),
    updatedAt: instant(index + 2),
  };
}

function inspection({ state, readings, random }: Seeding, index: number): Properties {
  const templateId = oneId(state, "inspection-templates", index);
  return {
    templateId,
    status: valueOf(readings["inspections.status-values"], index, ["COMPLETED"], "IN_PROGRESS"),
    performedAt: instant(index * 3),
    performedById: state.users[index % state.users.length]?.id ?? null,
    vehicleIds: [...new Set([oneId(state, "vehicles", index), oneId(state, "vehicles", index + 1)])],
    location:
      index % 4 === 3
        ? null
        : { title: "Depot", latitude: 52.2 + random.next() / 10, longitude: 21 + random.next() / 10 },
    notes: index % 4 === 3 ? null : `Notes ${index + 1}`,
    responses: [1, 2].map((order) => ({
      id: `resp_${index + 1}_${order}`,
      templateItemId: `item_${(index % Math.max(1, state.entities["inspection-templates"].length)) + 1}_${order}`,
      responseText: order === 1 ? "true" : null,
      fileUrl: order === 1 ? null : `https://files.example/${index + 1}.jpg`,
      followUpResponses: order === 1 ? null : { note: "seen" },
    })),
  };
}

function damage({ state, readings }: Seeding, index: number): Properties {
  const seen = ["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"];
  return {
    vehicleId: oneId(state, "vehicles", index),
    description: `Damage ${index + 1}`,
    photoUrl: `https://photos.example/${index + 1}.jpg`,
    status: valueOf(readings["damages.status-values"], index, seen, "REPAIRED"),
    reportedAt: instant(index * 2),
    reportedById: state.users[0]?.id ?? null,
    assignedToId: index % 2 === 0 ? null : (state.users[1]?.id ?? null),
    repairedAt: index % 3 === 0 ? instant(index * 2 + 9) : null,
    inspectionId: index % 2 === 0 ? oneId(state, "inspections", index) : null,
  };
}

function assignment({ state }: Seeding, index: number): Properties {
  return {
    vehicleId: oneId(state, "vehicles", index),
    driverId: state.users[index % state.users.length]?.id ?? null,
    startsAt: instant(index * 5),
    endsAt: index % 2 === 0 ? null : instant(index * 5 + 100),
  };
}

/** In this order, as later collections refer to earlier ones. Each has its size for a number of vehicles. */
const seeders: readonly [
  Collection,
  (seeding: Seeding, index: number) => Properties,
  (vehicles: number) => number,
][] = [
  ["vehicle-groups", group, (vehicles) => 2 + Math.floor(vehicles / 20)],
  ["vehicles", vehicle, (vehicles) => vehicles],
  ["vehicle-fields", field, (vehicles) => 3 + Math.floor(vehicles / 20)],
  ["inspection-templates", template, (vehicles) => 3 + Math.floor(vehicles / 20)],
  ["inspections", inspection, (vehicles) => vehicles + 1],
  ["damages", damage, (vehicles) => vehicles + 1],
  ["driver-assignments", assignment, (vehicles) => vehicles],
];

/** Every third vehicle has no response, the others have one or two; the later one counts. */
function seedResponses(state: FleetState): void {
  for (const [at, { id: fieldId }] of state.entities["vehicle-fields"].slice(0, 3).entries()) {
    for (const [index, { id: vehicleId }] of state.entities.vehicles.entries()) {
      for (let count = 0; count < index % 3; count += 1) {
        state.responses.push({
          id: `val_${at + 1}_${index + 1}_${count + 1}`,
          fieldId,
          vehicleId,
          inspectionId: oneId(state, "inspections", index) ?? "",
          value: options[(index + count) % 3]?.value ?? "good",
          fileUrl: null,
          updatedAt: instant(index + count * 50),
        });
      }
    }
  }
}

function user(seed: number, index: number): User {
  const names = ["Anna", "Jan", "Ewa"];
  const firstName = names[index] ?? "Ola";
  return {
    id: `usr_${uuidAt(seed, -1 - index).slice(0, 8)}`,
    firstName,
    lastName: `Driver ${index + 1}`,
    email: `${firstName.toLowerCase()}@fleet.example`,
  };
}

/** The same seed, sizes and readings give the same state. */
export function seedFleetState(seed: FleetSeed, readings: FleetReadings): FleetState {
  const number = seed.seed ?? 1;
  const entities: FleetState["entities"] = {
    vehicles: [],
    "vehicle-groups": [],
    "vehicle-fields": [],
    "inspection-templates": [],
    inspections: [],
    damages: [],
    "driver-assignments": [],
  };
  const users = [0, 1, 2].map((index) => user(number, index));
  const state: FleetState = {
    seed: number,
    ids: 0,
    requests: 0,
    keys: [],
    users,
    responses: [],
    remembered: {},
    entities,
  };
  const seeding = { state, random: createRandom(number), readings };
  const vehicles = seed.vehicles ?? 3;
  for (const [collection, create, sizeFor] of seeders) {
    const size = seed.sizes?.[collection] ?? (vehicles === 0 ? 0 : sizeFor(vehicles));
    for (let index = 0; index < size; index += 1) {
      const properties = create(seeding, index);
      entities[collection].push({ id: nextId(state, collection), deleted: false, properties });
    }
  }
  seedResponses(state);
  return state;
}
