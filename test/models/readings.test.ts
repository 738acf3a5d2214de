import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createFleetModel } from "./fleet-model.ts";
import { fleetObservations, fleetSender } from "./fleet-observations.ts";
import { chooseReadings, fleetGaps, storeGaps } from "./readings.ts";
import { createStoreModel } from "./store-model.ts";
import { storeObservations, storeSender } from "./store-observations.ts";

interface RegisteredGap {
  readonly id: string;
  readonly api: "store" | "fleet";
  readonly readings?: Readonly<Record<string, string>>;
  readonly default?: string;
}

// gaps.schema.json describes the file
const registered = parse(
  readFileSync(new URL("../../specs/gaps.yaml", import.meta.url), "utf8"),
) as RegisteredGap[];

/** The responses of a model under each reading of a gap, with the same seed. */
function observeStore(gap: keyof typeof storeGaps, seed: number): string[] {
  const { given, observe } = storeObservations[gap];
  return storeGaps[gap].map((reading) => {
    const model = createStoreModel({ seed, stores: 4, unnamed: 3, readings: { ...given, [gap]: reading } });
    return JSON.stringify(observe(storeSender(model)));
  });
}

function observeFleet(gap: keyof typeof fleetGaps, seed: number): string[] {
  const { given, observe } = fleetObservations[gap];
  return fleetGaps[gap].map((reading) => {
    const model = createFleetModel({ seed, readings: { ...given, [gap]: reading } });
    return JSON.stringify(observe(fleetSender(model), model));
  });
}

describe("the gaps of the models", () => {
  const withReadings = registered.filter((gap) => gap.readings);

  it.each(withReadings.filter(({ id }) => id in storeGaps || id in fleetGaps))(
    "have the readings and the default of specs/gaps.yaml: $id",
    ({ id, readings, default: first }) => {
      const table: Readonly<Record<string, readonly string[]>> = { ...storeGaps, ...fleetGaps };
      expect(table[id]?.toSorted()).toEqual(Object.keys(readings ?? {}).toSorted());
      expect(table[id]?.[0]).toBe(first);
    },
  );
});

describe("a reading", () => {
  // the names of a table are its keys
  const storeNames = Object.keys(storeGaps) as (keyof typeof storeGaps)[];
  const fleetNames = Object.keys(fleetGaps) as (keyof typeof fleetGaps)[];

  it.each(storeNames)("of the store model changes a response: %s", (gap) => {
    for (const seed of [1, 2, 3]) {
      const responses = observeStore(gap, seed);
      expect(new Set(responses).size, `seed ${seed}`).toBe(responses.length);
    }
  });

  it.each(fleetNames)("of the fleet model changes a response: %s", (gap) => {
    for (const seed of [1, 2, 3]) {
      const responses = observeFleet(gap, seed);
      expect(new Set(responses).size, `seed ${seed}`).toBe(responses.length);
    }
  });
});

describe("chooseReadings", () => {
  it("completes readings with the defaults", () => {
    const chosen = chooseReadings(storeGaps, { "protocols.order": "newest-first", "fleet.put": "merge" });
    expect(chosen["protocols.order"]).toBe("newest-first");
    expect(chosen["protocols.next-page"]).toBe("cursor");
    expect(chosen).not.toHaveProperty(["fleet.put"]);
  });

  it("rejects an unknown gap and an unknown reading", () => {
    expect(() => chooseReadings(storeGaps, { "no.gap": "x" })).toThrow('Unknown gap "no.gap"');
    expect(() => chooseReadings(storeGaps, { "protocols.order": "x" })).toThrow('Unknown reading "x"');
  });
});
