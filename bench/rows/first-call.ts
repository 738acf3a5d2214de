import { Child } from "../child.ts";
import { clients, type Contender, native, ours } from "../contenders.ts";
import type { Measurement, RowPlan } from "../measurement.ts";
import { measureRow } from "../rounds.ts";
import { atMostTimes } from "../target.ts";

const plan: RowPlan = {
  id: "first-call",
  what: "import and first call in a new process",
  unit: "ms",
  better: "less",
  ours,
  target: atMostTimes(1, "openapi-fetch + ky"),
};

export const firstCall: Measurement = {
  plans: [plan],
  async measure(run) {
    const participants = [...clients, native].map((contender) => ({
      name: contender.name,
      sample: () => inNewProcess(contender),
    }));
    return [await measureRow(run, plan, participants, run.quick ? 7 : 25)];
  },
};

async function inNewProcess({ module }: Contender): Promise<number> {
  const { child } = await Child.start("scenario-process.ts", ["first-call", module, "{}"]);
  try {
    return (await child.ask(1)) as number;
  } finally {
    await child.stop();
  }
}
