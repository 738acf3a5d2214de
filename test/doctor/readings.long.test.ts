import { describe, expect, it } from "vitest";
import { mockReadings } from "../../generated/readings.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { findAllWrong } from "./random-service.ts";
import { examine, urls } from "./run.ts";

it("doctor names no wrong reading and no difference in 200 random services with other writers and faults", async () => {
  const { wrong, seen } = await findAllWrong(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(600);
});

describe("doctor", () => {
  it("needs at most 100 of its 120 requests, whatever the readings of a service are", async () => {
    const counts: number[] = [];
    for (const [gap, all] of Object.entries(mockReadings))
      for (const reading of all) {
        const ref = createReferenceServer({ ...urls, readings: { [gap]: reading } });
        counts.push((await examine(ref)).requests);
      }
    expect(Math.max(...counts)).toBeLessThanOrEqual(100);
  });
});
