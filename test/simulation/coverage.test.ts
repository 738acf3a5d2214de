import { expect, test } from "vitest";
import { fleetGaps, storeGaps } from "../models/readings.ts";
import { Coverage, unnoticed } from "./coverage.ts";

test("the coverage of a simulation names readings in less than 1 % of many histories", () => {
  const coverage = new Coverage();
  for (let number = 0; number < 20_000; number += 1)
    coverage.add(new Set(number % 100 === 0 ? ["fleet.put: merge"] : []));
  expect(coverage.tooRare()).toContain("fleet.put: replace");
  expect(coverage.tooRare()).not.toContain("fleet.put: merge");
});

test("the coverage of a simulation names no reading after a few histories", () => {
  const coverage = new Coverage();
  for (let number = 0; number < 500; number += 1) coverage.add(new Set());
  expect(coverage.tooRare()).toEqual([]);
});

test("the coverage of a simulation counts only the readings of gaps that a program can notice", () => {
  const counted = new Set(new Coverage().shares().map(([reading]) => reading.split(": ")[0]));
  const gaps = new Set(Object.keys({ ...storeGaps, ...fleetGaps }));
  expect(Object.keys(unnoticed).filter((gap) => !gaps.has(gap) || counted.has(gap))).toEqual([]);
  expect(counted.size + Object.keys(unnoticed).length).toBe(gaps.size);
});
