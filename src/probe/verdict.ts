import type { Observation } from "./experiment.ts";
import { type OpenGap, readingsOf } from "./gap.ts";

/**
 * The certainty of a finding. `decided`: two independent observations, or one that can have no other cause, exclude every
 * other reading. `likely`: one observation excludes them. `fragile`: two observations contradict each other. `other`: no
 * named reading agrees with the observations. `unknown`: several readings are still possible.
 */
export type Verdict = "decided" | "likely" | "fragile" | "other" | "unknown";

/** The result of the observations of one gap. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly reading?: string;
  /** The readings that are still possible, if some are excluded. */
  readonly candidates?: readonly string[];
  readonly because: string;
  readonly evidence: readonly number[];
}

/** One conclusive observation or two independent ones exclude readings; otherwise the verdict is at most likely. */
export function judge(gap: OpenGap, observations: readonly Observation[]): Judgement {
  const all = readingsOf(gap);
  const telling = observations.filter(({ fits }) => fits.length < all.length);
  if (telling.length === 0) return { verdict: "unknown", because: "", evidence: [] };
  const evidence = [...new Set(telling.flatMap((one) => one.evidence))].toSorted((a, b) => a - b);
  const left = all.filter((reading) => telling.every(({ fits }) => fits.includes(reading)));
  if (left.length === 0) return { ...contradiction(telling), evidence };
  const because = reasonsOf(telling);
  const [reading, ...others] = left;
  if (reading === undefined || others.length > 0)
    return { verdict: "unknown", candidates: left, because, evidence };
  const isSure = all.every((other) => other === reading || isExcluded(other, telling));
  return { verdict: isSure ? "decided" : "likely", reading, because, evidence };
}

function contradiction(telling: readonly Observation[]): { verdict: "other" | "fragile"; because: string } {
  const strange = telling.filter(({ fits }) => fits.length === 0);
  const verdict = strange.length === telling.length ? "other" : "fragile";
  return { verdict, because: reasonsOf(verdict === "other" ? strange : telling) };
}

function isExcluded(reading: string, telling: readonly Observation[]): boolean {
  const against = telling.filter(({ fits }) => !fits.includes(reading));
  return (
    against.some(({ conclusive }) => conclusive) || new Set(against.map(({ source }) => source)).size > 1
  );
}

const MOST_REASONS = 3;

function reasonsOf(observations: readonly Observation[]): string {
  const reasons = [...new Set(observations.map(({ because }) => because))];
  const more = reasons.length - MOST_REASONS;
  return reasons.slice(0, MOST_REASONS).join(" ") + (more > 0 ? ` (${more} more)` : "");
}
