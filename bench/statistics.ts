import { max, median, min } from "d3-array";

/** Each contender's figures, one per round, in the order of the rounds. */
export type Samples = ReadonlyMap<string, readonly number[]>;

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** NaN if there is no value. */
export function spread(values: readonly number[]): Spread {
  const none = Number.NaN;
  return { median: median(values) ?? none, min: min(values) ?? none, max: max(values) ?? none };
}

/**
 * The ratio of each round's value to that of shelfleet in the same round, so that other work on the machine affects
 * both.
 */
export function ratios(values: readonly number[], ours: readonly number[]): Spread {
  return spread(values.map((value, round) => value / (ours[round] ?? Number.NaN)));
}

/** A ratio closer to 1 than this is not called a difference. */
export const difference = 1.3;

export type Verdict = "ours is ahead" | "ours is behind" | "no difference" | "";

/** There is no ratio if one of the figures is 0. */
export const isRatio = (ratio: number): boolean => Number.isFinite(ratio) && ratio > 0;

/** The verdict on a figure that is `ratio` times that of shelfleet; empty without a ratio. */
export function verdict(ratio: number, better: "less" | "more"): Verdict {
  if (!isRatio(ratio)) return "";
  if (ratio < difference && ratio > 1 / difference) return "no difference";
  return ratio > 1 === (better === "less") ? "ours is ahead" : "ours is behind";
}

/** The exponent `e` of `value ~ work ** e`, by least squares over the logarithms: 0 is flat, 1 is linear. */
export function slope(points: readonly { work: number; value: number }[]): number {
  const logs = points.map(({ work, value }) => ({ x: Math.log(work), y: Math.log(value) }));
  const mean = (of: (log: { x: number; y: number }) => number): number =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const [x, y] = [mean((log) => log.x), mean((log) => log.y)];
  return mean((log) => (log.x - x) * (log.y - y)) / mean((log) => (log.x - x) ** 2);
}

/** Formats a figure with its significant digits. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
