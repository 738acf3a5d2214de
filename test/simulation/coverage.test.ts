import { expect, test } from "vitest";
import { fleetGaps, storeGaps } from "../models/readings.ts";
import { Coverage } from "./coverage.ts";

const readings = { "fleet.put": "merge", "scopes.get-damage": "prose" };

test("names readings that are in less than 1 % of many histories", () => {
  const coverage = new Coverage();
  for (let number = 0; number < 20_000; number += 1)
    coverage.add(new Set(number % 100 === 0 ? ["fleet.put: merge"] : []), readings, new Set(["damages.get"]));
  expect(coverage.tooRare()).toContain("fleet.put: replace");
  expect(coverage.tooRare()).not.toContain("fleet.put: merge");
  expect(coverage.tooRare()).not.toContain("scopes.get-damage: prose");
});

test("names no reading after a few histories", () => {
  const coverage = new Coverage();
  for (let number = 0; number < 500; number += 1) coverage.add(new Set(), readings, new Set());
  expect(coverage.tooRare()).toEqual([]);
});

test("counts each reading of the gaps that a program can notice", () => {
  const shares = new Coverage().shares().map(([reading]) => reading.split(": ")[0]);
  const gaps = Object.keys({ ...storeGaps, ...fleetGaps });
  expect(new Set(gaps.filter((gap) => !shares.includes(gap)))).toEqual(
    new Set([
      "photos.status",
      "fill-rates.below-expectation",
      "fill-rates.bounds",
      "fill-rates.inverted-bounds",
      "errors.other-statuses",
      "limits.body-size",
      "weekdays.first",
      "fill-rates.unknown-stores",
      "expectations.null-category",
      "time-zones.meaning",
      "photos.two-statuses",
      "fleet.limit-out-of-range",
      "keys.review-scopes",
      "keys.unknown-scopes",
    ]),
  );
});
