import {
  contactTypes,
  expositionTypes,
  productCategories,
  protocolStatuses,
  storeTypes,
} from "../../../generated/store.enums.ts";
import type {
  Contact,
  Expectation,
  Exposition,
  ExpositionType,
  ImageStatus,
  OpeningTime,
  ProductCategory,
  ProtocolStatus,
  Store,
} from "../../../generated/store.ts";
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
const OPENS = ["05:00", "06:00", "08:00"] as const;
const CLOSES = ["19:30", "21:30", "23:30"] as const;
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
  return {
    storeId: random.uuid(),
    externalId,
    name: `${storeType ?? "Sklep"} ${street}`,
    location: random.chance(0.1) ? null : `${street}, ${city}`,
    regionId: random.chance(0.05) ? null : sharedId(seed, "region", random),
    storeType,
    openingTimes: random.chance(0.05) ? [] : buildOpeningTimes(random),
    protocolScheduleId: sharedId(seed, "schedule", random),
    protocolCronEnabled: random.chance(0.8),
    onboardingComplete: random.chance(0.9),
    loginCode: String(random.integer(100_000, 999_999)),
  };
}

function buildOpeningTimes(random: Random): OpeningTime[] {
  const from = random.pick(OPENS);
  const to = random.pick(CLOSES);
  return Array.from({ length: random.integer(5, 7) }, (_, weekday) => ({ weekday, from, to }));
}

/** Builds the contacts of a store: a store manager, and one or two with the other types. */
function buildContacts({ seed, now }: StorePlan, externalId: string): Contact[] {
  const random = new Random(seed, "contacts", externalId);
  return Array.from({ length: random.integer(2, 3) }, (_, index): Contact => {
    return {
      contactId: random.uuid(),
      contactType: contactTypes[Math.min(index, contactTypes.length - 1)] ?? "store",
      name: random.pick(NAMES),
      phone: `+48 ${random.integer(500_000_000, 799_999_999)}`,
      email: random.chance(0.3) ? null : `contact-${index + 1}@example.com`,
      hasWhatsapp: random.chance(0.5),
      createdAt: timeBefore(now, random),
    };
  });
}

/** Builds two to five expositions. */
function buildExpositions({ seed }: StorePlan, externalId: string): Exposition[] {
  const random = new Random(seed, "expositions", externalId);
  return Array.from({ length: random.integer(2, 5) }, (_, index): Exposition => {
    const expositionType = random.pick(expositionTypes);
    return {
      expositionId: random.uuid(),
      label: `${expositionType} ${index + 1}`,
      friendlyTitle: random.chance(0.3) ? null : expositionType.toLowerCase().replaceAll("_", " "),
      productCategories: categoriesOf(expositionType),
      expositionType,
      status: random.chance(0.15) ? "disabled" : "active",
    };
  });
}

/** Builds the expectations of most expositions, for each day of the week. */
function buildExpectations(plan: StorePlan, externalId: string): Expectation[] {
  const random = new Random(plan.seed, "expectations", externalId);
  return buildExpositions(plan, externalId).flatMap(({ expositionType, productCategories: [category] }) => {
    const productCategory = random.chance(0.3) ? null : (category ?? null);
    const protocolTime = `${random.pick(["08", "12", "16"])}:${random.pick(["00", "30"])}`;
    const updatedAt = timeBefore(plan.now, random);
    return Array.from({ length: random.chance(0.8) ? 7 : 0 }, (_, weekday): Expectation => {
      const expectationId = random.uuid();
      const expectedFillRatio = random.integer(40, 90);
      const shared = { productCategory, displayType: expositionType, weekday, protocolTime };
      return { expectationId, ...shared, expectedFillRatio, updatedAt };
    });
  });
}

function timeBefore(now: number, random: Random): string {
  return new Date(now - Math.ceil(random.fraction() * SEEDED_SPAN)).toISOString();
}

/** Returns the categories that the name of a type begins with; for the two fridges, those at its end. */
function categoriesOf(type: ExpositionType): ProductCategory[] {
  const name = type.replace(/^FRIDGE_/, "");
  return productCategories.filter((category) => name.startsWith(category) || category.startsWith(name));
}

interface BuiltProtocol extends ProtocolRow {
  status: ProtocolStatus;
}

/** Builds three to six protocols, or `protocolsPerStore`, spread over the 28 days before the server was created. */
function buildProtocols({ seed, now, protocolsPerStore }: StorePlan, externalId: string): BuiltProtocol[] {
  const random = new Random(seed, "protocols", externalId);
  const count = protocolsPerStore ?? random.integer(3, 6);
  const step = SEEDED_SPAN / Math.max(count, 1);
  return Array.from({ length: count }, (_, index): BuiltProtocol => {
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

const IMAGE_STATUSES: Record<ProtocolStatus, readonly [ImageStatus, ...ImageStatus[]]> = {
  awaiting_submission: ["pending"],
  awaiting_processing: ["uploaded", "pending"],
  processing: ["annotating", "annotated", "evaluating", "completed"],
  completed: ["completed", "completed", "completed", "completed", "completed", "failed"],
  failed: ["failed", "uploaded"],
};

/** Builds one or two photos of each exposition for each protocol; completed ones have a fill rate. */
function buildPhotos(plan: StorePlan, externalId: string): PhotoRow[] {
  const expositions = buildExpositions(plan, externalId);
  const typical = new Random(plan.seed, "fullness", externalId).integer(30, 90);
  return buildProtocols(plan, externalId).flatMap((protocol, index) => {
    const random = new Random(plan.seed, "photos", externalId, index);
    const photographed = expositions.flatMap((exposition) =>
      random.chance(0.3) ? [exposition, exposition] : [exposition],
    );
    return photographed.map(({ expositionId }, number): PhotoRow => {
      const photoId = `I-${externalId}-${index + 1}-${number + 1}`;
      const status = random.pick(IMAGE_STATUSES[protocol.status]);
      const fillRate = Math.min(Math.max(typical + random.integer(-250, 250) / 10, 0), 100);
      return {
        photoId,
        protocolId: protocol.protocolId,
        expositionId,
        status,
        fillRate: status === "completed" ? fillRate : null,
        createdAt: new Date(parseInstant(protocol.createdAt) + number * 1000).toISOString(),
        url: `https://images.reference.test/${encodeURIComponent(photoId)}.jpg`,
      };
    });
  });
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
