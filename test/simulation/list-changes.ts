/** Changes of lists by somebody else: items come, go, move and change while a client works. */
import { type Collection, type FleetState, nextId } from "../models/fleet-state.ts";
import type { Expectation, StoreState } from "../models/store-state.ts";
import type { ListChange } from "./scenario.ts";
import { createProtocol, createRecord, firstInstant } from "./store-data.ts";

/** @param place where in the list, from 0 up to 1 */
export function changeStoreList(state: StoreState, kind: ListChange, list: string, place: number): void {
  if (list === "stores") changeStores(state, kind, place);
  else if (list === "protocols") changeProtocols(state, kind, place);
  else changeElements(state, list);
}

function changeStores(state: StoreState, kind: ListChange, place: number): void {
  const { stores } = state;
  const at = Math.floor(place * stores.length);
  const near = stores[at];
  switch (kind) {
    case "add": {
      const externalId = `${near?.store.externalId ?? "S-"}-${state.ids}`;
      stores.push(createRecord(state, externalId, externalId, state.ids));
      break;
    }
    case "touch":
      if (near !== undefined) Object.assign(near.store, { name: "Touched", location: "Elsewhere" });
      break;
    case "move":
    case "rename":
      // stores are sorted by their external IDs
      if (near !== undefined) near.store.externalId = near.place = place < 0.5 ? "T-renamed" : "A-renamed";
      break;
    default:
      // the first store has the protocols, and stays
      if (at > 0) stores.splice(at, 1);
  }
}

function changeProtocols(state: StoreState, kind: ListChange, place: number): void {
  const [record] = state.stores;
  if (record === undefined) return;
  const { protocols } = record;
  const at = Math.floor(place * protocols.length);
  const near = protocols[at];
  if (kind === "touch" && near !== undefined) near.status = "failed";
  if (kind === "remove" || kind === "move") protocols.splice(at, 1);
  if (kind === "move" && near !== undefined) protocols.splice(place < 0.5 ? protocols.length : 0, 0, near);
  if (kind !== "add") return;
  const made = createProtocol(
    state,
    record,
    (near?.createdAt ?? firstInstant * 1000) / 1000 + Math.floor(place * 1000) / 10,
  );
  // the model keeps protocols in order of their creation
  const after = protocols.findIndex(({ createdAt }) => createdAt > made.createdAt);
  protocols.splice(after === -1 ? protocols.length : after, 0, made);
}

const addedExpectation: Expectation = {
  expectationId: "00000000-0000-4000-a000-0000000000e1",
  productCategory: null,
  displayType: "FRIDGE_SALADS",
  weekday: 2,
  protocolTime: "09:30",
  expectedFillRatio: 40,
  updatedAt: 0,
};

/** Somebody else adds an element to a list of the first store, or changes one. */
function changeElements({ stores: [record] }: StoreState, list: string): void {
  const [contact] = record?.contacts ?? [];
  const [exposition] = record?.expositions ?? [];
  if (list === "contacts" && contact !== undefined) contact.name = "Changed elsewhere";
  if (list === "expectations") record?.expectations.push({ ...addedExpectation });
  if (list === "expositions" && exposition !== undefined) exposition.friendlyTitle = "Changed elsewhere";
}

export function changeFleetList(state: FleetState, kind: ListChange, list: string, place: number): void {
  const all = state.entities[list as Collection]; // scenarios name collections of the model
  const at = Math.floor(place * all.length);
  const near = all[at];
  if (near === undefined) return;
  switch (kind) {
    case "add": {
      const id = nextId(state, list as Collection);
      all.splice(at, 0, { ...near, id, properties: structuredClone(near.properties) });
      break;
    }
    case "touch":
      near.properties["brand"] = "Changed elsewhere";
      break;
    case "move":
      all.splice(at, 1);
      all.splice(place < 0.5 ? all.length : 0, 0, near);
      break;
    default:
      all.splice(at, 1);
  }
}
