import { type Contender, ours, Stable } from "../contenders.ts";
import { measureGrowth } from "../growth.ts";
import type { Measurement, RowPlan } from "../measurement.ts";
import { measureRow } from "../rounds.ts";
import { atLeastTimes, atMost, goal } from "../target.ts";

const loop: Contender = { module: "json-parse", name: "loop over JSON.parse" };
const contenders = [{ module: "shelfleet", name: ours }, loop];
const million = 1_000_000;

const rate: RowPlan = {
  id: "walk-million",
  what: "a walk of 1 000 000 stores over a stub",
  unit: "thousand stores/s",
  better: "more",
  ours,
  target: goal(atLeastTimes(0.85, loop.name)),
};

/** Only a set of hashes may grow, by tens of bytes per page. */
const memory: RowPlan = {
  id: "walk-memory",
  what: "the heap's growth over the last nine tenths of that walk",
  unit: "MB",
  better: "less",
  ours,
  target: atMost(2, "MB"),
};

export const millionWalk: Measurement = {
  plans: [rate],
  async measure(run) {
    await using stable = await Stable.open(contenders, "million-walk", {}, 50_000);
    const amounts = { base: million, others: [10_000, 100_000], unit: "stores", exponent: 0 } as const;
    return await measureGrowth(
      run,
      rate,
      amounts,
      (stores) => participants(stable, stores),
      run.quick ? 2 : 11,
    );
  },
};

export const walkMemory: Measurement = {
  plans: [memory],
  async measure(run) {
    await using stable = await Stable.open(contenders, "walk-memory", {}, 0);
    return [await measureRow(run, memory, participants(stable, million), run.quick ? 1 : 5)];
  },
};

const participants = (stable: Stable, stores: number) =>
  contenders.map((contender) => stable.participant(contender, stores));
