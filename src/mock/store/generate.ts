import {
  contactTypes,
  expositionTypes,
  imageStatuses,
  productCategories,
  protocolStatuses,
  storeTypes,
} from "../../../generated/store.enums.ts";
import type { Contact, Expectation, Exposition, Store } from "../../../generated/store.ts";
import { parseInstant } from "../server/instants.ts";
import { Random, SEEDED_SPAN } from "../server/random.ts";
import type { PhotoRow, ProtocolRow, StoreList, StoreRows } from "./data.ts";

/** The input of the generator: the same input gives the same rows. */
export interface StorePlan {
  readonly seed: number;
  /** When the server was created, in milliseconds. */
  readonly now: number;
  readonly protocolsPerStore: number | undefined;
}

const STREETS = ["Aleje Jerozolimskie", "Długa", "Lipowa", "Piotrkowska"] as const;
const CITIES = ["Gdańsk", "Kraków", "Łódź", "Warszawa"] as const;
const NAMES = ["Anna Nowak", "Jan Mazur", "Katarzyna Lewandowska", "Zofia Wójcik"] as const;

/** Returns one of the eight regions or protocol schedules, which the stores share. */
function sharedId(seed: number, name: "region" | "schedule", random: Random): string {
  return new Random(seed, name, random.integer(0, 7)).uuid();
}

/** Builds the store of an external ID; the same ID always has the same store. */
export function buildStore({ seed }: StorePlan, externalId: string): Store {
  const random = new Random(seed, "store", externalId);
  const storeType = random.chance(0.1) ? null : random.pick(storeTypes);
  const city = random.pick(CITIES);
  const street = `${random.pick(STREETS)} ${random.integer(1, 120)}`;
  const days = random.pick([0, 5, 6, 7]);
  return {
    storeId: random.uuid(),
    externalId,
    name: `${storeType ?? "Sklep"} ${street}`,
    location: random.chance(0.1) ? null : `${street}, ${city}`,
    regionId: random.chance(0.05) ? null : sharedId(seed, "region", random),
    storeType,
    openingTimes: Array.from({ length: days }, (_, weekday) => ({ weekday, from: "06:00", to: "21:30" })),
    protocolScheduleId: sharedId(seed, "schedule", random),
    protocolCronEnabled: random.chance(0.8),
    onboardingComplete: random.chance(0.9),
    loginCode: String(random.integer(100_000, 999_999)),
  };
}

/** Builds the contacts of a store: a store manager, and one or two with the other types. */
function buildContacts({ seed, now }: StorePlan, externalId: string): Contact[] {
  const random = new Random(seed, "contacts", externalId);
  return Array.from({ length: random.integer(2, 3) }, (_, index) => ({
    contactId: random.uuid(),
    contactType: contactTypes[index] ?? "store",
    name: random.pick(NAMES),
    phone: `+48 ${random.integer(500_000_000, 799_999_999)}`,
    email: random.chance(0.3) ? null : `contact-${index + 1}@example.com`,
    hasWhatsapp: random.chance(0.5),
    createdAt: timeBefore(now, random),
  }));
}

/** Builds two to five expositions. */
function buildExpositions({ seed }: StorePlan, externalId: string): Exposition[] {
  const random = new Random(seed, "expositions", externalId);
  return Array.from({ length: random.integer(2, 5) }, (_, index) => {
    const expositionType = random.pick(expositionTypes);
    return {
      expositionId: random.uuid(),
      label: `${expositionType} ${index + 1}`,
      friendlyTitle: random.chance(0.3) ? null : expositionType.toLowerCase().replaceAll("_", " "),
      productCategories: productCategories.filter((category) => expositionType.includes(category)),
      expositionType,
      status: random.chance(0.15) ? "disabled" : "active",
    };
  });
}

/** Builds the expectations of each exposition, for each day of the week. */
function buildExpectations(plan: StorePlan, externalId: string): Expectation[] {
  const random = new Random(plan.seed, "expectations", externalId);
  return buildExpositions(plan, externalId).flatMap(({ expositionType, productCategories: [category] }) => {
    const productCategory = random.chance(0.3) ? null : (category ?? null);
    const updatedAt = timeBefore(plan.now, random);
    return Array.from({ length: 7 }, (_, weekday) => ({
      expectationId: random.uuid(),
      productCategory,
      displayType: expositionType,
      weekday,
      protocolTime: "08:00",
      expectedFillRatio: random.integer(40, 90),
      updatedAt,
    }));
  });
}

function timeBefore(now: number, random: Random): string {
  return new Date(now - Math.ceil(random.fraction() * SEEDED_SPAN)).toISOString();
}

/** Builds three to six protocols, or `protocolsPerStore`, spread over the 28 days before the server was created. */
function buildProtocols({ seed, now, protocolsPerStore }: StorePlan, externalId: string): ProtocolRow[] {
  const random = new Random(seed, "protocols", externalId);
  const count = protocolsPerStore ?? random.integer(3, 6);
  const step = SEEDED_SPAN / Math.max(count, 1);
  return Array.from({ length: count }, (_, index) => {
    const status = random.chance(0.6) ? "completed" : random.pick(protocolStatuses);
    const at = now - SEEDED_SPAN + Math.floor((index + random.fraction() * 0.9) * step);
    return {
      protocolId: `P-${externalId}-${index + 1}`,
      externalId,
      status,
      createdAt: new Date(at).toISOString(),
      submittedAt: status === "awaiting_submission" ? null : new Date(at + 60_000).toISOString(),
    };
  });
}

/** Builds a photo of each exposition for each protocol; completed ones have a fill rate. */
function buildPhotos(plan: StorePlan, externalId: string): PhotoRow[] {
  const expositions = buildExpositions(plan, externalId);
  const random = new Random(plan.seed, "photos", externalId);
  return buildProtocols(plan, externalId).flatMap(({ protocolId, status: progress, createdAt }) =>
    expositions.map(({ expositionId }, index) => {
      const photoId = `I-${protocolId.slice(2)}-${index + 1}`;
      const isDone = progress === "completed" && random.chance(0.8);
      const status = isDone ? "completed" : random.pick(imageStatuses);
      return {
        photoId,
        protocolId,
        expositionId,
        status,
        fillRate: status === "completed" ? random.integer(200, 1000) / 10 : null,
        createdAt: new Date(parseInstant(createdAt) + index * 1000).toISOString(),
        url: `https://images.reference.test/${encodeURIComponent(photoId)}.jpg`,
      };
    }),
  );
}

const builders: { readonly [List in StoreList]: (plan: StorePlan, externalId: string) => StoreRows[List][] } =
  {
    contacts: buildContacts,
    expectations: buildExpectations,
    expositions: buildExpositions,
    protocols: buildProtocols,
    photos: buildPhotos,
  };

/** Builds the rows of a list of a store; the same ID always has the same rows. */
export function buildRows(list: StoreList, plan: StorePlan, externalId: string): unknown[] {
  return builders[list](plan, externalId);
}
