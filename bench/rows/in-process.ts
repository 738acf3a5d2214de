import { type Contender, Stable } from "../contenders.ts";
import { measureGrowth } from "../growth.ts";
import type { Measurement, RowPlan } from "../measurement.ts";
import { allOf, atLeastTimes, goal } from "../target.ts";

const contenders: readonly Contender[] = [
  { module: "ref-fetch", name: "ref.fetch" },
  { module: "msw3", name: "msw 3 by hand" },
  { module: "msw2", name: "msw 2 by hand" },
];

const plan: RowPlan = {
  id: "in-process",
  what: "reference server in process, GET one store",
  unit: "calls/s",
  better: "more",
  ours: "ref.fetch",
  target: goal(allOf(atLeastTimes(10, "msw 3 by hand"), atLeastTimes(10, "msw 2 by hand"))),
};

const amounts = { base: 300, others: [3_000, 30_000], unit: "calls", exponent: 0 } as const;

export const inProcess: Measurement = {
  plans: [plan],
  async measure(run) {
    await using stable = await Stable.open(contenders, "in-process", {}, 2_000);
    const participants = (calls: number) =>
      contenders.map((contender) => stable.participant(contender, calls));
    return await measureGrowth(run, plan, amounts, participants, run.quick ? 7 : 31);
  },
};
