import { describe, expect, it } from "vitest";
import { mockReadings } from "../../generated/readings.ts";
import { compareStores } from "./store-conformance.ts";
import { fleetRequests, storeRequests } from "./conformance-requests.ts";
import { compareFleets } from "./fleet-conformance.ts";
import { fleetObservations } from "./fleet-observations.ts";
import { createRandom } from "./random.ts";
import { fleetGaps, storeGaps } from "./readings.ts";
import { storeObservations } from "./store-observations.ts";

const seed = { seed: 1, stores: 4, unnamed: 3 };
const fleetSeed = { seed: 1, vehicles: 6 };
const seeds = Array.from({ length: 24 }, (_, index) => index + 1);

// where the contract says nothing: rates of requests, photos of protocols listed once, protocols with one instant
const fixed: Readonly<Record<string, string>> = {
  "limits.store-rate": "none",
  "protocols.equal-summaries": "distinct",
  "protocols.order": "oldest-first",
};

/** Observations that follow cursors and IDs. */
const walks = ["protocols.next-page", "protocols.id-format", "photos.cursor-source"] as const;

describe("the reference server and the model of the store API agree", () => {
  const gaps = (Object.keys(storeGaps) as (keyof typeof storeGaps)[]).filter((gap) => gap in mockReadings);
  const rows = gaps
    // the reference server rounds rates, and allows another number of requests
    .filter((gap) => gap !== "limits.store-rate" && gap !== "fill-rates.bounds")
    .flatMap((gap) => storeGaps[gap].map((reading) => [gap, reading] as const));

  it.each(rows)("about %s: %s", async (gap, reading) => {
    const { given, observe } = storeObservations[gap];
    expect(await compareStores({ ...seed, readings: { ...given, [gap]: reading } }, observe)).toEqual([]);
  });

  it.each(Object.entries(storeRequests))("about %s", async (_, requests) => {
    const differences = await compareStores({ ...seed, readings: {} }, (send) => {
      for (const request of requests) send(...request);
    });
    expect(differences).toEqual([]);
  });

  it.each(seeds)("under random readings (seed %d)", async (number) => {
    const random = createRandom(number);
    const readings = Object.fromEntries(
      gaps.map((gap) => [gap, fixed[gap] ?? random.pick<string>(storeGaps[gap])]),
    );
    const differences = await compareStores({ ...seed, seed: number, readings }, (send) => {
      for (const gap of walks) storeObservations[gap].observe(send);
      for (const request of Object.values(storeRequests).flat()) send(...request);
    });
    expect(differences).toEqual([]);
  });
});

// about rates of requests, data that a client cannot read, and what follows from a value that the contract does not show
const notCompared = new Set<string>([
  "damages.status-values",
  "limits.fleet-rate",
  "templates.group-filter",
  "fleet.absent-properties",
  "fields.no-response",
  "fields.no-status-rule",
]);

// beside other readings: the order of checks, and properties that only one of the two has
const notCombined = new Set<string>([
  "fleet.version-header",
  "inspections.template-properties",
  "templates.get-one",
]);

describe("the reference server and the model of the fleet API agree", () => {
  const gaps = (Object.keys(fleetGaps) as (keyof typeof fleetGaps)[]).filter((gap) => gap in mockReadings);
  const rows = gaps
    .filter((gap) => !notCompared.has(gap))
    .flatMap((gap) => fleetGaps[gap].map((reading) => [gap, reading] as const));

  it.each(rows)("about %s: %s", async (gap, reading) => {
    const { given, observe } = fleetObservations[gap];
    expect(await compareFleets({ ...fleetSeed, readings: { ...given, [gap]: reading } }, observe)).toEqual(
      [],
    );
  });

  it.each(Object.entries(fleetRequests))("about %s", async (_, observe) => {
    expect(await compareFleets({ ...fleetSeed, readings: {} }, observe)).toEqual([]);
  });

  it.each(seeds)("under random readings (seed %d)", async (number) => {
    const random = createRandom(number);
    const chosen = gaps.filter((gap) => !notCompared.has(gap) && !notCombined.has(gap));
    const readings = Object.fromEntries(chosen.map((gap) => [gap, random.pick<string>(fleetGaps[gap])]));
    const differences = await compareFleets({ ...fleetSeed, seed: number, readings }, (send, model) => {
      for (const name of ["keys without scopes", "unknown IDs", "pages", "keys and headers"])
        fleetRequests[name]?.(send, model);
      return null;
    });
    expect(differences).toEqual([]);
  });
});
