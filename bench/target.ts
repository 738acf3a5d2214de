import { ratios, type Samples, spread } from "./statistics.ts";

/** The bound of a row's figures. A missing figure misses it. */
export interface Target {
  text: string;
  /** A goal is not reached yet, or not on every machine. Any other target is met, and no change may miss it. */
  isGoal?: boolean;
  met: (samples: Samples, ours: string) => boolean;
}

/** A row without a bound. */
export const none: Target = {
  text: "none",
  met: (samples, ours) => Number.isFinite(median(samples, ours)),
};

export function goal(target: Target): Target {
  return { ...target, isGoal: true };
}

function median(samples: Samples, name: string): number {
  return spread(samples.get(name) ?? []).median;
}

/** The figure of shelfleet divided by another's, round by round. */
function overOther(samples: Samples, ours: string, other: string): number {
  return ratios(samples.get(ours) ?? [], samples.get(other) ?? []).median;
}

export function atMost(limit: number, unit: string): Target {
  return { text: `≤ ${limit} ${unit}`, met: (samples, ours) => median(samples, ours) <= limit };
}

export function atMostTimes(factor: number, other: string): Target {
  return {
    text: factor === 1 ? `≤ ${other}` : `≤ ${factor.toFixed(2)} × ${other}`,
    met: (samples, ours) => overOther(samples, ours, other) <= factor,
  };
}

export function atLeastTimes(factor: number, other: string): Target {
  return {
    text: `≥ ${factor} × ${other}`,
    met: (samples, ours) => overOther(samples, ours, other) >= factor,
  };
}

/** Each of `others` takes at least `factor` times as long as shelfleet. */
export function fasterThan(factor: number, others: readonly string[], text: string): Target {
  return {
    text,
    met: (samples, ours) => others.every((other) => overOther(samples, other, ours) >= factor),
  };
}

/** None of `others` takes less than shelfleet. */
export function atMostLowest(others: readonly string[], text: string): Target {
  return fasterThan(1, others, text);
}

export function allOf(...targets: readonly Target[]): Target {
  return {
    text: targets.map(({ text }) => text).join("; "),
    met: (samples, ours) => targets.every((target) => target.met(samples, ours)),
  };
}
