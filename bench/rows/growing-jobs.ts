import { ours, Stable } from "../contenders.ts";
import { measureGrowth } from "../growth.ts";
import type { Measurement, RowPlan } from "../measurement.ts";
import { none } from "../target.ts";

/** The jobs whose cost for each item must not grow with their number: their slope has a target. */
const jobs: readonly { job: string; what: string; others: readonly number[] }[] = [
  { job: "pull", what: "a pull of protocols over a stub", others: [1_000, 100_000, 1_000_000] },
  { job: "mirror", what: "a mirror of stores over a stub", others: [1_000, 100_000, 1_000_000] },
  { job: "plan", what: "a plan of stores that all differ", others: [1_000, 100_000] },
  { job: "state-export", what: "reference server: making and exporting stores", others: [1_000, 100_000] },
  { job: "state-import", what: "reference server: importing stores", others: [1_000, 100_000] },
];

const base = 10_000;

export const growingJobs: readonly Measurement[] = jobs.map(({ job, what, others }) => {
  const plan: RowPlan = {
    id: `growing-${job}`,
    what: `${what}, for each of 10 000`,
    unit: "µs",
    better: "less",
    ours,
    target: none,
  };
  return {
    plans: [plan],
    async measure(run) {
      const contender = { module: job, name: ours };
      await using stable = await Stable.open([contender], "growing", {}, base);
      // a million items take half a minute
      const measured = others.filter((items) => !run.quick || items < 1_000_000);
      const amounts = { base, others: measured, unit: "items", exponent: 0, minRounds: 1 } as const;
      return await measureGrowth(
        { ...run, quick: false },
        plan,
        amounts,
        (items) => [stable.participant(contender, items)],
        5,
      );
    },
  };
});
