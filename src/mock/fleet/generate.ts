import type { JsonObject } from "../../../generated/fleet.ts";
import { objectsIn, stringsIn } from "../../wire/json.ts";
import { Random, SEEDED_SPAN } from "../server/random.ts";
import type { FleetResource, FleetRow } from "./data.ts";
import { stringOf, vehicleIdsOf } from "./rows.ts";

/** The input of the generator: the same input gives the same rows. */
export interface FleetPlan {
  readonly seed: number;
  /** When the server was created, in milliseconds. */
  readonly now: number;
}

/** All rows of the seed, generated or given. */
export interface FleetSeed extends FleetPlan {
  readonly ids: Readonly<Record<FleetResource, readonly string[]>>;
  /** The inspections that damages may belong to: generated ones. */
  readonly reportedIds: readonly string[];
  /** Returns a row that must not be changed or stored. */
  rowOf(resource: FleetResource, id: string): FleetRow;
}

/** What a generated row is made of; `number` counts from 1. */
interface RowPlan {
  readonly id: string;
  readonly number: number;
  readonly random: Random;
  readonly seed: FleetSeed;
}

const PREFIXES = {
  vehicles: "vehicle",
  vehicleGroups: "group",
  vehicleFields: "field",
  inspectionTemplates: "template",
  inspections: "inspection",
  damages: "damage",
  driverAssignments: "assignment",
} as const;

/** Returns `vehicle-1`, `vehicle-2`, …; inspections have UUIDs. */
export function generatedIds(resource: FleetResource, count: number, { seed }: FleetPlan): string[] {
  return Array.from({ length: count }, (_, index) =>
    resource === "inspections"
      ? new Random(seed, "inspection id", index).uuid()
      : `${PREFIXES[resource]}-${index + 1}`,
  );
}

/** Generates the row with the number `number` (from 1) of a resource; always the same row. */
export function generateRow(resource: FleetResource, id: string, number: number, seed: FleetSeed): FleetRow {
  const random = new Random(seed.seed, PREFIXES[resource], number);
  return { id, ...generators[resource]({ id, number, random, seed }) };
}

const generators: Readonly<Record<FleetResource, (row: RowPlan) => JsonObject>> = {
  vehicles: generateVehicle,
  vehicleGroups: ({ number }) => ({ name: nameOf(GROUPS, number) }),
  vehicleFields: generateField,
  inspectionTemplates: generateTemplate,
  inspections: generateInspection,
  damages: generateDamage,
  driverAssignments: generateAssignment,
};

const MODELS = ["DAF XF", "MAN TGX", "Scania R450", "Volvo FH"] as const;
const PLATES = ["DW", "GD", "KR", "PO", "WX"] as const;
const GROUPS = ["North", "South", "East", "West", "Long-distance"] as const;
const FIELDS = ["Tyres", "Lights", "Body", "Cab", "Mileage", "Windscreen"] as const;
const TITLES = ["Daily check", "Handover", "Monthly check", "Return", "Accident", "Winter check"] as const;
const QUALITIES = [
  ["Good", "OK"],
  ["Worn", "WARNING"],
  ["Damaged", "NOT_OK"],
] as const;
const ITEMS = [
  ["Do all warning lights go out?", "BOOLEAN"],
  ["What is missing?", "TEXT"],
  ["Fuel level", "SELECT"],
  ["Front of the vehicle", "PHOTO"],
  ["Distance driven", "NUMBER"],
  ["Next service", "DATE"],
  ["Signature of the driver", "SIGNATURE"],
] as const;
const FUEL_LEVELS = ["Full", "Half", "Empty"] as const;
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  BOOLEAN: ["true", "false"],
  NUMBER: ["1000", "84000", "900000"],
  DATE: ["2027-01-15", "2027-06-30"],
};
const TEXTS = ["Nothing", "The first-aid kit", "The warning triangle"] as const;
const PLACES = [
  { title: "Depot Gdańsk", latitude: 54.352, longitude: 18.646 },
  { title: "Depot Kraków", latitude: 50.061, longitude: 19.937 },
] as const;
const DAMAGES = ["Scratch on the left door", "Crack in the windscreen", "Broken mirror"] as const;
const PEOPLE = [
  ["Anna", "Nowak"],
  ["Jan", "Mazur"],
  ["Marek", "Kowalski"],
] as const;

/** Returns a name of a list, with a number where it repeats: `North`, …, `North 2`. */
function nameOf(names: readonly string[], number: number): string {
  const name = names[(number - 1) % names.length] ?? "";
  return number <= names.length ? name : `${name} ${Math.ceil(number / names.length)}`;
}

/** Returns up to `maximum` values of a list, each once. */
function pickSome<Value>(random: Random, values: readonly Value[], maximum: number): Value[] {
  const picks = Array.from({ length: random.integer(1, maximum) }, () => random.pick(values));
  return values.length === 0 ? [] : [...new Set(picks)];
}

function timeIn(random: Random, now: number): string {
  return new Date(now - Math.ceil(random.fraction() * SEEDED_SPAN)).toISOString();
}

function fileUrl(folder: string, name: string): string {
  return `https://files.reference.test/${folder}/${name}`;
}

/** A vehicle has the properties that inspections embed. gap vehicles.type-values */
function generateVehicle({ number, random }: RowPlan): JsonObject {
  const [brand, model] = random.pick(MODELS).split(" ");
  const vin = `WDB${String(number).padStart(14, "0")}`;
  return {
    plateNumber: `${random.pick(PLATES)} ${10_000 + number}`,
    brand,
    model,
    vin,
    type: "TRACTOR_UNIT",
  };
}

/** A field with a status rule, a choice without a rule, or a number; it belongs to one or two groups. */
function generateField({ id, number, random, seed }: RowPlan): JsonObject {
  const label = nameOf(FIELDS, number);
  const isNumber = label.startsWith("Mileage");
  const hasStatusRule = !isNumber && !label.startsWith("Cab");
  const options = QUALITIES.map(([choice, status], index) => ({
    id: `${id}-option-${index + 1}`,
    label: choice,
    value: choice.toUpperCase(),
    ...(hasStatusRule && { status }),
  }));
  const createdAt = timeIn(random, seed.now);
  return {
    label,
    description: `State of the vehicle: ${label}`,
    inputType: isNumber ? "NUMBER" : "SELECT",
    isRequired: random.chance(0.5),
    instructionImageUrl: random.chance(0.5) ? fileUrl("fields", `${id}.png`) : null,
    hasStatusRule,
    groupIds: pickSome(random, seed.ids.vehicleGroups, 2),
    options: isNumber ? [] : options,
    createdAt,
    updatedAt: createdAt,
  };
}

/** A template with its own items and with vehicle fields; each field is in at least one template. */
function generateTemplate({ id, number, random, seed }: RowPlan): JsonObject {
  const title = nameOf(TITLES, number);
  const { vehicleFields, inspectionTemplates, vehicleGroups } = seed.ids;
  const fieldItems = vehicleFields
    .filter((_, index) => index % inspectionTemplates.length === number - 1 || random.chance(0.3))
    .map((field) => fieldItem(seed.rowOf("vehicleFields", field)));
  const createdAt = timeIn(random, seed.now);
  return {
    title,
    description: `Inspection: ${title}`,
    version: random.integer(1, 4),
    isActive: number % 4 !== 0,
    groupIds: pickSome(random, vehicleGroups, 2),
    createdAt,
    updatedAt: createdAt,
    items: [...ownItems(id, number), ...fieldItems].map((item, index) => ({ ...item, order: index + 1 })),
  };
}

/** Two to seven items; the second depends on the first. */
function ownItems(templateId: string, number: number): JsonObject[] {
  return ITEMS.slice(0, 2 + (number % 6)).map(([label, inputType], index) => ({
    id: `${templateId}-item-${index + 1}`,
    label,
    inputType,
    isRequired: index % 2 === 0,
    options: inputType === "SELECT" ? FUEL_LEVELS : [],
    instructionImageUrl: inputType === "PHOTO" ? fileUrl("items", "front.png") : null,
    ...(index === 1 && { dependsOn: { itemId: `${templateId}-item-1`, equals: "false" } }),
  }));
}

/** A vehicle field as an item, with its own ID. */
function fieldItem(field: JsonObject): JsonObject {
  const { id, label, inputType, isRequired, instructionImageUrl } = field;
  const options = objectsIn(field.options).map((option) => option.value);
  return { id, label, inputType, isRequired, options, instructionImageUrl };
}

/** Inspections of one to three vehicles, in order of time. gap inspections.status-values */
function generateInspection({ number, random, seed }: RowPlan): JsonObject {
  const { inspections, inspectionTemplates, vehicles } = seed.ids;
  const template = seed.rowOf("inspectionTemplates", random.pick(inspectionTemplates));
  const part = (number - random.fraction()) / inspections.length;
  return {
    templateId: template.id,
    status: "COMPLETED",
    performedAt: new Date(seed.now - Math.ceil((1 - part) * SEEDED_SPAN)).toISOString(),
    performedBy: person(random),
    vehicleIds: pickSome(random, vehicles, 3),
    location: random.pick(PLACES),
    notes: random.chance(0.3) ? "To be looked at again" : "",
    responses: objectsIn(template.items).map((item) => responseTo(item, random)),
  };
}

function responseTo({ id: templateItemId, inputType, options }: JsonObject, random: Random): JsonObject {
  const id = random.uuid();
  const isFile = inputType === "PHOTO" || inputType === "SIGNATURE";
  const choices = inputType === "SELECT" ? stringsIn(options) : (ANSWERS[String(inputType)] ?? TEXTS);
  return {
    id,
    templateItemId,
    responseText: isFile ? null : choices.length === 0 ? "" : random.pick(choices),
    fileUrl: isFile ? fileUrl("responses", `${id}.jpg`) : null,
    followUpResponses: random.chance(0.1) ? { comment: "The driver knows" } : null,
  };
}

/** A damage of one of an inspection's vehicles, reported by who performed it. gap damages.status-values */
function generateDamage({ id, random, seed }: RowPlan): JsonObject {
  const { ids, reportedIds, now } = seed;
  const inspection: JsonObject =
    reportedIds.length === 0 ? {} : seed.rowOf("inspections", random.pick(reportedIds));
  const inspected = vehicleIdsOf(inspection);
  const reportedAt = stringOf(inspection.performedAt) ?? timeIn(random, now);
  const repairedAt = new Date((Date.parse(reportedAt) + now) / 2).toISOString();
  return {
    vehicleId: random.pick(inspected.length === 0 ? ids.vehicles : inspected),
    description: random.pick(DAMAGES),
    photoUrl: fileUrl("damages", `${id}.jpg`),
    status: random.pick(["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"]),
    reportedAt,
    reportedBy: inspection.performedBy ?? person(random),
    assignedTo: person(random),
    repairedAt: random.chance(0.2) ? repairedAt : null,
    ...(inspection.id !== undefined && { inspectionId: inspection.id }),
  };
}

/** The contract does not show the properties of driver assignments. gap fleet.open-properties */
function generateAssignment({ random, seed: { ids, now } }: RowPlan): JsonObject {
  return { vehicleId: random.pick(ids.vehicles), driver: person(random), assignedAt: timeIn(random, now) };
}

/** A user of the company. */
function person(random: Random): JsonObject {
  const [firstName, lastName] = random.pick(PEOPLE);
  const email = `${firstName}.${lastName}@example.com`.toLowerCase();
  return { id: `user-${firstName.toLowerCase()}`, firstName, lastName, email };
}
