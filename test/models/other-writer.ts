/** Changes by somebody else than the client under test. They are not in the log of applied writes. */
import type { Model } from "./exchange.ts";
import { type FleetState, nextId as nextFleetId } from "./fleet-state.ts";
import type { Random } from "./random.ts";
import { nextId, type StoreRecord, type StoreState } from "./store-state.ts";

function someStore(state: StoreState, random: Random): StoreRecord | undefined {
  return state.stores.length === 0 ? undefined : random.pick(state.stores);
}

const storeChanges = {
  renameStore(state: StoreState, random: Random): void {
    const record = someStore(state, random);
    if (record) record.store.name = `Renamed ${random.integer(1, 999)}`;
  },
  addContact(state: StoreState, random: Random): void {
    const [first] = someStore(state, random)?.contacts ?? [];
    if (first) someStore(state, random)?.contacts.push({ ...first, contactId: nextId(state) });
  },
  addProtocol(state: StoreState, random: Random): void {
    const record = someStore(state, random);
    const last = record?.protocols.at(-1);
    if (!record || !last) return;
    const createdAt = last.createdAt + random.integer(1, 5_000_000_000);
    record.protocols.push({ ...last, protocolId: nextId(state), createdAt, submittedAt: null, photos: [] });
  },
  addStore(state: StoreState, random: Random): void {
    const record = someStore(state, random);
    if (!record) return;
    const externalId = `${record.place}-${random.integer(1, 999_999)}`;
    if (state.stores.some(({ store }) => store.externalId === externalId)) return;
    const store = { ...record.store, storeId: nextId(state), externalId };
    state.stores.push({
      place: externalId,
      store,
      contacts: [],
      expectations: [],
      expositions: [],
      protocols: [],
    });
  },
};

const fleetChanges = {
  addVehicle(state: FleetState, random: Random): void {
    const plateNumber = `WY ${random.integer(10_000, 99_999)}`;
    const properties = {
      plateNumber,
      brand: "MAN",
      model: "M",
      vin: plateNumber,
      type: "TRACTOR_UNIT",
      groupIds: [],
    };
    state.entities.vehicles.push({ id: nextFleetId(state, "vehicles"), deleted: false, properties });
  },
  deleteVehicle(state: FleetState, random: Random): void {
    const { vehicles } = state.entities;
    if (vehicles.length > 0) random.pick(vehicles).deleted = true;
  },
  changeDamage(state: FleetState, random: Random): void {
    const { damages } = state.entities;
    if (damages.length > 0)
      random.pick(damages).properties["description"] = `Changed ${random.integer(1, 999)}`;
  },
};

type Changes<State> = Readonly<Record<string, (state: State, random: Random) => void>>;

function writer<State>(
  model: Model<State>,
  changes: Changes<State>,
  names: readonly string[],
): (random: Random) => void {
  return (random) => model.change((state) => changes[random.pick(names)]?.(state, random));
}

/** A writer that makes one of the named changes each time. Default: any of them. */
export function storeWriter(
  model: Model<StoreState>,
  names: readonly (keyof typeof storeChanges)[] = ["renameStore", "addContact", "addProtocol", "addStore"],
): (random: Random) => void {
  return writer(model, storeChanges, names);
}

export function fleetWriter(
  model: Model<FleetState>,
  names: readonly (keyof typeof fleetChanges)[] = ["addVehicle", "deleteVehicle", "changeDamage"],
): (random: Random) => void {
  return writer(model, fleetChanges, names);
}
