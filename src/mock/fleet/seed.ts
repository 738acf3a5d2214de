import * as z from "zod/mini";
import type { JsonObject } from "../../../generated/fleet.ts";
import { objectsIn } from "../../wire/json.ts";
import { omitUndefined, tableOf } from "../../wire/names.ts";
import { Random, type SeedPlan } from "../server/random.ts";
import { deepCopy } from "../server/rows.ts";
import { idSchema, parse } from "../server/schemas.ts";
import {
  type FleetData,
  type FleetOptions,
  type FleetResource,
  fleetResources,
  type FleetRow,
  moveDamages,
  vehicleIdsOf,
} from "./data.ts";
import { optionsOf, resources, view, withElementIds } from "./resources.ts";

/** Fills both environments with the same rows. Everything except the IDs is created on first access. */
export function seedFleet(environments: readonly FleetData[], plan: SeedPlan, options: FleetOptions): void {
  const rowsOfCaller = tableOf(fleetResources, (resource) => givenRows(resource, plan, options[resource]));
  const { inspections, damages = new Map() } = rowsOfCaller;
  const given = { ...rowsOfCaller, ...(inspections && moveDamages({ inspections, damages })) };
  const ids = tableOf(fleetResources, (resource) => {
    const generated = generatedIds(resource, countOf(resource, options), plan);
    return [...new Set([...generated, ...(given[resource]?.keys() ?? [])])];
  });
  const reportedIds = inspections === undefined ? ids.inspections : [];
  const rowOf = (resource: FleetResource, id: string): FleetRow =>
    deepCopy(given[resource]?.get(id) ?? generateRow(resource, id, { ...plan, ids, reportedIds, rowOf }));
  for (const data of environments)
    for (const resource of fleetResources) data[resource].seed(ids[resource], (id) => rowOf(resource, id));
}

/** Returns how many rows of a resource are generated; by default none if what they refer to is missing. */
function countOf(resource: FleetResource, options: FleetOptions): number {
  const { count, needs = [] } = generators[resource];
  const isMissing = needs.some((needed) => {
    const rows = options[needed];
    return Array.isArray(rows) ? rows.length === 0 : rows === 0;
  });
  const rows = options[resource] ?? (isMissing ? 0 : count);
  return typeof rows === "number" ? rows : 0;
}

/** A row of the options. */
const givenSchema = z.looseObject({ id: z.optional(idSchema) });

/** Completes the rows that the caller gives; throws an error that names a row that violates the contract. */
function givenRows(
  resource: FleetResource,
  { seed, now }: SeedPlan,
  rows: number | readonly unknown[] | undefined,
): ReadonlyMap<string, FleetRow> | undefined {
  if (typeof rows !== "object") return undefined;
  const completed = new Map<string, FleetRow>();
  const { schema } = resources[resource];
  for (const [index, given] of rows.entries()) {
    const place = `fleet.${resource}[${index}]`;
    const random = new Random(seed, "own", resource, index);
    const { id = random.uuid(), ...properties } = parse(givenSchema, deepCopy(given), place);
    if (completed.has(id)) throw new Error(`${place}.id: duplicate row "${id}"`);
    const row = completeRow(resource, { id, ...properties }, random, now);
    // responses compute the properties that a row does not have
    if (schema !== undefined) parse(schema, { ...view({}, schema), ...row }, place);
    completed.set(id, row);
  }
  return completed;
}

/** Returns a row with the properties of a new one that it leaves out; an undefined property is a missing one. */
function completeRow(resource: FleetResource, row: FleetRow, random: Random, now: number): FleetRow {
  const defaults = resources[resource].defaults?.(new Date(now).toISOString());
  const given = withElementIds(resource, omitUndefined(row), () => random.uuid());
  return { ...defaults, ...given, id: row.id };
}

/** The rows of the seed, generated or given. */
interface FleetSeed extends SeedPlan {
  readonly ids: Readonly<Record<FleetResource, readonly string[]>>;
  /** The inspections that damages may belong to: generated ones. */
  readonly reportedIds: readonly string[];
  /** Returns a new copy of a row. */
  readonly rowOf: (resource: FleetResource, id: string) => FleetRow;
}

/** What a generated row is made of; `number` counts from 1. */
interface RowPlan extends FleetSeed {
  readonly id: string;
  readonly number: number;
  readonly random: Random;
}

/** Returns `vehicle-1`, `vehicle-2`, …; inspections have UUIDs. */
function generatedIds(resource: FleetResource, count: number, { seed }: SeedPlan): string[] {
  return Array.from({ length: count }, (_, index) =>
    resource === "inspections"
      ? new Random(seed, "inspection id", index).uuid()
      : `${generators[resource].prefix}-${index + 1}`,
  );
}

/** Generates a row of a resource; always the same row. */
function generateRow(resource: FleetResource, id: string, seed: FleetSeed): FleetRow {
  const { prefix, generate } = generators[resource];
  const random = new Random(seed.seed, prefix, id);
  const number = Number(/\d+$/.exec(id)?.[0] ?? 1);
  return completeRow(resource, { id, ...generate({ ...seed, id, number, random }) }, random, seed.now);
}

/** How the rows of a resource are generated. */
interface Generator {
  /** The default number of rows. */
  readonly count: number;
  readonly prefix: string;
  /** What a row refers to. */
  readonly needs?: readonly FleetResource[];
  /** Returns the properties that differ from those of a new row. */
  readonly generate: (row: RowPlan) => JsonObject;
}

const generators: Readonly<Record<FleetResource, Generator>> = {
  vehicles: { count: 100, prefix: "vehicle", generate: generateVehicle },
  vehicleGroups: { count: 5, prefix: "group", generate: ({ number }) => ({ name: `Depot ${number}` }) },
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
const FIELDS = ["Tyres", "Lights", "Mirrors", "Windscreen"] as const;
const TITLES = ["Daily check", "Handover", "Winter check"] as const;
const DAMAGES = ["Scratch on the left door", "Crack in the windscreen", "Broken mirror"] as const;
const PEOPLE = [
  { id: "user-anna", firstName: "Anna", lastName: "Nowak", email: "anna.nowak@example.com" },
  { id: "user-jan", firstName: "Jan", lastName: "Mazur", email: "jan.mazur@example.com" },
] as const;

/** The URL of files, which nothing serves. */
const FILES = "https://files.reference.test";

/** The choices of vehicle fields. */
const CHOICES = [
  { id: "good", label: "Good", value: "GOOD", status: "OK" },
  { id: "worn", label: "Worn", value: "WORN", status: "WARNING" },
  { id: "damaged", label: "Damaged", value: "DAMAGED", status: "NOT_OK" },
] as const;

/** Returns one or two values of a list; none of an empty list. */
function pickSome<Value>(random: Random, values: readonly Value[]): Value[] {
  return values.length === 0 ? [] : [...new Set([random.pick(values), random.pick(values)])];
}

/** A vehicle has the properties that inspections embed. gap vehicles.type-values */
function generateVehicle({ number, random }: RowPlan): JsonObject {
  const [brand, model] = random.pick(MODELS).split(" ");
  const vin = `WDB${String(number).padStart(14, "0")}`;
  return { plateNumber: `KR ${10_000 + number}`, brand, model, vin, type: "TRACTOR_UNIT" };
}

/** A field with a status rule, and each fourth one without. */
function generateField({ number, random, ids }: RowPlan): JsonObject {
  return {
    label: `${random.pick(FIELDS)} ${number}`,
    inputType: "SELECT",
    isRequired: random.chance(0.5),
    hasStatusRule: number % 4 !== 0,
    groupIds: pickSome(random, ids.vehicleGroups),
    options: CHOICES,
  };
}

/** A template with a question, a choice, a photo and vehicle fields, each of which is in one template. */
function generateTemplate({ id, number, random, ids, rowOf }: RowPlan): JsonObject {
  const first = `${id}-item-1`;
  const dependsOn = { itemId: first, equals: "false" };
  const fieldIds = ids.vehicleFields.filter(
    (_, index) => index % ids.inspectionTemplates.length === number - 1,
  );
  return {
    title: `${random.pick(TITLES)} ${number}`,
    description: "Before each trip",
    isActive: number % 4 !== 0,
    groupIds: pickSome(random, ids.vehicleGroups),
    items: [
      { id: first, label: "Do all lights work?", inputType: "BOOLEAN", isRequired: true },
      { id: `${id}-item-2`, label: "Which one?", inputType: "SELECT", options: ["Left", "Right"], dependsOn },
      { id: `${id}-item-3`, label: "Front of the vehicle", inputType: "PHOTO" },
      // an item with the ID of a vehicle field is about that field
      ...fieldIds.map((fieldId) => rowOf("vehicleFields", fieldId)),
    ],
  };
}

/** Inspections of one or two vehicles. gap inspections.status-values */
function generateInspection({ random, ids, rowOf, now }: RowPlan): JsonObject {
  const [templateId] = pickSome(random, ids.inspectionTemplates);
  const items = templateId === undefined ? [] : objectsIn(rowOf("inspectionTemplates", templateId).items);
  return {
    templateId,
    performedAt: random.timeBefore(now),
    performedBy: random.pick(PEOPLE),
    vehicleIds: pickSome(random, ids.vehicles),
    location: { title: "Depot Gdańsk", latitude: 54.352, longitude: 18.646 },
    notes: random.chance(0.3) ? "To be looked at again" : "",
    responses: items.map((item) => {
      const [responseText = "true"] = pickSome(random, optionsOf(item));
      const response = item.inputType === "PHOTO" ? { fileUrl: `${FILES}/front.jpg` } : { responseText };
      return { templateItemId: item.id, ...response };
    }),
  };
}

/** The contract does not show the properties of driver assignments. gap fleet.open-properties */
function generateAssignment({ random, ids, now }: RowPlan): JsonObject {
  const [vehicleId] = pickSome(random, ids.vehicles);
  return { vehicleId, driver: random.pick(PEOPLE), assignedAt: random.timeBefore(now) };
}

/** A damage of one of an inspection's vehicles, reported by who performed it. gap damages.status-values */
function generateDamage({ id, random, ids, reportedIds, rowOf, now }: RowPlan): JsonObject {
  const [inspectionId] = pickSome(random, reportedIds);
  const inspection: JsonObject = inspectionId === undefined ? {} : rowOf("inspections", inspectionId);
  const inspected = vehicleIdsOf(inspection);
  const [vehicleId] = pickSome(random, inspected.length === 0 ? ids.vehicles : inspected);
  return {
    inspectionId,
    vehicleId,
    description: random.pick(DAMAGES),
    photoUrl: `${FILES}/${id}.jpg`,
    status: random.pick(["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"]),
    reportedAt: inspection.performedAt ?? random.timeBefore(now),
    reportedBy: inspection.performedBy ?? random.pick(PEOPLE),
    assignedTo: random.pick(PEOPLE),
    repairedAt: random.chance(0.2) ? new Date(now).toISOString() : null,
  };
}
