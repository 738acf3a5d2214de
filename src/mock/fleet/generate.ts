import type { JsonObject } from "../../../generated/fleet.ts";
import { objectOf, objectsIn, stringsIn } from "../../wire/json.ts";
import { Random, SEEDED_SPAN } from "../server/random.ts";
import type { FleetData, FleetResource, FleetRow } from "./data.ts";
import { stringOf, vehicleIdsOf } from "./references.ts";

/** The input of the generator: the same input gives the same rows. */
export interface FleetPlan {
  readonly seed: number;
  /** When the server was created, in milliseconds. */
  readonly now: number;
}

/** All rows of the seed, generated or given; they must not be changed. */
export interface FleetSeed extends FleetPlan {
  readonly ids: Readonly<Record<FleetResource, readonly string[]>>;
  /** The inspections that damages may belong to: generated ones. */
  readonly reportedIds: readonly string[];
  readonly rows: FleetData;
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

/** Generates a row of a resource; always the same row. */
export function generateRow(resource: FleetResource, id: string, seed: FleetSeed): FleetRow {
  const random = new Random(seed.seed, PREFIXES[resource], id);
  const number = Number(/\d+$/.exec(id)?.[0] ?? 1);
  return { id, ...generators[resource]({ id, number, random, seed }) };
}

const generators: Readonly<Record<FleetResource, (row: RowPlan) => JsonObject>> = {
  vehicles: generateVehicle,
  vehicleGroups: ({ number }) => ({ name: nameOf(GROUPS, number) }),
  vehicleFields: generateField,
  inspectionTemplates: generateTemplate,
  inspections: generateInspection,
  damages: generateDamage,
  // the contract does not show the properties of driver assignments. gap fleet.open-properties
  driverAssignments: ({ random, seed: { ids, now } }) => ({
    vehicleId: random.pick(ids.vehicles),
    driver: person(random),
    assignedAt: timeIn(random, now),
  }),
};

const MODELS = ["DAF XF", "MAN TGX", "Scania R450", "Volvo FH"] as const;
const GROUPS = ["North", "South", "East", "West", "Long-distance"] as const;
const FIELDS = ["Tyres", "Lights", "Body", "Cab", "Mirrors", "Windscreen"] as const;
const TITLES = ["Daily check", "Handover", "Monthly check", "Return", "Accident", "Winter check"] as const;
const QUALITIES = { Good: "OK", Worn: "WARNING", Damaged: "NOT_OK" } as const;
const DAMAGES = ["Scratch on the left door", "Crack in the windscreen", "Broken mirror"] as const;
const PEOPLE = ["Anna Nowak", "Jan Mazur", "Marek Kowalski"] as const;
const PLACES = [
  { title: "Depot Gdańsk", latitude: 54.352, longitude: 18.646 },
  { title: "Depot Kraków", latitude: 50.061, longitude: 19.937 },
] as const;

/** The questions of templates, with their input types and answers; a file is the answer of the last two. */
const QUESTIONS = [
  { label: "Do all warning lights go out?", inputType: "BOOLEAN", answers: ["true", "false"] },
  { label: "What is missing?", inputType: "TEXT", answers: ["Nothing", "The warning triangle"] },
  { label: "Fuel level", inputType: "SELECT", answers: ["Full", "Half", "Empty"] },
  { label: "Distance driven", inputType: "NUMBER", answers: ["1000", "84000"] },
  { label: "Next service", inputType: "DATE", answers: ["2027-01-15", "2027-06-30"] },
  { label: "Front of the vehicle", inputType: "PHOTO", answers: [] },
  { label: "Signature of the driver", inputType: "SIGNATURE", answers: [] },
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

/** A user of the company. */
function person(random: Random): JsonObject {
  const [firstName = "", lastName = ""] = random.pick(PEOPLE).split(" ");
  const email = `${firstName}.${lastName}@example.com`.toLowerCase();
  return { id: `user-${firstName.toLowerCase()}`, firstName, lastName, email };
}

/** A vehicle has the properties that inspections embed. gap vehicles.type-values */
function generateVehicle({ number, random }: RowPlan): JsonObject {
  const [brand, model] = random.pick(MODELS).split(" ");
  const vin = `WDB${String(number).padStart(14, "0")}`;
  return { plateNumber: `KR ${10_000 + number}`, brand, model, vin, type: "TRACTOR_UNIT" };
}

/** A field with a status rule, or a choice without a rule; it belongs to one or two groups. */
function generateField({ id, number, random, seed }: RowPlan): JsonObject {
  const label = nameOf(FIELDS, number);
  const hasStatusRule = !label.startsWith("Cab");
  const createdAt = timeIn(random, seed.now);
  return {
    label,
    description: `State of the vehicle: ${label}`,
    inputType: "SELECT",
    isRequired: random.chance(0.5),
    instructionImageUrl: random.chance(0.5) ? fileUrl("fields", `${id}.png`) : null,
    hasStatusRule,
    groupIds: pickSome(random, seed.ids.vehicleGroups, 2),
    options: Object.entries(QUALITIES).map(([choice, status], index) => ({
      id: `${id}-option-${index + 1}`,
      label: choice,
      value: choice.toUpperCase(),
      ...(hasStatusRule && { status }),
    })),
    createdAt,
    updatedAt: createdAt,
  };
}

/** A template with two to seven own items and with vehicle fields; each field is in at least one template. */
function generateTemplate({ id, number, random, seed }: RowPlan): JsonObject {
  const title = nameOf(TITLES, number);
  const { ids, rows, now } = seed;
  const own = QUESTIONS.slice(0, 2 + (number % 6)).map(({ label, inputType, answers }, index) => ({
    id: `${id}-item-${index + 1}`,
    label,
    inputType,
    isRequired: index % 2 === 0,
    options: inputType === "SELECT" ? answers : [],
    instructionImageUrl: inputType === "PHOTO" ? fileUrl("items", "front.png") : null,
    ...(index === 1 && { dependsOn: { itemId: `${id}-item-1`, equals: "false" } }),
  }));
  // an item with the ID of a vehicle field is about that field
  const fields = ids.vehicleFields
    .filter((_, index) => index % ids.inspectionTemplates.length === number - 1 || random.chance(0.3))
    .map((field) => {
      const { label, inputType, isRequired, instructionImageUrl, options } = objectOf(
        rows.vehicleFields.get(field),
      );
      const values = objectsIn(options).map(({ value }) => value);
      return { id: field, label, inputType, isRequired, options: values, instructionImageUrl };
    });
  const createdAt = timeIn(random, now);
  return {
    title,
    description: `Inspection: ${title}`,
    version: random.integer(1, 4),
    isActive: number % 4 !== 0,
    groupIds: pickSome(random, ids.vehicleGroups, 2),
    createdAt,
    updatedAt: createdAt,
    items: [...own, ...fields].map((item, index) => ({ ...item, order: index + 1 })),
  };
}

/** Inspections of one to three vehicles. gap inspections.status-values */
function generateInspection({ random, seed: { ids, rows, now } }: RowPlan): JsonObject {
  const templateId = random.pick(ids.inspectionTemplates);
  return {
    templateId,
    status: "COMPLETED",
    performedAt: timeIn(random, now),
    performedBy: person(random),
    vehicleIds: pickSome(random, ids.vehicles, 3),
    location: random.pick(PLACES),
    notes: random.chance(0.3) ? "To be looked at again" : "",
    responses: objectsIn(rows.inspectionTemplates.get(templateId)?.items).map((item) =>
      responseTo(item, random),
    ),
  };
}

function responseTo({ id: templateItemId, inputType, options }: JsonObject, random: Random): JsonObject {
  const id = random.uuid();
  const isFile = inputType === "PHOTO" || inputType === "SIGNATURE";
  const [first = "", ...others] =
    inputType === "SELECT"
      ? stringsIn(options)
      : (QUESTIONS.find((question) => question.inputType === inputType)?.answers ?? []);
  return {
    id,
    templateItemId,
    responseText: isFile ? null : random.pick([first, ...others]),
    fileUrl: isFile ? fileUrl("responses", `${id}.jpg`) : null,
    followUpResponses: random.chance(0.1) ? { comment: "The driver knows" } : null,
  };
}

/** A damage of one of an inspection's vehicles, reported by who performed it. gap damages.status-values */
function generateDamage({ id, random, seed: { ids, reportedIds, rows, now } }: RowPlan): JsonObject {
  const inspectionId = reportedIds.length === 0 ? undefined : random.pick(reportedIds);
  const inspection = objectOf(rows.inspections.get(inspectionId ?? ""));
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
    ...(inspectionId !== undefined && { inspectionId }),
  };
}
