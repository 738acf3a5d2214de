import { parseInstant } from "../../../../wire/instants.ts";
import type { JsonObject } from "../../../../../generated/fleet.ts";
import { Random } from "../../../../wire/random.ts";
import { SEEDED_SPAN } from "../../../seed/seed-plan.ts";
import type { FleetSeedPlan } from "../options.ts";
import { objectsIn, stringsIn } from "../../../../wire/json.ts";
import { stringOf } from "../properties.ts";
import { vehicleIdsOf } from "../rows.ts";
import { type Source, type Sources, numberedSource, numberedName, pickSome, listedOr } from "./sources.ts";
import { person } from "./vehicles.ts";

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

const PLACES = [
  ["Depot Gdańsk", 54.352, 18.646],
  ["Depot Kraków", 50.061, 19.937],
  ["Depot Warszawa", 52.23, 21.011],
] as const;

/** Templates with their own items and with vehicle fields; each field is in at least one template. */
export function templateSource(
  { seed, now }: FleetSeedPlan,
  count: number,
  { vehicleGroups, vehicleFields }: Pick<Sources, "vehicleGroups" | "vehicleFields">,
): Source {
  return numberedSource("template", count, (number, id) => {
    const random = new Random(seed, "template", number);
    const [title, description] = TITLES[(number - 1) % TITLES.length] ?? TITLES[0];
    const createdAt = new Date(now - Math.ceil((1 + random.fraction()) * 0.5 * SEEDED_SPAN)).toISOString();
    const fields = vehicleFields.ids
      .filter((_, index) => index % count === number - 1 || random.chance(0.3))
      .map((field) => fieldItem(vehicleFields.rowOf(field)));
    const items = [...ownItems(id, number), ...fields];
    return {
      id,
      title: numberedName(title, number, TITLES.length),
      description,
      version: random.integer(1, 4),
      isActive: number % 4 !== 0,
      groupIds: vehicleGroups.ids.length === 0 ? [] : pickSome(random, vehicleGroups.ids, 2),
      createdAt,
      updatedAt: createdAt,
      items: items.map((item, index) => ({ ...item, order: index + 1 })),
    };
  });
}

/** Two to five items; the second depends on the first. */
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

/** Inspections of one to three vehicles, in order of time. */
export function inspectionSource(
  plan: FleetSeedPlan,
  count: number,
  { vehicles, inspectionTemplates }: Pick<Sources, "vehicles" | "inspectionTemplates">,
): Source {
  const ids = Array.from({ length: count }, (_, index) => new Random(plan.seed, "inspection", index).uuid());
  const numbers = new Map(ids.map((id, index) => [id, index]));
  return {
    ids,
    rowOf: (id) => {
      const index = numbers.get(id) ?? 0;
      const random = new Random(plan.seed, "inspection of", index);
      const [title, latitude, longitude] = random.pick(PLACES);
      const template = inspectionTemplates.rowOf(random.pick(inspectionTemplates.ids));
      const time =
        plan.now - SEEDED_SPAN + Math.floor(((index + random.fraction() * 0.9) / count) * SEEDED_SPAN);
      return {
        id,
        templateId: template.id,
        status: listedOr(plan.readings["inspections.status-values"], index, "COMPLETED", UNLISTED_STATUSES),
        performedAt: new Date(time).toISOString(),
        performedBy: person(random),
        vehicleIds: pickSome(random, vehicles.ids, 3),
        location: { title, latitude, longitude },
        notes: random.chance(0.3) ? "To be looked at again" : "",
        responses: objectsIn(template.items).map((item) => responseTo(item, random, time)),
      };
    },
  };
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

/** Invented values. gaps inspections.status-values, damages.status-values */
const UNLISTED_STATUSES = ["UNSEEN_DRAFT", "UNSEEN_CANCELLED"];
const UNLISTED_DAMAGE_STATUSES = ["UNSEEN_IN_REPAIR", "UNSEEN_REPAIRED"];

const DAMAGES = [
  "Scratch on the left door",
  "Crack in the windscreen",
  "Dent in the bumper",
  "Broken mirror",
] as const;

/** Damages of one of the inspection's vehicles, reported by the person who performed the inspection. */
export function damageSource(
  { seed, now, readings }: FleetSeedPlan,
  count: number,
  { vehicles, inspections }: Pick<Sources, "vehicles" | "inspections">,
): Source {
  return numberedSource("damage", count, (number, id) => {
    const random = new Random(seed, "damage", number);
    const inspection: JsonObject =
      inspections.ids.length === 0 ? {} : inspections.rowOf(random.pick(inspections.ids));
    const inspected = vehicleIdsOf(inspection);
    const time = parseInstant(
      stringOf(inspection.performedAt) ?? new Date(now - SEEDED_SPAN / 2).toISOString(),
    );
    const vehicleId = random.pick(inspected.length === 0 ? vehicles.ids : inspected);
    const description = random.pick(DAMAGES);
    const seen = random.pick(["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"]);
    return {
      id,
      vehicleId,
      description,
      photoUrl: `https://files.reference.test/damages/${id}.jpg`,
      status: listedOr(readings["damages.status-values"], number, seen, UNLISTED_DAMAGE_STATUSES),
      reportedAt: new Date(time).toISOString(),
      reportedBy: inspection.performedBy ?? person(random),
      assignedTo: person(random),
      repairedAt: random.chance(0.2) ? new Date((time + now) / 2).toISOString() : null,
      ...(inspection.id !== undefined && { inspectionId: inspection.id }),
    };
  });
}
