import type {
  Contact,
  Expectation,
  Exposition,
  ExpositionType,
  ProductCategory,
} from "../../../../../generated/store.ts";
import { contactTypes, expositionTypes, productCategories } from "../../../../../generated/store.enums.ts";
import { Random } from "../../../../wire/random.ts";
import { SEEDED_SPAN } from "../../../seed/seed-plan.ts";
import type { StoreSeedPlan } from "./plan.ts";

const FIRST = ["Anna", "Jan", "Katarzyna", "Marek", "Zofia"] as const;
const LAST = ["Kowalska", "Lewandowski", "Mazur", "Nowak", "Wójcik"] as const;

/** Builds the contacts of a store: a store manager, and one or two with the other types. */
export function buildContacts({ seed, now }: StoreSeedPlan, externalId: string): Contact[] {
  const random = new Random(seed, "contacts", externalId);
  return Array.from({ length: random.integer(2, 3) }, (_, index): Contact => {
    const [first, last] = [random.pick(FIRST), random.pick(LAST)];
    return {
      contactId: random.uuid(),
      contactType: contactTypes[Math.min(index, contactTypes.length - 1)] ?? "store",
      name: `${first} ${last}`,
      phone: `+48 ${random.integer(500, 799)} ${random.integer(100, 999)} ${random.integer(100, 999)}`,
      email: random.chance(0.3) ? null : `${toAscii(first)}.${toAscii(last)}@example.com`,
      hasWhatsapp: random.chance(0.5),
      createdAt: timeBefore(now, random),
    };
  });
}

/** Builds two to five expositions. */
export function buildExpositions({ seed }: StoreSeedPlan, externalId: string): Exposition[] {
  const random = new Random(seed, "expositions", externalId);
  return Array.from({ length: random.integer(2, 5) }, (_, index): Exposition => {
    const expositionType = random.pick(expositionTypes);
    return {
      expositionId: random.uuid(),
      label: `${expositionType} ${index + 1}`,
      friendlyTitle: random.chance(0.3) ? null : humanize(expositionType),
      productCategories: categoriesOf(expositionType),
      expositionType,
      status: random.chance(0.15) ? "disabled" : "active",
    };
  });
}

/** Builds the expectations of most expositions, for each day of the week. */
export function buildExpectations(plan: StoreSeedPlan, externalId: string): Expectation[] {
  const random = new Random(plan.seed, "expectations", externalId);
  return buildExpositions(plan, externalId).flatMap(({ expositionType, productCategories: [category] }) => {
    const productCategory = random.chance(0.3) ? null : (category ?? null);
    const protocolTime = `${random.pick(["08", "12", "16"])}:${random.pick(["00", "30"])}`;
    const updatedAt = timeBefore(plan.now, random);
    const days = random.chance(0.8) ? 7 : 0;
    return Array.from(
      { length: days },
      (_, weekday): Expectation => ({
        expectationId: random.uuid(),
        productCategory,
        displayType: expositionType,
        weekday,
        protocolTime,
        expectedFillRatio: random.integer(40, 90),
        updatedAt,
      }),
    );
  });
}

/** An instant in the 28 days before the server was created. */
function timeBefore(now: number, random: Random): string {
  return new Date(now - Math.ceil(random.fraction() * SEEDED_SPAN)).toISOString();
}

/** Returns the categories that the name of a type begins with; for the two fridges, those at its end. */
function categoriesOf(type: ExpositionType): ProductCategory[] {
  const name = type.replace(/^FRIDGE_/, "");
  return productCategories.filter((category) => name.startsWith(category) || category.startsWith(name));
}

function humanize(type: string): string {
  const text = type.toLowerCase().replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toAscii(name: string): string {
  return name.toLowerCase().replaceAll("ó", "o");
}
