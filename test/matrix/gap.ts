import { describe, expect, test } from "vitest";
import { type GapId, type gaps, mockReadings } from "../../generated/gaps.ts";
import type { ReadingsOption } from "../../src/mock/index.ts";
import { type World, world } from "./world.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The reading of the server during the test. */
    reading?: string;
    /** Whether the test is a stance test of the gap, and not one that runs under every reading. */
    stance?: boolean;
  }
}

/** A gap with readings. */
export type OpenGap = { [G in GapId]: (typeof gaps)[G] extends { readings: object } ? G : never }[GapId];

export type Check = (world: World) => void | Promise<void>;

/** A check for each reading of a gap. */
type Checks = {
  [G in OpenGap]: { [R in keyof Extract<(typeof gaps)[G], { readings: object }>["readings"]]: Check };
};

/**
 * Declares a block named `gap <id>`, by which the report finds it, with one test for each reading. Each test runs on a
 * server with this reading and checks what the gap's `stance` says about the client.
 */
export function stance<G extends OpenGap>(id: G, checks: Checks[G]): void {
  describe(`gap ${id}`, () => {
    for (const [reading, check] of Object.entries<Check>(checks)) {
      test(`the client keeps its stance under ${reading}`, { meta: { reading, stance: true } }, async () => {
        expect.hasAssertions();
        await check(world(switchReading(id, reading)));
      });
    }
  });
}

/** The option that sets the reading of the reference server, if the gap affects the server. */
export function switchReading(id: string, reading: string): ReadingsOption {
  return id in mockReadings ? { [id]: reading } : {};
}
