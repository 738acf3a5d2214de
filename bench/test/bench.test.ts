import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { plot } from "../plot.ts";
import { published } from "../publication.ts";
import { readResult, resultRow } from "../result.ts";
import { interleave } from "../rounds.ts";
import { chooseRows, type Goal } from "../rows.ts";
import { formatFigure, ratios, type Samples, spread } from "../statistics.ts";
import { replaceBlock, resultsBlock } from "../table.ts";

test("a spread has the median, the minimum and the maximum", () => {
  assert.deepEqual(spread([5, 1, 3]), { median: 3, min: 1, max: 5 });
  assert.equal(spread([4, 1, 3, 2]).median, 2.5);
  assert.ok(Number.isNaN(spread([]).median));
});

test("a ratio compares two figures of the same round", () => {
  // the machine is ten times as slow in the second round, and the ratio is still 2
  assert.deepEqual(ratios([2, 20, 2], [1, 10, 1]), { median: 2, min: 2, max: 2 });
});

test("a figure has up to three significant digits and separated thousands", () => {
  const figures = [0.456, 45.67, 456.7, 1_234_567].map(formatFigure);
  assert.deepEqual(figures, ["0.46", "45.7", "457", "1 234 567"]);
});

test("a round measures each contender once, in a random order, and the first round is not counted", async () => {
  const order: string[] = [];
  const participants = ["a", "b", "c", "d"].map((name) => ({
    name,
    sample: async () => order.push(name),
  }));
  const samples = await interleave(participants, 19, assert.fail);
  const rounds = Array.from({ length: 20 }, (_, index) => order.slice(4 * index, 4 * index + 4));
  for (const round of rounds) assert.deepEqual(round.toSorted(), ["a", "b", "c", "d"]);
  assert.ok(new Set(rounds.map((round) => round.join(""))).size > 3);
  for (const figures of samples.values()) {
    assert.equal(figures.length, 19);
    assert.ok(figures.every((figure) => figure > 4));
  }
});

test("a contender that fails once is removed with its figures, and its failure is reported", async () => {
  let calls = 0;
  const broken = async (): Promise<number> => ((calls += 1) === 3 ? Number.NaN : 1);
  const participants = [
    { name: "a", sample: async () => 9 },
    { name: "b", sample: broken },
  ];
  const refused: string[] = [];
  const samples = await interleave(participants, 4, (name, error) =>
    refused.push(`${name}: ${String(error)}`),
  );
  assert.deepEqual([...samples], [["a", [9, 9, 9, 9]]]);
  assert.deepEqual(refused, ["b: Error: NaN is not a figure"]);
});

const row = {
  id: "row",
  title: "A row",
  unit: "ms",
  scenario: "calls",
  contenders: ["shelfleet", "a", "b"],
};

function goalOf(goal: Goal, samples: Samples, isRate = false): [text: string, isMet: boolean] {
  const result = resultRow({ ...row, goal, isRate }, samples);
  return [result.goal, result.isMet];
}

test("a goal is reached at its bound, missed beyond it, and missed without the figures that it needs", () => {
  const samples = new Map(Object.entries({ shelfleet: [12], a: [10], b: [11] }));
  const isMet = true;
  assert.deepEqual(goalOf({ limit: 12 }, samples), ["≤ 12 ms", isMet]);
  assert.deepEqual(goalOf({ limit: 11.9 }, samples), ["≤ 11.9 ms", !isMet]);
  assert.deepEqual(goalOf({ limit: 1.2, of: ["a", "b"] }, samples), ["≤ 1.2 × a, b", isMet]);
  assert.deepEqual(goalOf({ limit: 1, of: ["a"] }, samples), ["≤ a", !isMet]);
  assert.deepEqual(goalOf({ limit: 1.2, of: ["a"] }, samples, true), ["≥ 1.2 × a", isMet]);
  assert.deepEqual(goalOf({ limit: 9, of: ["c"], group: "all" }, samples), ["≤ 9 × all", !isMet]);
});

test("a contender is behind if its cost is higher or its rate is lower", () => {
  const samples = new Map(Object.entries({ shelfleet: [2, 2], a: [4, 8] }));
  const aheadIn = (isRate: boolean): unknown =>
    resultRow({ ...row, goal: { limit: 1 }, isRate }, samples).contenders[1]?.ahead;
  assert.deepEqual(aheadIn(false), { median: 3, min: 2, max: 4 });
  assert.deepEqual(aheadIn(true), { median: 0.375, min: 0.25, max: 0.5 });
});

test("bench/README.md and figures.svg show every row with the figures of figures.json", () => {
  const result = readResult(published.figures);
  const readme = readFileSync(published.readme, "utf8");
  assert.equal(replaceBlock(readme, resultsBlock(result)), readme);
  assert.ok(readme.includes(resultsBlock(result)));
  assert.equal(plot(result), readFileSync(published.plot, "utf8"));
  assert.deepEqual(
    result.rows.map(({ id }) => id),
    chooseRows([]).map(({ id }) => id),
  );
});
