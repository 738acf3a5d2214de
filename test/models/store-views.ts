/** Converts the records of the store model to responses. */
import type { JsonObject } from "./exchange.ts";
import { formatInstant } from "./instants.ts";
import type { StoreReadings } from "./readings.ts";
import type { Contact, Expectation, Exposition, Photo, Protocol, Store } from "./store-state.ts";
import { dateTimeForm } from "./store-world.ts";

export function instantView(micros: number, readings: StoreReadings): string {
  return formatInstant(micros, dateTimeForm(readings).withOffset);
}

/** Leaves nullable properties out if the reading says so. */
function withNullable(view: JsonObject, readings: StoreReadings): JsonObject {
  if (readings["responses.nullable-properties"] === "present") return view;
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== null));
}

export function storeView(store: Store): JsonObject {
  return { ...store, openingTimes: store.openingTimes.map((time) => ({ ...time })) };
}

export function contactView(contact: Contact, readings: StoreReadings): JsonObject {
  return withNullable({ ...contact, createdAt: instantView(contact.createdAt, readings) }, readings);
}

export function expectationView(expectation: Expectation, readings: StoreReadings): JsonObject {
  return withNullable({ ...expectation, updatedAt: instantView(expectation.updatedAt, readings) }, readings);
}

export function expositionView(exposition: Exposition, readings: StoreReadings): JsonObject {
  return withNullable({ ...exposition }, readings);
}

/** The protocol's ID as paths, queries and responses have it. */
export function protocolId(protocol: Protocol, readings: StoreReadings): string {
  if (readings["protocols.id-format"] === "uuid") return protocol.protocolId;
  return `P${protocol.protocolId.slice(0, 8)}/${protocol.protocolId.slice(-6)}`;
}

const idProperties: Record<StoreReadings["protocols.id-property"], (id: string) => JsonObject> = {
  protocolId: (id) => ({ protocolId: id }),
  id: (id) => ({ id }),
  anonymous: () => ({}),
};

export function summaryView(protocol: Protocol, readings: StoreReadings): JsonObject {
  const id = protocolId(protocol, readings);
  return {
    ...(protocol.isNameless ? {} : idProperties[readings["protocols.id-property"]](id)),
    status: protocol.status,
    createdAt: instantView(protocol.createdAt, readings),
    submittedAt: protocol.submittedAt === null ? null : instantView(protocol.submittedAt, readings),
    ...protocol.extra,
  };
}

export function detailView(protocol: Protocol, readings: StoreReadings): JsonObject {
  return {
    ...summaryView(protocol, readings),
    images: protocol.photos.map((photo) => ({
      photoId: photo.photoId,
      expositionId: photo.expositionId,
      status: photo.status,
      takenAt: instantView(photo.takenAt, readings),
      fillRate: photo.fillRate,
    })),
  };
}

export function photoView(photo: Photo, protocol: Protocol, readings: StoreReadings): JsonObject {
  return {
    ...(protocol.isNameless ? {} : { photoId: photo.photoId }),
    protocolId: protocolId(protocol, readings),
    protocolStatus: protocol.status,
    expositionId: photo.expositionId,
    status: photo.status,
    takenAt: instantView(photo.takenAt, readings),
  };
}
