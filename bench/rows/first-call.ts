import { Child } from "../child.ts";
import { clients, type Contender, native, ours } from "../contenders.ts";
import { measureGrowth } from "../growth.ts";
import type { Measurement, RowPlan } from "../measurement.ts";
import type { Participant } from "../rounds.ts";
import { atMostTimes } from "../target.ts";

const plan: RowPlan = {
  id: "first-call",
  what: "import and first call in a new process",
  unit: "ms",
  better: "less",
  ours,
  target: atMostTimes(1, "openapi-fetch + ky"),
};

const amounts = { base: 1, others: [10, 100], unit: "calls", exponent: 1 } as const;

export const firstCall: Measurement = {
  plans: [plan],
  measure: (run) => measureGrowth(run, plan, amounts, participants, run.quick ? 11 : 25),
};

function participants(calls: number): Participant[] {
  return [...clients, native].map((contender) => ({
    name: contender.name,
    sample: () => inNewProcess(contender, calls),
  }));
}

async function inNewProcess({ module }: Contender, calls: number): Promise<number> {
  const { child } = await Child.start("scenario-process.ts", ["first-call", module, "{}"]);
  try {
    return (await child.ask(calls)) as number;
  } finally {
    await child.stop();
  }
}
