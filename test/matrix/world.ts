import { FleetClient, type FleetClientOptions } from "../../src/client/fleet/index.ts";
import {
  type ReadingsOption,
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../src/mock/index.ts";
import {
  type PhotoPage,
  type Runtime,
  StoreClient,
  type StoreClientOptions,
} from "../../src/client/store/index.ts";
import { assertContract } from "./assert-contract.ts";

/** A reference server under some readings, and both clients of it. */
export interface World {
  ref: ReferenceServer;
  store: StoreClient;
  fleet: FleetClient;
  readings: ReadingsOption;
}

export interface Setup {
  /** Whether the clients have the options that fit the readings, or the defaults. */
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
        retry: { limit: 2, maxDelay: 60_000 },
        runtime: advancing(ref),
        limiter: { acquire: async () => {} },
      }
    : { retry: { limit: 2, maxDelay: 1 } };
  const shared = { fetch: ref.fetch, validate, ...waiting };
  const store = new StoreClient({
    ...shared,
    baseUrl: ref.storeUrl,
    token: ref.token,
    ...(isConfigured && storeOptions(readings)),
  });
  const fleet = new FleetClient({
    ...shared,
    baseUrl: ref.fleetUrl,
    key: ref.keys[0]?.key ?? "none",
    ...(isConfigured && fleetOptions(readings)),
  });
  return { ref, readings, store, fleet };
}

const photoPages: Readonly<Record<string, PhotoPage>> = {
  "photos-nextCursor": { items: "photos", cursor: "nextCursor" },
  "data-cursor": { items: "data", cursor: "cursor" },
};

/** The options that a user sets who knows these readings. */
function storeOptions(readings: ReadingsOption): Partial<StoreClientOptions> {
  const isMatched = (readings["expositions.matching"] ?? "always-new") !== "always-new";
  return {
    photoPage: photoPages[readings["photos.page-shape"] ?? ""],
    timePrecision: readings["time-range.precision"],
    repeatable: isMatched ? ["putExpositions"] : [],
  };
}

function fleetOptions(
  readings: ReadingsOption,
): Pick<FleetClientOptions, "templateFilters" | "wholeLists" | "apiVersion"> {
  return {
    templateFilters: { group: readings["templates.group-filter"], title: readings["templates.title-filter"] },
    wholeLists: readings["lists.undocumented"] === "whole",
    apiVersion: "v1", // gap fleet.version-header
  };
}

/**
 * Timers under which a client that obeys `Retry-After` advances the clock of the server and does not wait. The time that the
 * limits ask for, 20 s, is shorter than every timeout of the clients.
 */
function advancing({ clock }: ReferenceServer): Runtime {
  return {
    setTimeout: (run, delay) => {
      if (delay > 25_000) return setTimeout(run, delay);
      // a shorter wait is one before a read that is asked again
      if (delay >= 5_000) clock.advance({ milliseconds: delay });
      return setTimeout(run, 0);
    },
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout), // of setTimeout above
    performance,
    Date,
    Math,
  };
}
