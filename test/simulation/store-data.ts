/** A small state of the store model: what the simulation needs, made faster than the model's own seed. */
import { uuidAt } from "../models/random.ts";
import { protocolStatuses } from "../models/store-state.ts";
import type { Photo, Protocol, StoreRecord, StoreState } from "../models/store-state.ts";
import type { World } from "./scenario.ts";

export const firstInstant = Date.UTC(2026, 2, 1, 12);

/** The external ID of a store by its number. */
export function storeId(index: number): string {
  return `S-${String(index).padStart(3, "0")}`;
}

export function createStoreState(seed: number, world: World): StoreState {
  const state: StoreState = { seed, ids: 0, requests: 0, stores: [] };
  const count = world.entities + world.unnamed;
  for (let index = 0; index < count; index += 1) {
    const externalId = index < world.entities ? storeId(index) : null;
    const place = externalId ?? `${storeId(((seed + index * 7) % Math.max(1, world.entities)) | 0)}~${index}`;
    state.stores.push(createRecord(state, externalId, place, index));
  }
  const [first, second] = state.stores;
  if (world.twins === true && first && second) second.store.storeId = first.store.storeId;
  if (first !== undefined && world.entities > 0) addProtocols(state, first, world);
  for (let index = 0; index < (world.contacts ?? 0); index += 1)
    first?.contacts.push(createContact(state, index));
  return state;
}

function nextId(state: StoreState): string {
  state.ids += 1;
  return uuidAt(state.seed, state.ids);
}

export function createRecord(
  state: StoreState,
  externalId: string | null,
  place: string,
  index: number,
): StoreRecord {
  return {
    place,
    store: {
      storeId: nextId(state),
      externalId,
      name: `Store ${index}`,
      location: index % 2 === 0 ? null : "Warszawa",
      regionId: null,
      storeType: index % 3 === 0 ? null : "Kiosk",
      openingTimes: [],
      protocolScheduleId: "5c4ed01e-0000-4000-a000-000000000001",
      protocolCronEnabled: false,
      onboardingComplete: true,
      loginCode: "100000",
    },
    contacts: [],
    expectations: [],
    expositions: [createExposition(state, index)],
    protocols: [],
  };
}

function createContact(state: StoreState, index: number): StoreRecord["contacts"][number] {
  const contact = { contactType: "store", name: `Contact ${index}`, phone: `+48 ${index}` } as const;
  return { contactId: nextId(state), ...contact, email: null, hasWhatsapp: false, createdAt: 0 };
}

function createExposition(state: StoreState, index: number): StoreRecord["expositions"][number] {
  return {
    expositionId: nextId(state),
    label: `Exposition ${index}`,
    friendlyTitle: null,
    productCategories: ["DRINKS"],
    expositionType: "FRIDGE_DRINKS",
    status: "active",
  };
}

function addProtocols(state: StoreState, record: StoreRecord, world: World): void {
  for (let index = 0; index < world.protocols; index += 1) {
    const { pairs, together = pairs ? 2 : 1, nameless = 0, spacing } = world;
    const step = Math.floor(index / together);
    const protocol = createProtocol(state, record, firstInstant + step * spacing);
    if (!pairs && together > 1) protocol.status = protocolStatuses[index % together] ?? protocol.status;
    if (nameless > 0 && index % nameless === 0) protocol.isNameless = true;
    record.protocols.push(protocol);
  }
}

/** @param at milliseconds since 1970, possibly with a fraction */
export function createProtocol(state: StoreState, record: StoreRecord, at: number): Protocol {
  const createdAt = Math.round(at * 1000); // microseconds
  const protocolId = nextId(state);
  const expositionId = record.expositions[0]?.expositionId ?? "";
  const photo: Photo = {
    photoId: nextId(state),
    expositionId,
    status: "completed",
    takenAt: createdAt + 60_000_000,
    fillRate: 50,
  };
  return { protocolId, status: "completed", createdAt, submittedAt: createdAt, photos: [photo] };
}
