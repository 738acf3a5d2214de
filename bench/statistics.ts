/** Each contender's figures, one per round, in the order of the rounds. */
export type Samples = ReadonlyMap<string, readonly number[]>;

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Each property is NaN if there is no value. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const valueAt = (index: number): number => sorted[index] ?? Number.NaN;
  const median = (valueAt((sorted.length - 1) >> 1) + valueAt(sorted.length >> 1)) / 2;
  return { median, min: valueAt(0), max: valueAt(sorted.length - 1) };
}

/** The ratios of figures of the same round, so that other work on the machine affects both. */
export function ratios(values: readonly number[] = [], others: readonly number[] = []): Spread {
  return spread(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** Formats a figure with its significant digits. */
export function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
