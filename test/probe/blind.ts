import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from "../../src/mock/index.ts";
import { mockReadings } from "../../generated/readings.ts";
import { scopes } from "../../generated/fleet.operations.ts";
import { probe } from "../../src/probe/probe.ts";
import type { ProbeOptions } from "../../src/probe/options.ts";
import type { ProbeReport } from "../../src/probe/report.ts";

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

export type Readings = Record<string, string>;

/** A random reading of each gap that the reference server can be switched on. */
export function randomReadings(random: () => number): Readings {
  return Object.fromEntries(
    Object.entries(mockReadings).map(([gap, readings]) => [
      gap,
      readings[Math.floor(random() * readings.length)] ?? readings[0],
    ]),
  );
}

const digits = (letter: string): string => letter.repeat(64);

export const KEYS = {
  main: `fleet_${digits("a")}`,
  sandbox: `fleet_test_${digits("b")}`,
  narrow: [
    ["inspection-templates:read"],
    ["inspections:read"],
    ["damages:read"],
    ["vehicles:read"],
    ["vehicles:write", "vehicle-groups:write"],
  ],
} as const;

export const narrowKeys = KEYS.narrow.map((_, index) => `fleet_${digits(String(index + 1))}`);

export function serverOptions(seed: number, readings: Readings, stores: number): ReferenceServerOptions {
  return {
    seed,
    store: { stores },
    fleet: {
      ...(stores === 0 && {
        vehicles: 0,
        vehicleGroups: 0,
        vehicleFields: 0,
        inspections: 0,
        inspectionTemplates: 0,
        damages: 0,
        driverAssignments: 0,
      }),
      keys: [
        { key: KEYS.main, scopes: [...scopes] },
        { key: KEYS.sandbox, scopes: [...scopes] },
        ...KEYS.narrow.map((held, index) => ({ key: narrowKeys[index] ?? "", scopes: [...held] })),
      ],
    },
    readings,
  };
}

export interface Outcome {
  ref: ReferenceServer;
  truth: Readings;
  report: ProbeReport;
}

const instant = { now: () => 0, sleep: () => Promise.resolve() };

/** Probes a server with the given readings. */
export async function probed(ref: ReferenceServer, options: Partial<ProbeOptions> = {}): Promise<Outcome> {
  const report = await probe({
    storeUrl: ref.storeUrl,
    token: ref.token,
    fleetUrl: ref.fleetUrl,
    key: KEYS.main,
    fetch: (input, init) => ref.fetch(input, init),
    rate: 1e9,
    timing: instant,
    ...options,
  });
  return { ref, truth: ref.readings, report };
}

export function blindServer(seed: number, stores: number): ReferenceServer {
  return createReferenceServer(serverOptions(seed, randomReadings(seeded(seed)), stores));
}
