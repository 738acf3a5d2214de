import type { JsonObject } from "../../../generated/fleet.ts";
import { parseInstant } from "../server/instants.ts";
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

/** The seed rows of a resource, which are always the same. */
export interface Source {
  readonly ids: readonly string[];
  readonly rowOf: (id: string) => FleetRow;
}

export type Sources = Readonly<Record<FleetResource, Source>>;

/** Rows `prefix-1`, `prefix-2`, … */
function numbered(prefix: string, count: number, rowOf: (number: number, id: string) => FleetRow): Source {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  return { ids, rowOf: (id) => rowOf(Number(id.slice(prefix.length + 1)), id) };
}

/** Numbers repeated names: `North`, …, `North 2`. */
function numberedName(name: string, number: number, names: number): string {
  const round = Math.ceil(number / names);
  return round === 1 ? name : `${name} ${round}`;
}

/** Returns up to `maximum` values of a list, each once. */
function pickSome<Value>(random: Random, values: readonly Value[], maximum: number): Value[] {
  if (values.length === 0) return [];
  const count = Math.min(random.integer(1, maximum), values.length);
  const chosen = new Set<Value>();
  while (chosen.size < count) chosen.add(random.pick(values));
  return [...chosen];
}

function timeBefore(now: number, fraction: number): string {
  return new Date(now - Math.ceil(fraction * SEEDED_SPAN)).toISOString();
}

const MODELS = [
  ["DAF", "XF"],
  ["Iveco", "S-Way"],
  ["MAN", "TGX"],
  ["Mercedes-Benz", "Actros"],
  ["Scania", "R 450"],
  ["Volvo", "FH"],
] as const;
const PLATES = ["DW", "GD", "KR", "PO", "WX"] as const;
const VIN_DIGITS = "0123456789ABCDEFGHJKLMNPRSTUVWXYZ".split("");

/** Vehicles with the properties that inspections embed. gap vehicles.type-values */
export function vehicleSource({ seed }: FleetPlan, count: number): Source {
  return numbered("vehicle", count, (number, id) => {
    const random = new Random(seed, "vehicle", number);
    const [brand, model] = random.pick(MODELS);
    const plateNumber = `${random.pick(PLATES)} ${10_000 + number}`;
    const vin = Array.from({ length: 17 }, () => random.pick(VIN_DIGITS)).join("");
    return { id, plateNumber, brand, model, vin, type: "TRACTOR_UNIT" };
  });
}

const GROUPS = ["North", "South", "East", "West", "Long-distance"] as const;

export function groupSource(count: number): Source {
  return numbered("group", count, (number, id) => {
    const name = GROUPS[(number - 1) % GROUPS.length] ?? "";
    return { id, name: numberedName(name, number, GROUPS.length) };
  });
}

type Choices = readonly (readonly [label: string, value: string, status?: string])[];

const QUALITY: Choices = [
  ["Good", "GOOD", "OK"],
  ["Worn", "WORN", "WARNING"],
  ["Damaged", "DAMAGED", "NOT_OK"],
];
const CLEANNESS: Choices = [
  ["Clean", "CLEAN"],
  ["Dirty", "DIRTY"],
];

/** Fields with a status rule, a choice without a rule, and a number. */
const FIELDS: readonly (readonly [label: string, description: string, choices: Choices])[] = [
  ["Tyres", "State of the tyres", QUALITY],
  ["Lights", "State of all lights", QUALITY],
  ["Body", "State of the bodywork", QUALITY],
  ["Cab", "What the cab is like", CLEANNESS],
  ["Mileage", "What the odometer says", []],
  ["Windscreen", "State of the windscreen", QUALITY],
];

/** Custom fields, each assigned to one or two groups. */
export function fieldSource({ seed, now }: FleetPlan, count: number, groups: Source): Source {
  return numbered("field", count, (number, id) => {
    const random = new Random(seed, "field", number);
    const [label, description, choices] = FIELDS[(number - 1) % FIELDS.length] ?? ["", "", []];
    const createdAt = timeBefore(now, (1 + random.fraction()) * 0.5);
    return {
      id,
      label: numberedName(label, number, FIELDS.length),
      description,
      inputType: choices.length === 0 ? "NUMBER" : "SELECT",
      isRequired: random.chance(0.5),
      instructionImageUrl: random.chance(0.5) ? `https://files.reference.test/fields/${id}.png` : null,
      hasStatusRule: choices.some(([, , status]) => status !== undefined),
      groupIds: pickSome(random, groups.ids, 2),
      options: choices.map(([choice, value, status], index) => ({
        id: `${id}-option-${index + 1}`,
        label: choice,
        value,
        ...(status !== undefined && { status }),
      })),
      createdAt,
      updatedAt: createdAt,
    };
  });
}

const TITLES = [
  ["Daily check", "Before the first trip of the day"],
  ["Handover", "When a vehicle goes to another driver"],
  ["Monthly check", "Once a month in the workshop"],
  ["Return", "When a vehicle comes back"],
  ["Accident", "After an accident"],
  ["Winter check", "Before the first frost"],
] as const;

const ITEMS: readonly (readonly [label: string, inputType: string, options: readonly string[]])[] = [
  ["Do all warning lights go out?", "BOOLEAN", []],
  ["What is missing?", "TEXT", []],
  ["Fuel level", "SELECT", ["Full", "Half", "Empty"]],
  ["Front of the vehicle", "PHOTO", []],
  ["Distance driven", "NUMBER", []],
  ["Next service", "DATE", []],
  ["Signature of the driver", "SIGNATURE", []],
];

/** Templates with their own items and with vehicle fields; each field is in at least one template. */
export function templateSource(
  { seed, now }: FleetPlan,
  count: number,
  groups: Source,
  fields: Source,
): Source {
  return numbered("template", count, (number, id) => {
    const random = new Random(seed, "template", number);
    const [title, description] = TITLES[(number - 1) % TITLES.length] ?? TITLES[0];
    const createdAt = timeBefore(now, (1 + random.fraction()) * 0.5);
    const fieldItems = fields.ids
      .filter((_, index) => index % count === number - 1 || random.chance(0.3))
      .map((field) => fieldItem(fields.rowOf(field)));
    const version = random.integer(1, 4);
    return {
      id,
      title: numberedName(title, number, TITLES.length),
      description,
      version,
      isActive: number % 4 !== 0,
      groupIds: pickSome(random, groups.ids, 2),
      createdAt,
      updatedAt: createdAt,
      items: [...ownItems(id, number), ...fieldItems].map((item, index) => ({ ...item, order: index + 1 })),
    };
  });
}

/** Two to seven items; the second depends on the first. */
function ownItems(templateId: string, number: number): JsonObject[] {
  return ITEMS.slice(0, 2 + (number % 6)).map(([label, inputType, options], index) => ({
    id: `${templateId}-item-${index + 1}`,
    label,
    inputType,
    isRequired: index % 2 === 0,
    options,
    instructionImageUrl: inputType === "PHOTO" ? "https://files.reference.test/items/front.png" : null,
    ...(index === 1 && { dependsOn: { itemId: `${templateId}-item-1`, equals: "false" } }),
  }));
}

/** A vehicle field as an item, with its own ID. */
function fieldItem({
  id,
  label,
  inputType,
  isRequired,
  instructionImageUrl,
  options,
}: JsonObject): JsonObject {
  const values = objectsIn(options).map((option) => option.value);
  return { id, label, inputType, isRequired, options: values, instructionImageUrl };
}

const PLACES = [
  ["Depot Gdańsk", 54.352, 18.646],
  ["Depot Kraków", 50.061, 19.937],
  ["Depot Warszawa", 52.23, 21.011],
] as const;

/** Inspections of one to three vehicles, in order of time. gap inspections.status-values */
export function inspectionSource(
  plan: FleetPlan,
  count: number,
  vehicles: Source,
  templates: Source,
): Source {
  const ids = Array.from({ length: count }, (_, index) => new Random(plan.seed, "inspection", index).uuid());
  const numbers = new Map(ids.map((id, index) => [id, index]));
  const rowOf = (id: string) => {
    const index = numbers.get(id) ?? 0;
    const random = new Random(plan.seed, "inspection of", index);
    const [title, latitude, longitude] = random.pick(PLACES);
    const template = templates.rowOf(random.pick(templates.ids));
    const at = plan.now - SEEDED_SPAN + Math.floor(((index + random.fraction() * 0.9) / count) * SEEDED_SPAN);
    return {
      id,
      templateId: template.id,
      status: "COMPLETED",
      performedAt: new Date(at).toISOString(),
      performedBy: person(random),
      vehicleIds: pickSome(random, vehicles.ids, 3),
      location: { title, latitude, longitude },
      notes: random.chance(0.3) ? "To be looked at again" : "",
      responses: objectsIn(template.items).map((item) => responseTo(item, random, at)),
    };
  };
  return { ids, rowOf };
}

function responseTo(item: JsonObject, random: Random, time: number): JsonObject {
  const id = random.uuid();
  const isFile = item.inputType === "PHOTO" || item.inputType === "SIGNATURE";
  return {
    id,
    templateItemId: item.id,
    responseText: isFile ? null : responseTextTo(item, random, time),
    fileUrl: isFile ? `https://files.reference.test/responses/${id}.jpg` : null,
    followUpResponses: random.chance(0.1) ? { comment: "The driver knows" } : null,
  };
}

function responseTextTo({ inputType, options }: JsonObject, random: Random, time: number): string {
  const choices = stringsIn(options);
  switch (inputType) {
    case "SELECT":
      return choices.length === 0 ? "" : random.pick(choices);
    case "BOOLEAN":
      return String(random.chance(0.8));
    case "NUMBER":
      return String(random.integer(1000, 900_000));
    case "DATE":
      return new Date(time + random.integer(10, 300) * 86_400_000).toISOString().slice(0, 10);
    default:
      return random.pick(["Nothing", "The first-aid kit", "The warning triangle"]);
  }
}

const DAMAGES = [
  "Scratch on the left door",
  "Crack in the windscreen",
  "Dent in the bumper",
  "Broken mirror",
] as const;

/** Damages of one of the inspection's vehicles, reported by the person who performed the inspection. gap damages.status-values */
export function damageSource(
  { seed, now }: FleetPlan,
  count: number,
  vehicles: Source,
  inspections: Source,
): Source {
  return numbered("damage", count, (number, id) => {
    const random = new Random(seed, "damage", number);
    const inspection: JsonObject =
      inspections.ids.length === 0 ? {} : inspections.rowOf(random.pick(inspections.ids));
    const inspected = vehicleIdsOf(inspection);
    const performedAt = stringOf(inspection.performedAt);
    const time = performedAt === undefined ? now - SEEDED_SPAN / 2 : parseInstant(performedAt);
    const vehicleId = random.pick(inspected.length === 0 ? vehicles.ids : inspected);
    const description = random.pick(DAMAGES);
    return {
      id,
      vehicleId,
      description,
      photoUrl: `https://files.reference.test/damages/${id}.jpg`,
      status: random.pick(["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"]),
      reportedAt: new Date(time).toISOString(),
      reportedBy: inspection.performedBy ?? person(random),
      assignedTo: person(random),
      repairedAt: random.chance(0.2) ? new Date((time + now) / 2).toISOString() : null,
      ...(inspection.id !== undefined && { inspectionId: inspection.id }),
    };
  });
}

/** Driver assignments; the contract does not show their properties. gap fleet.open-properties */
export function assignmentSource({ seed, now }: FleetPlan, count: number, vehicles: Source): Source {
  return numbered("assignment", count, (number, id) => {
    const random = new Random(seed, "assignment", number);
    const assignedAt = timeBefore(now, random.fraction());
    return { id, vehicleId: random.pick(vehicles.ids), driver: person(random), assignedAt };
  });
}

const PEOPLE = [
  ["Anna", "Nowak"],
  ["Ewa", "Lis"],
  ["Jan", "Mazur"],
  ["Marek", "Kowalski"],
  ["Piotr", "Zima"],
] as const;

/** A user of the company. */
function person(random: Random): JsonObject {
  const number = random.integer(1, PEOPLE.length);
  const [firstName, lastName] = PEOPLE[number - 1] ?? PEOPLE[0];
  const email = `${firstName}.${lastName}@example.com`.toLowerCase();
  return { id: `user-${number}`, firstName, lastName, email };
}
