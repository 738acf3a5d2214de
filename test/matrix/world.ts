import { fleetClientReadings, storeClientReadings } from "../../generated/readings.ts";
import { FleetClient, type FleetClientOptions } from "../../src/client/fleet/index.ts";
import {
  type ReadingsOption,
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../src/mock/index.ts";
import { type Runtime, StoreClient, type StoreClientOptions } from "../../src/client/store/index.ts";
import { assertContract } from "./assert-contract.ts";

/** A reference server under some readings, and both clients of it. */
export interface World {
  ref: ReferenceServer;
  store: StoreClient;
  fleet: FleetClient;
  readings: ReadingsOption;
  /** Clients with the given options. */
  storeWith(options: Partial<StoreClientOptions>): StoreClient;
  fleetWith(options: Partial<FleetClientOptions> & { key?: string }): FleetClient;
}

export interface Setup {
  /** Whether the clients have the readings of their options, or the defaults. */
  isConfigured: boolean;
  validate: "envelope" | "full";
  server: ReferenceServerOptions;
}

/** The whole time in which seeded data lie. */
export const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:02:00Z" };

const defaultSetup: Setup = { isConfigured: true, validate: "envelope", server: {} };

/** Starts a server, whose responses must keep the contract until the end of the test. */
export function world(readings: ReadingsOption, options: Partial<Setup> = {}): World {
  const { isConfigured, validate, server } = { ...defaultSetup, ...options };
  const isListed = readings["stores.null-external-id"] === "listed";
  const isLimited = [readings["limits.store-rate"], readings["limits.fleet-rate"]].includes(
    "too-many-requests",
  );
  const ref = createReferenceServer({
    ...(isLimited && { limits: { perSecond: 0.05, burst: 5 } }),
    store: { stores: 5, storesWithoutId: isListed ? 1 : 0, protocolsPerStore: 5 },
    fleet: { vehicles: 12, inspections: 12, damages: 12, driverAssignments: 12 },
    readings,
    ...server,
  });
  assertContract(ref);
  const waiting = isLimited
    ? {
        retry: { limit: 10, maxDelay: 60_000 },
        runtime: advancing(ref),
        limiter: { acquire: async () => {} },
      }
    : { retry: { limit: 2, maxDelay: 1 } };
  const shared = { fetch: ref.fetch, validate, ...waiting };
  const storeOptions = {
    ...shared,
    baseUrl: ref.storeUrl,
    token: ref.token,
    ...(isConfigured && { readings: pick(readings, storeClientReadings) }),
  };
  const fleetOptions = {
    ...shared,
    baseUrl: ref.fleetUrl,
    key: ref.keys[0]?.key ?? "none",
    // gap fleet.version-header
    ...(isConfigured && { readings: pick(readings, fleetClientReadings), apiVersion: "v1" }),
  };
  const storeWith: World["storeWith"] = (own) => new StoreClient({ ...storeOptions, ...own });
  const fleetWith: World["fleetWith"] = (own) =>
    new FleetClient({ ...fleetOptions, ...own } as FleetClientOptions); // one of its two addresses stays
  return { ref, readings, storeWith, fleetWith, store: storeWith({}), fleet: fleetWith({}) };
}

/**
 * Timers under which a client that obeys `Retry-After` advances the clock of the server and does not wait. The time that the
 * limits ask for, 20 s, is shorter than every timeout of the clients.
 */
function advancing({ clock }: ReferenceServer): Runtime {
  return {
    setTimeout: (run, delay) => {
      if (delay < 5_000 || delay > 25_000) return setTimeout(run, delay);
      clock.advance({ milliseconds: delay });
      return setTimeout(run, 0);
    },
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout), // of setTimeout above
    performance,
    Date,
    Math,
  };
}

function pick(readings: ReadingsOption, known: object): Record<string, never> {
  const entries = Object.entries(readings).filter(([id]) => id in known);
  return Object.fromEntries(entries) as Record<string, never>; // the values are those of the same gaps
}
