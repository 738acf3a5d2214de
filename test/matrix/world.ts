import { fleetClientReadings, storeClientReadings } from "../../generated/readings.ts";
import { FleetClient, type FleetClientOptions } from "../../src/fleet/index.ts";
import {
  type ReadingsOption,
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../src/mock/index.ts";
import { StoreClient, type StoreClientOptions } from "../../src/store/index.ts";

/** A reference server under some readings, and both clients of it. */
export interface World {
  ref: ReferenceServer;
  store: StoreClient;
  fleet: FleetClient;
  readings: ReadingsOption;
  /** Clients with options of their own. */
  storeWith(options: Partial<StoreClientOptions>): StoreClient;
  fleetWith(options: Partial<FleetClientOptions> & { key?: string }): FleetClient;
}

export interface Setup {
  /** Whether the clients are told what they have an option for, or stand at their defaults. */
  told: boolean;
  validate: "envelope" | "full";
  server: ReferenceServerOptions;
}

/** The whole time in which seeded data lie. */
export const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:02:00Z" };

const usual: Setup = { told: true, validate: "envelope", server: {} };

export function world(readings: ReadingsOption, options: Partial<Setup> = {}): World {
  const { told, validate, server } = { ...usual, ...options };
  const isListed = readings["stores.null-external-id"] === "listed";
  const ref = createReferenceServer({
    store: { stores: 5, storesWithoutId: isListed ? 1 : 0, protocolsPerStore: 5 },
    fleet: { vehicles: 12, inspections: 12, damages: 12, driverAssignments: 12 },
    readings,
    ...server,
  });
  const shared = { fetch: ref.fetch, validate, retry: { limit: 2, maxDelay: 1 } };
  const storeOptions = {
    ...shared,
    baseUrl: ref.storeUrl,
    token: ref.token,
    ...(told && { readings: pick(readings, storeClientReadings) }),
  };
  const fleetOptions = {
    ...shared,
    baseUrl: ref.fleetUrl,
    key: ref.keys[0]?.key ?? "none",
    // gap fleet.version-header
    ...(told && { readings: pick(readings, fleetClientReadings), apiVersion: "v1" }),
  };
  const storeWith: World["storeWith"] = (own) => new StoreClient({ ...storeOptions, ...own });
  const fleetWith: World["fleetWith"] = (own) =>
    new FleetClient({ ...fleetOptions, ...own } as FleetClientOptions); // one of its two addresses stays
  return { ref, readings, storeWith, fleetWith, store: storeWith({}), fleet: fleetWith({}) };
}

function pick(readings: ReadingsOption, known: object): Record<string, never> {
  const entries = Object.entries(readings).filter(([id]) => id in known);
  return Object.fromEntries(entries) as Record<string, never>; // the values are those of the same gaps
}
