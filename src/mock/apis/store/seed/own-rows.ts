import type { Contact, Expectation, Exposition, JsonObject } from "../../../../../generated/store.ts";
import { parseInstant } from "../../../../wire/instants.ts";
import { assertSchemaAt, elementsAt, idAt, objectAt } from "../../../seed/state-checks.ts";
import {
  zContact,
  zContactInput,
  zExpectation,
  zExpectationInput,
  zExposition,
  zExpositionInput,
} from "../../../../../generated/store.schemas.ts";
import { omitUndefined } from "../../../../wire/names.ts";
import type { Random } from "../../../../wire/random.ts";
import { checkShape, type ShapeName } from "../../../seed/seed-plan.ts";
import type { Schema } from "../../../server/schemas.ts";
import type { PhotoRow, ProtocolRow, StoreList } from "../data.ts";
import type { ContactSeed, ExpectationSeed, ExpositionSeed } from "../options.ts";
import { buildPhotos, buildProtocols, type StoreSeedPlan } from "./generated-rows.ts";

/**
 * Checks the properties of a photo that the server interprets; the contract leaves them open. Throws an error that
 * names the invalid place.
 */
export function assertPhoto({ createdAt }: JsonObject, place: string): void {
  if (typeof createdAt === "string" && !Number.isNaN(parseInstant(createdAt))) return;
  throw new Error(`${place}.createdAt must be an ISO 8601 date-time`);
}

/** Like `assertPhoto`, for a protocol. Without `images`, its images are its photos. */
export function assertProtocol(row: JsonObject, place: string): void {
  assertPhoto(row, place);
  const { protocolId, images } = row;
  if (typeof protocolId === "string") idAt(protocolId, `${place}.protocolId`);
  if (images === undefined || images === null) return;
  for (const [index, image] of elementsAt(images, `${place}.images`).entries())
    objectAt(image, `${place}.images[${index}]`);
}

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

/** Returns a function that completes and checks the rows of a list; an undefined property is a missing one. */
function completer<Row, Seed extends object>(
  list: StoreList,
  schemas: readonly [row: Schema, input: Schema],
  defaultsOf: (context: RowContext, row: Seed) => object,
): (rows: Seed[] | undefined, context: RowContext) => Row[] {
  return (rows = [], context) =>
    rows.map((given, index) => {
      const row = { ...defaultsOf(context, given), ...omitUndefined(given) };
      // Also validates a row as input: enums are open in responses, but the seed must be valid input.
      assertSchemaAt(row, `${context.name}.${list}[${index}]`, ...schemas);
      return row as Row; // it has the properties of the schema
    });
}

export const completeContacts = completer<Contact, ContactSeed>(
  "contacts",
  [zContact, zContactInput],
  ({ random, now }) => ({
    contactId: random.uuid(),
    contactType: "store",
    email: null,
    hasWhatsapp: false,
    createdAt: now,
  }),
);

export const completeExpectations = completer<Expectation, ExpectationSeed>(
  "expectations",
  [zExpectation, zExpectationInput],
  ({ random, now }) => ({
    expectationId: random.uuid(),
    productCategory: null,
    weekday: 0,
    protocolTime: "12:00",
    expectedFillRatio: 50,
    updatedAt: now,
  }),
);

export const completeExpositions = completer<Exposition, ExpositionSeed>(
  "expositions",
  [zExposition, zExpositionInput],
  ({ random }, { expositionType }) => ({
    expositionId: random.uuid(),
    label: expositionType,
    friendlyTitle: null,
    status: "active",
    productCategories: [],
  }),
);

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
    for (const [imageIndex, image] of images.entries()) {
      assertShape("protocolImage", image, `${place}.images[${imageIndex}]`, plan);
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
  checkShape(shapes, shape, objectAt(row, name), name);
}
