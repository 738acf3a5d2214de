import { expectTypeOf, it } from "vitest";
import type { Readings } from "../../generated/gaps.ts";
import type { fleetGaps, storeGaps } from "./readings.ts";

type Tables = typeof storeGaps & typeof fleetGaps;
type MissingReading = {
  [Gap in keyof Tables & keyof Readings]: Exclude<NonNullable<Readings[Gap]>, Tables[Gap][number]>;
}[keyof Tables & keyof Readings];

it("the tables have each reading of their gaps", () => {
  expectTypeOf<MissingReading>().toBeNever();
});
