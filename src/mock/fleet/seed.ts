import type { JsonObject } from "../../../generated/fleet.ts";
import { isObject, objectOf, objectsIn, stringsIn } from "../../wire/json.ts";
import { tableOf } from "../../wire/names.ts";
import { Random } from "../server/random.ts";
import { deepCopy, SeededMap } from "../server/rows.ts";
import { idSchema, parse } from "../server/schemas.ts";
import {
  type FleetData,
  type FleetOptions,
  type FleetResource,
  fleetResources,
  type FleetRow,
  moveDamages,
  stringOf,
  vehicleIdsOf,
} from "./data.ts";
import { resources, view, withElementIds } from "./resources.ts";

/** Fills both environments with the same rows. Everything except the IDs is created on first access. */
export function seedFleet(environments: readonly FleetData[], plan: FleetPlan, options: FleetOptions): void {
  const given = tableOf(fleetResources, (resource) => givenRows(resource, plan, options[resource]));
  const generated = tableOf(fleetResources, (resource) =>
    given[resource] === undefined ? generatedIds(resource, countOf(resource, options), plan) : [],
  );
  if (given.inspections !== undefined)
    Object.assign(
      given,
      moveDamages({ inspections: given.inspections, damages: given.damages ?? new Map() }),
    );
  const ids = tableOf(fleetResources, (resource) => [
    ...new Set([...generated[resource], ...(given[resource]?.keys() ?? [])]),
  ]);
  const reportedIds = given.inspections === undefined ? ids.inspections : [];
  // rows that others refer to are kept here; an environment has copies
  const rows = tableOf(fleetResources, () => new SeededMap<FleetRow>(false));
  const seed: FleetSeed = { ...plan, ids, reportedIds, rows };
  for (const resource of fleetResources) {
    rows[resource].seed(ids[resource], (id) => given[resource]?.get(id) ?? generateRow(resource, id, seed));
    for (const data of environments)
      data[resource].seed(ids[resource], (id) => deepCopy(rows[resource].read(id) as FleetRow)); // it is one of the keys
  }
}

/** Returns how many rows of a resource are generated. */
function countOf(resource: FleetResource, options: FleetOptions): number {
  const wanted = options[resource];
  const { count, needs = [] } = generators[resource];
  const missing = needs.filter((needed) => {
    const rows = options[needed];
    return rows === 0 || (Array.isArray(rows) && rows.length === 0);
  });
  if (missing.length === 0) return Number(wanted ?? count);
  if (wanted === undefined || wanted === 0) return 0;
  const names = missing.map((name) => `fleet.${name}`).join(" and ");
  throw new Error(
    `fleet.${resource}: ${Number(wanted)} cannot be generated without ${names}; pass rows instead of a number`,
  );
}

/** Completes the rows that the caller gives; throws an error that names a row that violates the contract. */
function givenRows(
  resource: FleetResource,
  plan: FleetPlan,
  rows: number | readonly unknown[] | undefined,
): ReadonlyMap<string, FleetRow> | undefined {
  if (typeof rows !== "object") return undefined;
  const now = new Date(plan.now).toISOString();
  const completed = new Map<string, FleetRow>();
  const { schema, defaults } = resources[resource];
  for (const [index, given] of rows.entries()) {
    const place = `fleet.${resource}[${index}]`;
    if (!isObject(given)) throw new Error(`${place} must be an object`);
    const random = new Random(plan.seed, "own", resource, index);
    const { id: own = random.uuid(), ...properties }: JsonObject = deepCopy(given);
    const id = parse(idSchema, own, `${place}.id`);
    if (completed.has(id)) throw new Error(`${place}.id: duplicate row "${id}"`);
    const written = withElementIds(resource, properties, () => random.uuid());
    const row = { id, ...defaults?.(now), ...written };
    // responses compute the properties that a row does not have
    if (schema !== undefined) parse(schema, { ...view({}, schema), ...row }, place);
    completed.set(id, row);
  }
  return completed;
}

/** The input of the generator: the same input gives the same rows. */
interface FleetPlan {
  readonly seed: number;
  /** When the server was created, in milliseconds. */
  readonly now: number;
}

/** All rows of the seed, generated or given; they must not be changed. */
interface FleetSeed extends FleetPlan {
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

/** Returns `vehicle-1`, `vehicle-2`, …; inspections have UUIDs. */
function generatedIds(resource: FleetResource, count: number, { seed }: FleetPlan): string[] {
  return Array.from({ length: count }, (_, index) =>
    resource === "inspections"
      ? new Random(seed, "inspection id", index).uuid()
      : `${generators[resource].prefix}-${index + 1}`,
  );
}

/** Generates a row of a resource; always the same row. */
function generateRow(resource: FleetResource, id: string, seed: FleetSeed): FleetRow {
  const { prefix, generate } = generators[resource];
  const number = Number(/\d+$/.exec(id)?.[0] ?? 1);
  return { id, ...generate({ id, number, random: new Random(seed.seed, prefix, id), seed }) };
}

/** How the rows of a resource are generated. */
interface Generator {
  /** The default number of rows. */
  readonly count: number;
  readonly prefix: string;
  /** What a row refers to: it cannot be generated without these. */
  readonly needs?: readonly FleetResource[];
  readonly generate: (row: RowPlan) => JsonObject;
}

const generators: Readonly<Record<FleetResource, Generator>> = {
  vehicles: { count: 100, prefix: "vehicle", generate: generateVehicle },
  vehicleGroups: { count: 5, prefix: "group", generate: ({ number }) => ({ name: nameOf(GROUPS, number) }) },
  vehicleFields: { count: 6, prefix: "field", generate: generateField },
  inspections: {
    count: 60,
    prefix: "inspection",
    needs: ["vehicles", "inspectionTemplates"],
    generate: generateInspection,
  },
  inspectionTemplates: { count: 6, prefix: "template", generate: generateTemplate },
  damages: { count: 40, prefix: "damage", needs: ["vehicles"], generate: generateDamage },
  driverAssignments: { count: 40, prefix: "assignment", needs: ["vehicles"], generate: generateAssignment },
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
  const createdAt = random.timeBefore(seed.now);
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
  const createdAt = random.timeBefore(now);
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
    performedAt: random.timeBefore(now),
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

/** The contract does not show the properties of driver assignments. gap fleet.open-properties */
function generateAssignment({ random, seed: { ids, now } }: RowPlan): JsonObject {
  return {
    vehicleId: random.pick(ids.vehicles),
    driver: person(random),
    assignedAt: random.timeBefore(now),
  };
}

/** A damage of one of an inspection's vehicles, reported by who performed it. gap damages.status-values */
function generateDamage({ id, random, seed: { ids, reportedIds, rows, now } }: RowPlan): JsonObject {
  const inspectionId = reportedIds.length === 0 ? undefined : random.pick(reportedIds);
  const inspection = objectOf(rows.inspections.get(inspectionId ?? ""));
  const inspected = vehicleIdsOf(inspection);
  const reportedAt = stringOf(inspection.performedAt) ?? random.timeBefore(now);
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
