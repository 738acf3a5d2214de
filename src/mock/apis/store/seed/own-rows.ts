import type { Contact, Expectation, Exposition, JsonObject } from "../../../../../generated/store.ts";
import {
  zContact,
  zContactInput,
  zExpectation,
  zExpectationInput,
  zExposition,
  zExpositionInput,
} from "../../../../../generated/store.schemas.ts";
import type { Random } from "../../../../wire/random.ts";
import { type ShapeName, checkShape } from "../../../seed/shapes.ts";
import { type Schema, checkSchema } from "../../../server/schema-check.ts";
import type { PhotoRow, ProtocolRow } from "../data.ts";
import type { ContactSeed, ExpectationSeed, ExpositionSeed } from "../options.ts";
import { assertPhoto, assertProtocol } from "./open-rows.ts";
import type { StoreSeedPlan } from "./plan.ts";
import { buildPhotos, buildProtocols } from "./protocols.ts";

/** The store whose rows are completed. */
export interface RowContext {
  /** Its place in the options: `store.stores[3]`. */
  readonly name: string;
  /** Its external ID. */
  readonly key: string;
  readonly random: Random;
  /** When the server was created, ISO 8601. */
  readonly now: string;
  readonly plan: StoreSeedPlan;
}

/** Returns the given properties: an undefined one is a missing one. */
export function omitUndefined<Row extends object>(
  row: Row,
): { [Name in keyof Row]: Exclude<Row[Name], undefined> } {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Row]: Exclude<Row[Name], undefined> }; // filtered above
}

export function completeContacts(
  rows: ContactSeed[] | undefined,
  { name, random, now }: RowContext,
): Contact[] {
  const defaults = { contactType: "store", email: null, hasWhatsapp: false, createdAt: now } as const;
  return assertRows(
    [zContact, zContactInput],
    `${name}.contacts`,
    (rows ?? []).map((row) => ({ contactId: random.uuid(), ...defaults, ...omitUndefined(row) })),
  );
}

export function completeExpectations(
  rows: ExpectationSeed[] | undefined,
  { name, random, now }: RowContext,
): Expectation[] {
  const defaults = { productCategory: null, weekday: 0, protocolTime: "12:00", expectedFillRatio: 50 };
  return assertRows(
    [zExpectation, zExpectationInput],
    `${name}.expectations`,
    (rows ?? []).map((row) => ({
      expectationId: random.uuid(),
      ...defaults,
      updatedAt: now,
      ...omitUndefined(row),
    })),
  );
}

export function completeExpositions(
  rows: ExpositionSeed[] | undefined,
  { name, random }: RowContext,
): Exposition[] {
  const defaults = { friendlyTitle: null, status: "active" } as const;
  return assertRows(
    [zExposition, zExpositionInput],
    `${name}.expositions`,
    (rows ?? []).map((row) => ({
      expositionId: random.uuid(),
      label: row.expositionType,
      ...defaults,
      productCategories: [],
      ...omitUndefined(row),
    })),
  );
}

export function completeProtocols(
  rows: JsonObject[] | undefined,
  { name, key, plan }: RowContext,
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

export function completePhotos(rows: JsonObject[] | undefined, { name, key, plan }: RowContext): PhotoRow[] {
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

export function assertSchema(schemas: readonly Schema[], row: unknown, name: string): void {
  const [issue] = schemas.flatMap((schema) => checkSchema(schema, row).issues);
  if (issue === undefined) return;
  throw new Error(`${name}${issue.path === "" ? "" : `.${issue.path}`} ${issue.message}`);
}
