/** What a round measures of a contender, both in the unit of its row. */
export interface Figure {
  value: number;
  /** The processor time of all threads of the contender's process, if the figure is a time. */
  processor?: number | undefined;
}

/** Each contender's figures, one per round, in the order of the rounds. */
export type Samples = ReadonlyMap<string, readonly Figure[]>;

export interface Spread {
  median: number;
  min: number;
  max: number;
}

function medianOf(sorted: readonly number[]): number {
  const valueAt = (index: number): number => sorted[index] ?? Number.NaN;
  return (valueAt((sorted.length - 1) >> 1) + valueAt(sorted.length >> 1)) / 2;
}

/** Each property is NaN if there is no value. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: medianOf(sorted), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** The median of the best tenth of the rounds, at least of one: those that other work on the machine disturbed least. */
export function bestTenth(values: readonly number[], isRate = false): number {
  const sorted = values.toSorted((a, b) => (isRate ? b - a : a - b));
  return medianOf(sorted.slice(0, Math.max(1, Math.round(sorted.length / 10))));
}

/** The ratios of figures of the same round, so that other work on the machine affects both. */
export function ratios(values: readonly number[] = [], others: readonly number[] = []): Spread {
  return spread(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** Formats a figure with its significant digits. */
export function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = [100, 10, 0].findIndex((bound) => Math.abs(value) >= bound);
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
