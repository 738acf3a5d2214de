import { FleetClient, StoreClient } from "../../src/index.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";

/** A name that a block of a document uses without declaring it. */
interface AmbientGlobal {
  /** The declaration for the compiler. */
  declared: string;
  /** The value in a block that runs with a reference server. */
  real: (ref: ReferenceServer) => unknown;
}

/** The base URLs of the services in the documents. */
export const baseUrls = {
  storeUrl: "https://stores.example.com",
  fleetUrl: "https://fleet.example.com/api/third-party/v1",
};

export const keyOf = (ref: ReferenceServer): string => ref.keys[0]?.key ?? "";

/** The names that blocks may use without declaring them: the clients, and the reader's own functions and values. */
export const ambientGlobals: Readonly<Record<string, AmbientGlobal>> = {
  store: {
    declared: 'declare const store: import("shelfleet").StoreClient;',
    real: (ref) => new StoreClient(ref.storeOptions),
  },
  fleet: {
    declared: 'declare const fleet: import("shelfleet").FleetClient;',
    real: (ref) => new FleetClient(ref.fleetOptions),
  },
  ref: { declared: 'declare const ref: import("shelfleet/mock").ReferenceServer;', real: (ref) => ref },
  token: { declared: "declare const token: string;", real: (ref) => ref.token },
  key: { declared: "declare const key: string;", real: keyOf },
  reportFailure: {
    declared: "declare function reportFailure(error: unknown): number;",
    real: () => () => 1,
  },
  save: {
    declared: "declare function save(items: readonly unknown[], state: string | null): Promise<void>;",
    real: () => async () => {},
  },
  readPlace: {
    declared: "declare function readPlace(): Promise<string | null | undefined>;",
    real: () => async () => undefined, // before the first run
  },
  savePlace: {
    declared: "declare function savePlace(place: string | null): Promise<void>;",
    real: () => async () => {},
  },
  handle: {
    declared: "declare function handle(items: readonly unknown[]): Promise<void>;",
    real: () => async () => {},
  },
  file: { declared: "declare const file: string;", real: () => ":memory:" },
  companyCertificate: { declared: "declare const companyCertificate: string;", real: () => "in PEM" },
  clientCertificate: { declared: "declare const clientCertificate: string;", real: () => "in PEM" },
  clientKey: { declared: "declare const clientKey: string;", real: () => "in PEM" },
};
