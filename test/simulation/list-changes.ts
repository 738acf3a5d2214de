/** Changes of lists by somebody else: items come and go while a client walks. */
import { type Collection, type FleetState, nextId } from "./fleet-data.ts";
import type { StoreState } from "../models/store-state.ts";
import { createProtocol, createRecord, firstInstant } from "./store-data.ts";

/** @param place where in the list, from 0 up to 1 */
export function changeStoreList(state: StoreState, list: string, add: boolean, place: number): void {
  if (list === "stores") changeStores(state, add, place);
  else changeProtocols(state, add, place);
}

function changeStores(state: StoreState, add: boolean, place: number): void {
  const { stores } = state;
  const at = Math.floor(place * stores.length);
  const near = stores[at];
  if (!add) {
    // the first store has the protocols, and stays
    if (at > 0) stores.splice(at, 1);
    return;
  }
  const externalId = `${near?.store.externalId ?? "S-"}-${state.ids}`;
  stores.push(createRecord(state, externalId, externalId, state.ids));
}

function changeProtocols(state: StoreState, add: boolean, place: number): void {
  const [record] = state.stores;
  if (record === undefined) return;
  const { protocols } = record;
  const at = Math.floor(place * protocols.length);
  if (!add) return void protocols.splice(at, 1);
  const near = (protocols[at]?.createdAt ?? firstInstant * 1000) / 1000;
  const made = createProtocol(state, record, near + Math.floor(place * 1000) / 10);
  // the model keeps protocols in order of their creation
  const after = protocols.findIndex(({ createdAt }) => createdAt > made.createdAt);
  protocols.splice(after === -1 ? protocols.length : after, 0, made);
}

export function changeFleetList(state: FleetState, list: string, add: boolean, place: number): void {
  const all = state.entities[list as Collection]; // scenarios name collections of the model
  const at = Math.floor(place * all.length);
  const near = all[at];
  if (near === undefined) return;
  if (!add) return void all.splice(at, 1);
  const id = nextId(state, list as Collection);
  all.splice(at, 0, { ...near, id, properties: structuredClone(near.properties) });
}
