import type { JsonObject as FleetObject } from "../../generated/fleet.ts";
import type { Contact, Expectation, Exposition, Store } from "../../generated/store.ts";
import type { FleetResource } from "./apis/fleet/data.ts";
import type { PhotoRow, ProtocolRow } from "./apis/store/data.ts";

/** The data of the store API, all by external ID. */
export interface StoreState {
  readonly stores: Map<string, Store>;
  readonly contacts: Map<string, Contact[]>;
  readonly expectations: Map<string, Expectation[]>;
  readonly expositions: Map<string, Exposition[]>;
  readonly protocols: Map<string, ProtocolRow[]>;
  readonly photos: Map<string, PhotoRow[]>;
}

/** The data of one environment of the fleet API, each resource by id. */
export type FleetState = { readonly [Resource in FleetResource]: Map<string, FleetObject> };

/** The state of a server: look at it and change it; the next answer shows it. */
export interface ReferenceState {
  readonly store: StoreState;
  /** Production of the fleet API. */
  readonly fleet: FleetState;
  readonly sandbox: FleetState;
}
