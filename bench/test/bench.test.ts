import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { plot } from "../plot.ts";
import { published } from "../publication.ts";
import { readResult, resultRow } from "../result.ts";
import { interleave } from "../rounds.ts";
import { chooseRows } from "../rows.ts";
import { bestTenth, formatFigure, ratios, spread } from "../statistics.ts";
import { replaceBlock, resultsBlock } from "../table.ts";

test("a spread has the median, the minimum and the maximum", () => {
  assert.deepEqual(spread([5, 1, 3]), { median: 3, min: 1, max: 5 });
  assert.equal(spread([4, 1, 3, 2]).median, 2.5);
  assert.ok(Number.isNaN(spread([]).median));
});

test("the best tenth is the median of the quickest rounds, or of those with the highest rate", () => {
  const values = Array.from({ length: 30 }, (_, index) => index + 1);
  assert.equal(bestTenth(values), 2);
  assert.equal(bestTenth(values, true), 29);
  assert.equal(bestTenth([7, 5]), 5);
  assert.ok(Number.isNaN(bestTenth([])));
});

test("a ratio compares two figures of the same round", () => {
  // the machine is ten times as slow in the second round, and the ratio is still 2
  assert.deepEqual(ratios([2, 20, 2], [1, 10, 1]), { median: 2, min: 2, max: 2 });
});

test("a figure has up to three significant digits and separated thousands", () => {
  const figures = [0.456, 45.67, 456.7, 1_234_567].map(formatFigure);
  assert.deepEqual(figures, ["0.46", "45.7", "457", "1 234 567"]);
});

test("a round measures each contender once, in a random order, and the first rounds are not counted", async () => {
  const order: string[] = [];
  const participants = ["a", "b", "c", "d"].map((name) => ({
    name,
    sample: async () => ({ value: order.push(name), processor: 1 }),
  }));
  const samples = await interleave(participants, { counted: 18, warmUp: 2 }, assert.fail);
  const rounds = Array.from({ length: 20 }, (_, index) => order.slice(4 * index, 4 * index + 4));
  for (const round of rounds) assert.deepEqual(round.toSorted(), ["a", "b", "c", "d"]);
  assert.ok(new Set(rounds.map((round) => round.join(""))).size > 3);
  for (const figures of samples.values()) {
    assert.equal(figures.length, 18);
    assert.ok(figures.every(({ value }) => value > 8));
  }
});

test("a contender that fails once is removed with its figures, and its failure is reported", async () => {
  let calls = 0;
  const broken = async () => ({ value: (calls += 1) === 3 ? Number.NaN : 1 });
  const participants = [
    { name: "a", sample: async () => ({ value: 9 }) },
    { name: "b", sample: broken },
  ];
  const refused: string[] = [];
  const samples = await interleave(participants, { counted: 4, warmUp: 1 }, (name, error) =>
    refused.push(`${name}: ${String(error)}`),
  );
  assert.deepEqual([...samples], [["a", Array.from({ length: 4 }, () => ({ value: 9 }))]]);
  assert.deepEqual(refused, ["b: Error: NaN is not a figure"]);
});

const row = {
  id: "row",
  title: "A row",
  unit: "ms",
  scenario: "calls",
  contenders: ["shelfleet", "a", "b"],
};

const figures = (...values: number[]) => values.map((value) => ({ value }));

test("a row has the processor time of a contender beside its figures", () => {
  const own = [4, 2, 3].map((value) => ({ value, processor: 2 * value }));
  const [first, second] = resultRow(
    row,
    new Map([
      ["shelfleet", own],
      ["a", figures(8)],
    ]),
  ).contenders;
  assert.deepEqual(first?.processor, { median: 6, best: 4 });
  assert.deepEqual([first?.median, first?.best], [3, 2]);
  assert.equal(second && "processor" in second, false);
});

test("a contender is behind if its cost is higher or its rate is lower", () => {
  const samples = new Map([
    ["shelfleet", figures(2, 2)],
    ["a", figures(4, 8)],
  ]);
  const aheadIn = (isRate: boolean): unknown => resultRow({ ...row, isRate }, samples).contenders[1]?.ahead;
  assert.deepEqual(aheadIn(false), { median: 3, min: 2, max: 4 });
  assert.deepEqual(aheadIn(true), { median: 0.375, min: 0.25, max: 0.5 });
});

test("bench/README.md and figures.svg show every row with the figures of figures.json", () => {
  const result = readResult(published.figures);
  const readme = readFileSync(published.readme, "utf8");
  assert.equal(replaceBlock(readme, resultsBlock(result)), readme);
  assert.ok(readme.includes(resultsBlock(result)));
  assert.equal(plot(result), readFileSync(published.plot, "utf8"));
  // figures of before a row was added lack it
  const known = chooseRows([]).map(({ id }) => id);
  const shown = result.rows.map(({ id }) => id);
  assert.deepEqual(
    shown,
    known.filter((id) => shown.includes(id)),
  );
});
