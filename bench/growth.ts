import type { Row, RowPlan, Run } from "./measurement.ts";
import { type Entrant, measureRow } from "./rounds.ts";
import { slope, spread } from "./statistics.ts";
import type { Target } from "./target.ts";

/** How much work a row's figure stands for, and the other two amounts that `--growth` tries: 1, 10 and 100 times. */
export interface Amounts {
  base: number;
  others: readonly number[];
  /** What is counted, e.g. `calls`. */
  unit: string;
  /** How a figure may grow with the work: 0 where it is that of one piece, 1 where it is that of all. */
  exponent: 0 | 1;
}

/** A row; with `--growth` also at the other amounts of work, and the slope of each contender's figure. */
export async function grown(
  run: Run,
  plan: RowPlan,
  amounts: Amounts,
  entrants: (work: number) => readonly Entrant[],
  rounds: number,
): Promise<Row[]> {
  const base = await measureRow(run, plan, entrants(amounts.base), rounds);
  if (!run.growth) return [base];
  const measured = new Map([[amounts.base, base]]);
  for (const work of amounts.others) {
    const what = `${plan.what}: with ${work.toLocaleString("en").replaceAll(",", " ")} ${amounts.unit}`;
    const other = { ...plan, id: `${plan.id}.${work}`, what };
    const fewer = Math.round((rounds * amounts.base) / work);
    measured.set(work, await measureRow(run, other, entrants(work), Math.min(rounds, Math.max(3, fewer))));
  }
  return [...measured.values(), slopeRow(plan, amounts, measured)];
}

function slopeRow(plan: RowPlan, { exponent }: Amounts, measured: ReadonlyMap<number, Row>): Row {
  const rows = [...measured];
  const names = [...(rows[0]?.[1].samples.keys() ?? [])];
  const slopeOf = (name: string): number =>
    slope(rows.map(([work, row]) => ({ work, value: medianIn(row, name) })));
  return {
    ...plan,
    id: `${plan.id}.slope`,
    what: `${plan.what}: exponent of growth`,
    unit: "",
    target: steady(plan.better, exponent),
    samples: new Map(names.map((name) => [name, [slopeOf(name)]])),
  };
}

function medianIn({ samples }: Row, name: string): number {
  return spread(samples.get(name) ?? []).median;
}

/** A cost may not grow faster than the work by more than a tenth of an exponent, nor a rate fall so. */
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
