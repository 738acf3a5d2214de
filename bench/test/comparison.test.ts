import assert from "node:assert/strict";
import { test } from "node:test";
import { compareResults, comparisonTable } from "../comparison.ts";
import { resultOf } from "./result.ts";

type Figures = [median: number, min: number, max: number];

const run = (ours: Figures, openai: Figures) => resultOf({ "call-stub": { shelfleet: ours, openai } });

function agrees(a: ReturnType<typeof run>, b: ReturnType<typeof run>): boolean | undefined {
  return compareResults(a, b).pairs[0]?.agrees;
}

test("ratios agree if their spreads overlap, even if the machines differ", () => {
  const slower = run([100, 90, 110], [220, 200, 240]);
  assert.equal(agrees(run([10, 9, 11], [20, 18, 22]), slower), true);
});

test("ratios do not agree if their spreads are apart", () => {
  assert.equal(agrees(run([10, 10, 10], [20, 20, 20]), run([10, 10, 10], [22, 22, 22])), false);
});

test("narrow spreads agree if they almost overlap", () => {
  assert.equal(agrees(run([10, 10, 10], [20, 20, 20]), run([10, 10, 10], [20.5, 20.5, 20.5])), true);
});

test("ratios with wide spreads do not agree if their medians differ by more than 30 %", () => {
  assert.equal(agrees(run([10, 1, 90], [20, 1, 90]), run([10, 1, 90], [27, 1, 90])), false);
});

test("a contender that is in one run only does not agree", () => {
  const { pairs } = compareResults(run([1, 1, 1], [2, 2, 2]), resultOf({}));
  assert.deepEqual(
    pairs.map(({ name, agrees: agree }) => [name, agree]),
    [["openai", false]],
  );
});

test("a figure of 0 has no ratio and is not compared", () => {
  const { pairs } = compareResults(run([1, 1, 1], [0, 0, 0]), run([1, 1, 1], [0, 0, 0]));
  assert.deepEqual(pairs, []);
});

test("exponents of growth are compared by their difference", () => {
  const slopes = (exponent: number) =>
    resultOf({ "call-stub.slope": { shelfleet: [exponent, exponent, exponent] } });
  assert.equal(agrees(slopes(0), slopes(0.1)), true);
  assert.equal(agrees(slopes(0), slopes(0.2)), false);
});

test("the comparison names a target that is met in one run only", () => {
  const a = run([10, 9, 11], [20, 18, 22]);
  const b = resultOf({ "call-stub": { shelfleet: [10, 9, 11], openai: [20, 18, 22] } }, { met: false });
  assert.match(comparisonTable(compareResults(a, b)), /1 of 1 agree\.\nMet in one run alone: call-stub\./);
  assert.match(comparisonTable(compareResults(a, a)), /The same targets are met\./);
});
