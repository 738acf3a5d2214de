import { scopes } from "../../generated/fleet.operations.ts";
import { mockReadings } from "../../generated/readings.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import type { ProbeOptions } from "../../src/probe/options.ts";
import { createFleetModel } from "../models/fleet-model.ts";
import { fleetGaps, storeGaps } from "../models/readings.ts";
import { createStoreModel } from "../models/store-model.ts";

/** A reading of each gap that a server plays. */
export type Readings = Readonly<Record<string, string>>;

/** A server that does not say what it means. */
export interface Subject {
  readonly truth: Readings;
  /** Addresses, secrets and `fetch`. */
  readonly options: ProbeOptions;
  /** Every observable part of its state. */
  state(): unknown;
  /** Writes that took effect. */
  writes(): number;
}

/** A seeded generator of numbers from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random reading for each gap of a table. */
function chosen(
  table: Readonly<Record<string, readonly string[]>>,
  random: () => number,
): Record<string, string> {
  const entries = Object.entries(table).map(([gap, readings]) => {
    const at = Math.floor(random() * readings.length);
    return [gap, readings[at] ?? readings[0] ?? ""] as const;
  });
  return Object.fromEntries(entries);
}

const digits = (letter: string): string => letter.repeat(64);
const MAIN = `fleet_${digits("a")}`;
const SANDBOX = `fleet_test_${digits("b")}`;

/** What narrow keys may do. */
const NARROW = [
  ["inspection-templates:read"],
  ["inspections:read"],
  ["damages:read"],
  ["vehicles:read"],
  ["vehicles:write", "vehicle-groups:write"],
] as const;

const narrowKeys = NARROW.map((_, index) => `fleet_${digits(String(index + 1))}`);

/** The project's own reference server under random readings. */
export function referenceSubject(seed: number, stores: number): Subject {
  const readings = chosen(mockReadings, seeded(seed));
  const none = {
    vehicles: 0,
    vehicleGroups: 0,
    vehicleFields: 0,
    inspections: 0,
    inspectionTemplates: 0,
    damages: 0,
    driverAssignments: 0,
  };
  const ref = createReferenceServer({
    seed,
    store: { stores },
    fleet: {
      ...(stores === 0 && none),
      keys: [
        { key: MAIN, scopes: [...scopes] },
        { key: SANDBOX, scopes: [...scopes] },
        ...NARROW.map((held, index) => ({ key: narrowKeys[index] ?? "", scopes: [...held] })),
      ],
    },
    readings,
  });
  return {
    truth: ref.readings,
    options: {
      storeUrl: ref.storeUrl,
      token: ref.token,
      fleetUrl: ref.fleetUrl,
      key: MAIN,
      sandboxUrl: ref.sandboxUrl,
      sandboxKey: SANDBOX,
      narrowKeys,
      fetch: (input, init) => ref.fetch(input, init),
    },
    state: () => ref.state,
    writes: () => ref.journal.all().filter(({ method }: { method: string }) => method !== "GET").length,
  };
}

const STORE_URL = "https://stores.test";
const SANDBOX_URL = "https://sandbox.fleet.test/api/third-party/v1";
const FLEET_URL = "https://fleet.test/api/third-party/v1";

/** Two servers that share no code with the project, written by somebody who has not seen the experiments. */
export function modelSubject(seed: number, stores: number): Subject {
  const random = seeded(seed);
  const rate = { requests: 1e9, perMs: 1 };
  const store = createStoreModel({ readings: chosen(storeGaps, random), seed, stores, rate });
  const fleetReadings = chosen(fleetGaps, random);
  const vehicles = stores === 0 ? 0 : undefined;
  const fleet = createFleetModel({
    readings: fleetReadings,
    seed,
    rate,
    vehicles,
    environment: "production",
  });
  const sandbox = createFleetModel({ readings: fleetReadings, seed, rate, vehicles, environment: "sandbox" });
  const keys = NARROW.map((held) => fleet.makeKey([...held]) ?? "");
  return {
    truth: { ...store.readings, ...fleet.readings },
    options: {
      storeUrl: STORE_URL,
      token: store.authorization.replace("Bearer ", ""),
      fleetUrl: FLEET_URL,
      key: fleet.key,
      sandboxUrl: SANDBOX_URL,
      sandboxKey: sandbox.key,
      narrowKeys: keys,
      fetch: async (input) => {
        const url = new URL(input.url);
        if (url.origin === STORE_URL) return store.fetch(input);
        return url.href.startsWith(SANDBOX_URL) ? sandbox.fetch(input) : fleet.fetch(input);
      },
    },
    state: () => ({ store: store.state, fleet: fleet.state, sandbox: sandbox.state }),
    writes: () => store.applied.length + fleet.applied.length + sandbox.applied.length,
  };
}
