import assert from "node:assert/strict";
import { test } from "node:test";
import { figure, ratios, slope, spread, verdict } from "../statistics.ts";

test("a spread has the median, the minimum and the maximum", () => {
  assert.deepEqual(spread([5, 1, 3]), { median: 3, min: 1, max: 5 });
  assert.equal(spread([4, 1, 3, 2]).median, 2.5);
  assert.ok(Number.isNaN(spread([]).median));
});

test("a ratio compares two figures of the same round", () => {
  // the machine is ten times as slow in the second round, and the ratio is still 2
  assert.deepEqual(ratios([2, 20, 2], [1, 10, 1]), { median: 2, min: 2, max: 2 });
});

test("a ratio within 30 % is not called a difference, in either direction", () => {
  assert.equal(verdict(1.29, "less"), "no difference");
  assert.equal(verdict(1 / 1.29, "less"), "no difference");
  assert.equal(verdict(1.3, "less"), "ours is ahead");
  assert.equal(verdict(1 / 1.3, "less"), "ours is behind");
  assert.equal(verdict(1.3, "more"), "ours is behind");
  assert.equal(verdict(1 / 1.3, "more"), "ours is ahead");
});

test("a ratio that is not a positive number has no verdict", () => {
  for (const ratio of [Number.NaN, Infinity, 0]) assert.equal(verdict(ratio, "less"), "");
});

test("a slope is the exponent of growth", () => {
  const grown = (exponent: number) => [1, 10, 100].map((work) => ({ work, value: 7 * work ** exponent }));
  for (const exponent of [-0.5, 0, 1, 2]) assert.ok(Math.abs(slope(grown(exponent)) - exponent) < 1e-9);
});

test("a figure is printed with up to three significant digits and separated thousands", () => {
  assert.deepEqual([0.456, 45.67, 456.7, 1_234_567, Number.NaN].map(figure), [
    "0.46",
    "45.7",
    "457",
    "1 234 567",
    "–",
  ]);
});
