import type { Contact, Expectation, Exposition, JsonObject, Store } from "../../../../../generated/store.ts";
import {
  zContact,
  zContactInput,
  zExpectation,
  zExpectationInput,
  zExposition,
  zExpositionInput,
  zStore,
  zStoreUpsert,
} from "../../../../../generated/store.schemas.ts";
import { type Schema, checked } from "../../../kernel/schema-check.ts";
import type { ContactSeed, ExpectationSeed, ExpositionSeed, StoreSeed } from "../../../options.ts";
import { Random } from "../../../seed/random.ts";
import type { SeedPlan } from "../../../seed/seed-plan.ts";
import { type ShapeName, checkShape } from "../../../seed/shapes.ts";
import type { PhotoRow, ProtocolRow, StoreData } from "../data.ts";
import { seededPhotos, seededProtocols } from "./protocols.ts";
import { seededStore } from "./stores.ts";

/** Takes on the caller's stores; what breaks the contract is refused by name. */
export function seedOwnStores(data: StoreData, seeds: readonly StoreSeed[], plan: SeedPlan): void {
  for (const [index, seed] of seeds.entries()) {
    const name = `store.stores[${index}]`;
    const key = seed.externalId;
    if (typeof key !== "string" || key === "") throw new Error(`${name}.externalId must be a text`);
    if (data.stores.has(key)) throw new Error(`${name}.externalId: there are two stores "${key}"`);
    seedOne(data, structuredClone(seed), name, plan);
  }
}

function seedOne(data: StoreData, seed: StoreSeed, name: string, plan: SeedPlan): void {
  const { contacts = [], expectations = [], expositions = [], protocols, photos, ...fields } = seed;
  const key = seed.externalId;
  const random = new Random(plan.seed, "own", key);
  const at = new Date(plan.now).toISOString();
  data.stores.keep(key, ownStore(fields, name, plan));
  data.contacts.set(
    key,
    checkedRows(
      [zContact, zContactInput],
      `${name}.contacts`,
      contacts.map((row) => ownContact(row, random, at)),
    ),
  );
  const expected = expectations.map((row) => ownExpectation(row, random, at));
  data.expectations.set(
    key,
    checkedRows([zExpectation, zExpectationInput], `${name}.expectations`, expected),
  );
  const displays = expositions.map((row) => ownExposition(row, random));
  data.expositions.set(key, checkedRows([zExposition, zExpositionInput], `${name}.expositions`, displays));
  data.protocols.set(key, ownProtocols(protocols, name, key, plan));
  data.photos.set(key, ownPhotos(photos, name, key, plan));
}

function ownStore(
  fields: Omit<StoreSeed, "contacts" | "expectations" | "expositions" | "protocols" | "photos">,
  name: string,
  plan: SeedPlan,
): Store {
  const store = { ...seededStore(plan, fields.externalId), ...fields };
  refuseBroken([zStoreUpsert, zStore], store, name);
  return store;
}

function ownContact(row: ContactSeed, random: Random, createdAt: string): Contact {
  const made = { contactType: "store", email: null, hasWhatsapp: false } as const;
  return { contactId: random.uuid(), ...made, createdAt, ...row };
}

function ownExpectation(row: ExpectationSeed, random: Random, updatedAt: string): Expectation {
  const made = { productCategory: null, weekday: 0, protocolTime: "12:00", expectedFillRatio: 50 };
  return { expectationId: random.uuid(), ...made, updatedAt, ...row };
}

function ownExposition(row: ExpositionSeed, random: Random): Exposition {
  const made = { friendlyTitle: null, status: "active" } as const;
  return { expositionId: random.uuid(), label: row.expositionType, ...made, productCategories: [], ...row };
}

function ownProtocols(
  rows: JsonObject[] | undefined,
  name: string,
  key: string,
  plan: SeedPlan,
): ProtocolRow[] {
  if (rows === undefined)
    return plan.options.store?.protocolsPerStore === undefined ? [] : seededProtocols(plan, key);
  return rows.map((row, index) => {
    checkRow("protocol", row, `${name}.protocols[${index}]`, plan);
    const images = Array.isArray(row.images) ? row.images : [];
    for (const [at, image] of images.entries()) {
      checkRow("protocolImage", image, `${name}.protocols[${index}].images[${at}]`, plan);
    }
    const createdAt = new Date(plan.now - (rows.length - index) * 3_600_000).toISOString();
    return { protocolId: `P-${key}-${index + 1}`, externalId: key, status: "completed", createdAt, ...row };
  });
}

function ownPhotos(rows: JsonObject[] | undefined, name: string, key: string, plan: SeedPlan): PhotoRow[] {
  if (rows === undefined)
    return plan.options.store?.protocolsPerStore === undefined ? [] : seededPhotos(plan, key);
  return rows.map((row, index) => {
    checkRow("photo", row, `${name}.photos[${index}]`, plan);
    const createdAt = new Date(plan.now - (rows.length - index) * 60_000).toISOString();
    const made = { photoId: `I-${key}-${index + 1}`, protocolId: `P-${key}-1`, expositionId: null };
    return { ...made, status: "completed", fillRate: null, createdAt, ...row };
  });
}

function checkRow(shape: ShapeName, row: unknown, name: string, { options }: SeedPlan): void {
  if (typeof row !== "object" || row === null || Array.isArray(row))
    throw new Error(`${name} must be an object`);
  checkShape(options.shapes, shape, row, name);
}

/** Enums are open in answers, but a seed is the caller's: it has to pass as what is sent as well. */
function checkedRows<Row>(schemas: readonly Schema[], name: string, rows: Row[]): Row[] {
  for (const [index, row] of rows.entries()) refuseBroken(schemas, row, `${name}[${index}]`);
  return rows;
}

function refuseBroken(schemas: readonly Schema[], row: unknown, name: string): void {
  const [issue] = schemas.flatMap((schema) => checked(schema, row).issues);
  if (issue === undefined) return;
  throw new Error(`${name}${issue.path === "" ? "" : `.${issue.path}`} ${issue.message}`);
}
