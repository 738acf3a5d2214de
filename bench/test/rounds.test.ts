import assert from "node:assert/strict";
import { test } from "node:test";
import { shuffler } from "d3-array";
import { randomLcg } from "d3-random";
import type { Measurement, RowPlan } from "../measurement.ts";
import { type Participant, interleave, measureRow } from "../rounds.ts";
import { jsonRow } from "../result.ts";
import { measureAll } from "../run.ts";
import { atMostLowest } from "../target.ts";

const plan: RowPlan = {
  id: "row",
  what: "a row",
  unit: "ms",
  better: "less",
  ours: "ours",
  target: atMostLowest(["other"], "fastest"),
};

/** Entrants that record when they are run, each with a constant figure. */
function participants(figures: Record<string, () => number>): { all: Participant[]; order: string[] } {
  const order: string[] = [];
  const all = Object.entries(figures).map(([name, figure]) => ({
    name,
    sample: async () => {
      order.push(name);
      return figure();
    },
  }));
  return { all, order };
}

async function orderOf(seed: number): Promise<string[]> {
  const { all, order } = participants({ a: () => 1, b: () => 1, c: () => 1, d: () => 1 });
  await interleave({ shuffle: shuffler(randomLcg(seed)), refuse: assert.fail }, "row", all, 10);
  return order;
}

test("each round measures every contender once, in changing order", async () => {
  const order = await orderOf(7);
  const rounds = Array.from({ length: 10 }, (_, at) => order.slice(4 * at, 4 * at + 4));
  for (const round of rounds) assert.deepEqual(round.toSorted(), ["a", "b", "c", "d"]);
  assert.ok(new Set(rounds.map((round) => round.join(""))).size > 3);
});

test("a seed repeats the order", async () => {
  assert.deepEqual(await orderOf(7), await orderOf(7));
  assert.notDeepEqual(await orderOf(7), await orderOf(8));
});

/** A run of one row in which `other` has the given figure in its third round. */
async function runWith(third: () => number): ReturnType<typeof measureAll> {
  let round = 0;
  const { all } = participants({ ours: () => 9, other: () => ((round += 1) === 3 ? third() : 1) });
  const measurement: Measurement = {
    plans: [plan],
    measure: async (run) => [await measureRow(run, plan, all, 5)],
  };
  const options = { quick: true, seed: 1, only: [], work: "", log: () => {} };
  return measureAll(options, [measurement]);
}

test("a contender that fails once is removed with its figures, and its failure is reported", async () => {
  const { rows, refused } = await runWith(() => {
    throw new Error("a wrong result");
  });
  assert.deepEqual(refused, ["row: other: a wrong result"]);
  assert.deepEqual([...(rows[0]?.samples.keys() ?? [])], ["ours"]);
});

test("a contender's failure does not make shelfleet the fastest", async () => {
  const { rows } = await runWith(() => Number.NaN);
  assert.deepEqual(rows.map(jsonRow), [
    {
      id: "row",
      unit: "ms",
      contenders: { ours: { median: 9, min: 9, max: 9 } },
      target: "fastest",
      met: false,
    },
  ]);
});

test("a row that fails as a whole stays in the table without figures, and its target is not met", async () => {
  const measurement: Measurement = { plans: [plan], measure: () => Promise.reject(new Error("no server")) };
  const options = { quick: true, seed: 1, only: [], work: "", log: () => {} };
  const { rows, refused } = await measureAll(options, [measurement]);
  assert.deepEqual(refused, ["row: the whole row: no server"]);
  assert.deepEqual(rows.map(jsonRow), [
    { id: "row", unit: "ms", contenders: {}, target: "fastest", met: false },
  ]);
});
