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
import { type Schema, checkSchema } from "../../../server/schema-check.ts";
import type { ContactSeed, ExpectationSeed, ExpositionSeed, StoreSeed } from "../options.ts";
import { Random } from "../../../../wire/random.ts";
import type { StoreSeedPlan } from "./plan.ts";
import { idAt } from "../../../seed/state-checks.ts";
import { type ShapeName, checkShape } from "../../../seed/shapes.ts";
import type { PhotoRow, ProtocolRow, StoreData } from "../data.ts";
import { assertPhoto, assertProtocol } from "./open-rows.ts";
import { buildPhotos, buildProtocols } from "./protocols.ts";
import { buildStore } from "./stores.ts";

/** Adds the given stores; throws an error that names a row that violates the contract. */
export function seedOwnStores(data: StoreData, seeds: readonly StoreSeed[], plan: StoreSeedPlan): void {
  for (const [index, seed] of seeds.entries()) {
    const name = `store.stores[${index}]`;
    if (seed.externalId === null) continue;
    const key = idAt(seed.externalId, `${name}.externalId`);
    if (data.stores.has(key)) throw new Error(`${name}.externalId: duplicate store "${key}"`);
    seedOwnStore(data, structuredClone(seed), key, name, plan);
  }
}

const LISTS = ["contacts", "expectations", "expositions", "protocols", "photos"] as const;

/** Adds the given stores without an external ID, each after the store with an external ID that precedes it. */
export function seedOwnStoresWithoutId(
  data: StoreData,
  seeds: readonly StoreSeed[],
  plan: StoreSeedPlan,
): void {
  let before = "";
  for (const [index, seed] of seeds.entries()) {
    if (seed.externalId !== null) {
      before = seed.externalId;
      continue;
    }
    const name = `store.stores[${index}]`;
    const list = LISTS.find((one) => seed[one] !== undefined);
    if (list !== undefined)
      throw new Error(`${name}.${list} cannot be given for a store without an external ID`);
    const place = placeAfter(before, index);
    const store = { ...buildStore(plan, place), ...structuredClone(seed), externalId: null } as Store; // checked below
    assertSchema([zStore], store, name);
    data.storesWithoutId.set(place, store);
  }
}

/** Returns a place in the order of the external IDs that comes right after one of them. */
export function placeAfter(externalId: string, index: number): string {
  return `${externalId}\u0000${String(index).padStart(6, "0")}`;
}

function seedOwnStore(
  data: StoreData,
  seed: StoreSeed,
  key: string,
  name: string,
  plan: StoreSeedPlan,
): void {
  const { contacts = [], expectations = [], expositions = [], protocols, photos, ...fields } = seed;
  const random = new Random(plan.seed, "own", key);
  const at = new Date(plan.now).toISOString();
  data.stores.set(key, completeStore({ ...fields, externalId: key }, name, plan));
  data.contacts.set(
    key,
    assertRows(
      [zContact, zContactInput],
      `${name}.contacts`,
      contacts.map((row) => completeContact(row, random, at)),
    ),
  );
  const expected = expectations.map((row) => completeExpectation(row, random, at));
  data.expectations.set(key, assertRows([zExpectation, zExpectationInput], `${name}.expectations`, expected));
  const displays = expositions.map((row) => completeExposition(row, random));
  data.expositions.set(key, assertRows([zExposition, zExpositionInput], `${name}.expositions`, displays));
  data.protocols.set(key, completeProtocols(protocols, name, key, plan));
  data.photos.set(key, completePhotos(photos, name, key, plan));
}

function completeStore(
  fields: Omit<StoreSeed, (typeof LISTS)[number] | "externalId"> & { externalId: string },
  name: string,
  plan: StoreSeedPlan,
): Store {
  const store = { ...buildStore(plan, fields.externalId), ...omitUndefined(fields) };
  assertSchema([zStoreUpsert, zStore], store, name);
  return store;
}

/** Returns the given properties: an undefined one is a missing one. */
function omitUndefined<Row extends object>(row: Row): { [Name in keyof Row]: Exclude<Row[Name], undefined> } {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Row]: Exclude<Row[Name], undefined> }; // filtered above
}

function completeContact(row: ContactSeed, random: Random, createdAt: string): Contact {
  const defaults = { contactType: "store", email: null, hasWhatsapp: false } as const;
  return { contactId: random.uuid(), ...defaults, createdAt, ...omitUndefined(row) };
}

function completeExpectation(row: ExpectationSeed, random: Random, updatedAt: string): Expectation {
  const defaults = { productCategory: null, weekday: 0, protocolTime: "12:00", expectedFillRatio: 50 };
  return { expectationId: random.uuid(), ...defaults, updatedAt, ...omitUndefined(row) };
}

function completeExposition(row: ExpositionSeed, random: Random): Exposition {
  const defaults = { friendlyTitle: null, status: "active" } as const;
  return {
    expositionId: random.uuid(),
    label: row.expositionType,
    ...defaults,
    productCategories: [],
    ...omitUndefined(row),
  };
}

function completeProtocols(
  rows: JsonObject[] | undefined,
  name: string,
  key: string,
  plan: StoreSeedPlan,
): ProtocolRow[] {
  if (rows === undefined)
    return plan.options.protocolsPerStore === undefined ? [] : buildProtocols(plan, key);
  return rows.map((row, index) => {
    const place = `${name}.protocols[${index}]`;
    assertShape("protocol", row, place, plan);
    const images = Array.isArray(row.images) ? row.images : [];
    for (const [at, image] of images.entries()) {
      assertShape("protocolImage", image, `${place}.images[${at}]`, plan);
    }
    const createdAt = new Date(plan.now - (rows.length - index) * 3_600_000).toISOString();
    const defaults = { protocolId: `P-${key}-${index + 1}`, externalId: key, status: "completed", createdAt };
    const protocol: ProtocolRow = { ...defaults, ...row };
    assertProtocol(protocol, place);
    return protocol;
  });
}

function completePhotos(
  rows: JsonObject[] | undefined,
  name: string,
  key: string,
  plan: StoreSeedPlan,
): PhotoRow[] {
  if (rows === undefined) return plan.options.protocolsPerStore === undefined ? [] : buildPhotos(plan, key);
  return rows.map((row, index) => {
    const place = `${name}.photos[${index}]`;
    assertShape("photo", row, place, plan);
    const createdAt = new Date(plan.now - (rows.length - index) * 60_000).toISOString();
    const defaults = { photoId: `I-${key}-${index + 1}`, protocolId: `P-${key}-1`, expositionId: null };
    const photo: PhotoRow = { ...defaults, status: "completed", fillRate: null, createdAt, ...row };
    assertPhoto(photo, place);
    return photo;
  });
}

function assertShape(shape: ShapeName, row: unknown, name: string, { shapes }: StoreSeedPlan): void {
  if (typeof row !== "object" || row === null || Array.isArray(row))
    throw new Error(`${name} must be an object`);
  checkShape(shapes, shape, row, name);
}

/** Also validates a row as input: enums are open in responses, but the seed must be valid input. */
function assertRows<Row>(schemas: readonly Schema[], name: string, rows: Row[]): Row[] {
  for (const [index, row] of rows.entries()) assertSchema(schemas, row, `${name}[${index}]`);
  return rows;
}

function assertSchema(schemas: readonly Schema[], row: unknown, name: string): void {
  const [issue] = schemas.flatMap((schema) => checkSchema(schema, row).issues);
  if (issue === undefined) return;
  throw new Error(`${name}${issue.path === "" ? "" : `.${issue.path}`} ${issue.message}`);
}
