import type { JsonObject } from "../../../../../generated/fleet.ts";
import { Random } from "../../../../wire/random.ts";
import { SEEDED_SPAN } from "../../../seed/seed-plan.ts";
import type { FleetSeedPlan } from "../options.ts";
import { type Source, type Sources, numberedSource, numberedName, pickSome, listedOr } from "./sources.ts";

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
/** Invented values. gap vehicles.type-values */
const UNLISTED_TYPES = ["UNSEEN_TRAILER", "UNSEEN_VAN"];
const GROUPS = ["North", "South", "East", "West", "Long-distance"] as const;

/** Vehicles with the properties that inspections embed. gap vehicles.type-values */
export function vehicleSource({ seed, readings }: FleetSeedPlan, count: number): Source {
  return numberedSource("vehicle", count, (number, id) => {
    const random = new Random(seed, "vehicle", number);
    const [brand, model] = random.pick(MODELS);
    const type = listedOr(readings["vehicles.type-values"], number, "TRACTOR_UNIT", UNLISTED_TYPES);
    const plateNumber = `${random.pick(PLATES)} ${10_000 + number}`;
    return { id, plateNumber, brand, model, vin: vin(random), type };
  });
}

function vin(random: Random): string {
  return Array.from({ length: 17 }, () => random.pick(VIN_DIGITS)).join("");
}

export function groupSource(count: number): Source {
  return numberedSource("group", count, (number, id) => ({ id, name: groupName(GROUPS, number) }));
}

type Choices = readonly (readonly [label: string, value: string, status?: string])[];

const QUALITY: Choices = [
  ["Good", "GOOD", "OK"],
  ["Worn", "WORN", "WARNING"],
  ["Damaged", "DAMAGED", "NOT_OK"],
];

/** Fields with a status rule, a choice without a rule, and a number. */
const FIELDS: readonly (readonly [label: string, description: string, choices: Choices])[] = [
  ["Tyres", "State of the tyres", QUALITY],
  ["Lights", "State of all lights", QUALITY],
  ["Body", "State of the bodywork", QUALITY],
  [
    "Cab",
    "What the cab is like",
    [
      ["Clean", "CLEAN"],
      ["Dirty", "DIRTY"],
    ],
  ],
  ["Mileage", "What the odometer says", []],
  ["Windscreen", "State of the windscreen", QUALITY],
];

/** Custom fields, each assigned to one or two groups. */
export function fieldSource({ seed, now }: FleetSeedPlan, count: number, groups: Source): Source {
  return numberedSource("field", count, (number, id) => {
    const random = new Random(seed, "field", number);
    const [label, description, choices] = FIELDS[(number - 1) % FIELDS.length] ?? ["", "", []];
    const createdAt = new Date(now - Math.ceil((1 + random.fraction()) * 0.5 * SEEDED_SPAN)).toISOString();
    return {
      id,
      label: numberedName(label, number, FIELDS.length),
      description,
      inputType: choices.length === 0 ? "NUMBER" : "SELECT",
      isRequired: random.chance(0.5),
      instructionImageUrl: random.chance(0.5) ? `https://files.reference.test/fields/${id}.png` : null,
      hasStatusRule: choices.some(([, , status]) => status !== undefined),
      groupIds: groups.ids.length === 0 ? [] : pickSome(random, groups.ids, 2),
      options: choices.map((choice, index) => option(id, choice, index)),
      createdAt,
      updatedAt: createdAt,
    };
  });
}

function option(fieldId: string, [label, value, status]: Choices[number], index: number): JsonObject {
  return { id: `${fieldId}-option-${index + 1}`, label, value, ...(status !== undefined && { status }) };
}

/** Driver assignments; the contract does not show their properties. gap fleet.open-properties */
export function assignmentSource(
  { seed, now }: FleetSeedPlan,
  count: number,
  { vehicles }: Pick<Sources, "vehicles">,
): Source {
  return numberedSource("assignment", count, (number, id) => {
    const random = new Random(seed, "assignment", number);
    const assignedAt = new Date(now - Math.ceil(random.fraction() * SEEDED_SPAN)).toISOString();
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
export function person(random: Random): JsonObject {
  const number = random.integer(1, PEOPLE.length);
  const [firstName, lastName] = PEOPLE[number - 1] ?? PEOPLE[0];
  const email = `${firstName}.${lastName}@example.com`.toLowerCase();
  return { id: `user-${number}`, firstName, lastName, email };
}

function groupName(names: readonly string[], number: number): string {
  return numberedName(names[(number - 1) % names.length] ?? "", number, names.length);
}
