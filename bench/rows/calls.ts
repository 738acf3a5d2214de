import { Child } from "../child.ts";
import { clients, type Contender, guarded, native, ours, rivals, Stable } from "../contenders.ts";
import { measureGrowth } from "../growth.ts";
import type { Measurement, Row, RowPlan, Run } from "../measurement.ts";
import { atMostLowest, atMostTimes, goal } from "../target.ts";

const stub: RowPlan = {
  id: "call-stub",
  what: "a call over a stubbed fetch, retry and timeout on",
  unit: "µs",
  better: "less",
  ours,
  target: goal(atMostLowest(rivals(guarded), "fastest of those that have retry and timeout")),
};

const loopback: RowPlan = {
  id: "call-loopback",
  what: "a call over loopback HTTP",
  unit: "µs",
  better: "less",
  ours,
  target: goal(atMostTimes(1.05, native.name)),
};

/** stripe gets no `fetch` here: it uses node:http, as for its users. */
const overSockets = [...clients, native].map(({ module, name }) => {
  return { module, name: module === "stripe" ? `${name} (over node:http)` : name };
});

export const callOverStub: Measurement = {
  plans: [stub],
  measure: (run) => calls(run, stub, [...clients, native], {}, { base: 1_000, warmUp: 10_000 }),
};

export const callOverLoopback: Measurement = {
  plans: [loopback],
  async measure(run) {
    const { child, ready } = await Child.start("servers/canned.ts");
    try {
      return await calls(
        run,
        loopback,
        overSockets,
        { baseUrl: ready as string },
        { base: 300, warmUp: 3_000 },
      );
    } finally {
      await child.stop();
    }
  },
};

async function calls(
  run: Run,
  plan: RowPlan,
  contenders: readonly Contender[],
  setting: { baseUrl?: string },
  { base, warmUp }: { base: number; warmUp: number },
): Promise<Row[]> {
  await using stable = await Stable.open(contenders, "calls", setting, warmUp);
  const amounts = { base, others: [10 * base, 100 * base], unit: "calls", exponent: 0 } as const;
  const participants = (work: number) => contenders.map((contender) => stable.participant(contender, work));
  return await measureGrowth(run, plan, amounts, participants, run.quick ? 7 : 61);
}
