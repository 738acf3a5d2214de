import type { Row, RowPlan, Run } from "./measurement.ts";
import { type Participant, measureRow } from "./rounds.ts";
import { slope, spread } from "./statistics.ts";
import { none, type Target } from "./target.ts";

/** The amount of work of a row, and other amounts that show how its cost grows. */
export interface Amounts {
  base: number;
  others: readonly number[];
  /** The unit of work, for example `calls`. */
  unit: string;
  /** The expected exponent of a figure: 0 for figures per unit of work, 1 for figures of the whole work. */
  exponent: 0 | 1;
  /** The number of rounds if a figure takes long; 2 by default. */
  minRounds?: number;
}

/** A row; unless the run is quick, also the rows of shelfleet with the other amounts of work, and its slope. */
export async function measureGrowth(
  run: Run,
  plan: RowPlan,
  amounts: Amounts,
  participants: (work: number) => readonly Participant[],
  rounds: number,
): Promise<Row[]> {
  const base = await measureRow(run, plan, participants(amounts.base), rounds);
  if (run.quick) return [base];
  const measured = new Map([[amounts.base, base]]);
  for (const work of amounts.others) {
    const what = `${plan.what}: with ${work.toLocaleString("en").replaceAll(",", " ")} ${amounts.unit}`;
    // only the row itself has a target; the slope shows the other amounts of work
    const other = { ...plan, id: `${plan.id}.${work}`, what, target: none };
    const own = participants(work).filter(({ name }) => name === plan.ours);
    measured.set(work, await measureRow(run, other, own, roundsAt(work, amounts, rounds)));
  }
  return [...measured.values(), slopeRow(plan, amounts, measured)];
}

function roundsAt(work: number, { base, minRounds = 2 }: Amounts, rounds: number): number {
  return Math.min(rounds, Math.max(minRounds, Math.round((rounds * base) / work)));
}

export function slopeRow(
  plan: RowPlan,
  { exponent }: Pick<Amounts, "exponent">,
  measured: ReadonlyMap<number, Row>,
): Row {
  const rows = [...measured];
  const names = [...(rows[0]?.[1].samples.keys() ?? [])];
  const complete = names.filter((name) => rows.every(([, { samples }]) => samples.has(name)));
  const slopeOf = (name: string): number =>
    slope(rows.map(([work, row]) => ({ work, value: medianIn(row, name) })));
  return {
    ...plan,
    id: `${plan.id}.slope`,
    what: `${plan.what}: exponent of growth`,
    unit: "exponent",
    target: steady(plan.better, exponent),
    samples: new Map(complete.map((name) => [name, [slopeOf(name)]])),
  };
}

/** An exponent is compared only with its target, because exponents have no ratio. */
export const isSlope = (id: string): boolean => id.endsWith(".slope");

function medianIn({ samples }: Row, name: string): number {
  return spread(samples.get(name) ?? []).median;
}

/** A cost may grow with an exponent at most 0.1 higher than the work's, and a rate may fall with one at most 0.1. */
function steady(better: "less" | "more", exponent: number): Target {
  const limit = better === "less" ? exponent + 0.1 : exponent - 0.1;
  return {
    text: `${better === "less" ? "≤" : "≥"} ${limit.toFixed(1)}`,
    met(samples, ours) {
      const { median } = spread(samples.get(ours) ?? []);
      return better === "less" ? median <= limit : median >= limit;
    },
  };
}
