import { describe, test } from "vitest";
import { gaps, type GapId, mockReadings } from "../../generated/gaps.ts";
import type { ReadingsOption } from "../../src/mock/index.ts";
import { type World, world } from "./world.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The reading that the test runs under. */
    reading?: string;
    /** Whether the test is about this gap, and not one of those that run under each. */
    stance?: boolean;
  }
}

/** A gap that somebody has to choose a reading of. */
export type OpenGap = { [G in GapId]: (typeof gaps)[G] extends { readings: object } ? G : never }[GapId];

/** The name of a block of tests that depend on a gap; the report finds them by it. */
export function gap(id: OpenGap): string {
  return `gap ${id}`;
}

export type Check = (world: World) => void | Promise<void>;

/** A check for each reading of a gap. */
type Checks = {
  [G in OpenGap]: { [R in keyof Extract<(typeof gaps)[G], { readings: object }>["readings"]]: Check };
};

/** One test for each reading of a gap, on a server that has it: what the gap's `stance` says of the client. */
export function stance<G extends OpenGap>(id: G, checks: Checks[G]): void {
  describe(gap(id), () => {
    for (const [reading, check] of Object.entries<Check>(checks)) {
      test(`the client keeps its stance under ${reading}`, { meta: { reading, stance: true } }, async () => {
        await check(world(switched(id, reading)));
      });
    }
  });
}

/** The option that switches the reference server, as far as it knows the gap. */
export function switched(id: string, reading: string): ReadingsOption {
  return id in mockReadings ? { [id]: reading } : {};
}
