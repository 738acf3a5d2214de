import { setTimeout as sleep } from "node:timers/promises";
import type { Row, RowPlan, Run } from "./measurement.ts";
import type { Samples } from "./statistics.ts";

/** A contender that can be measured repeatedly. */
export interface Participant {
  name: string;
  /** Returns one figure. Rejects if the result is wrong; such a run is discarded. */
  sample: () => Promise<number>;
}

/** The time limit for one figure in ms. */
const patience = 180_000;

/**
 * Measures each entrant once per round, in a new random order each round, so that other work on the machine affects
 * all of them. An entrant that fails once is removed, because its figures would not be of the same work.
 */
export async function interleave(
  run: Pick<Run, "shuffle" | "refuse">,
  row: string,
  participants: readonly Participant[],
  rounds: number,
): Promise<Samples> {
  const samples = new Map<string, number[]>(participants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, sample } of run.shuffle(
      participants.filter((participant) => samples.has(participant.name)),
    )) {
      try {
        samples.get(name)?.push(await measured(sample));
      } catch (error) {
        samples.delete(name);
        run.refuse(row, name, error);
      }
    }
  }
  return samples;
}

async function measured(sample: () => Promise<number>): Promise<number> {
  const waiting = new AbortController();
  const late = async (): Promise<never> => {
    await sleep(patience, undefined, { signal: waiting.signal });
    throw new Error(`no figure within ${patience / 1000} s`);
  };
  try {
    const figure = await Promise.race([sample(), late()]);
    if (!Number.isFinite(figure)) throw new Error(`${figure} is not a figure`);
    return figure;
  } finally {
    waiting.abort();
  }
}

export async function measureRow(
  run: Run,
  plan: RowPlan,
  participants: readonly Participant[],
  rounds: number,
): Promise<Row> {
  const start = performance.now();
  const samples = await interleave(run, plan.id, participants, rounds);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  run.log(`${plan.id}: ${rounds} × ${participants.map(({ name }) => name).join(", ")}: ${seconds} s`);
  return { ...plan, samples };
}
