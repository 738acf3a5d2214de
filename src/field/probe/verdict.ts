import type { Observation } from "./experiment.ts";
import { type OpenGap, readingsOf } from "./gap.ts";

/**
 * The certainty of a finding. `decided`: two independent observations, or one that can have no other cause, exclude every
 * other reading. `likely`: one observation excludes them. `fragile`: two observations contradict each other. `other`: no
 * named reading agrees with the observations. `unknown`: several readings are still possible.
 */
export type Verdict = "decided" | "likely" | "fragile" | "other" | "unknown";

/** The result of the observations of one gap. */
export interface Evaluation {
  readonly verdict: Verdict;
  readonly reading?: string;
  /** The readings that are still possible, if some are excluded. */
  readonly candidates?: readonly string[];
  readonly reason: string;
  readonly evidence: readonly number[];
}

/** One conclusive observation or two independent ones exclude readings; otherwise the verdict is at most likely. */
export function evaluate(gap: OpenGap, observations: readonly Observation[]): Evaluation {
  const all = readingsOf(gap);
  const informative = observations.filter(({ fits }) => fits.length < all.length);
  if (informative.length === 0) return { verdict: "unknown", reason: "", evidence: [] };
  const evidence = [...new Set(informative.flatMap((one) => one.evidence))].toSorted((a, b) => a - b);
  const left = all.filter((reading) => informative.every(({ fits }) => fits.includes(reading)));
  if (left.length === 0) return { ...contradiction(informative), evidence };
  const reason = reasonsOf(informative);
  const [reading, ...others] = left;
  if (reading === undefined || others.length > 0)
    return { verdict: "unknown", candidates: left, reason, evidence };
  const isSure = all.every((other) => other === reading || isExcluded(other, informative));
  return { verdict: isSure ? "decided" : "likely", reading, reason, evidence };
}

function contradiction(informative: readonly Observation[]): {
  verdict: "other" | "fragile";
  reason: string;
} {
  const unexplained = informative.filter(({ fits }) => fits.length === 0);
  const verdict = unexplained.length === informative.length ? "other" : "fragile";
  return { verdict, reason: reasonsOf(verdict === "other" ? unexplained : informative) };
}

function isExcluded(reading: string, informative: readonly Observation[]): boolean {
  const against = informative.filter(({ fits }) => !fits.includes(reading));
  return (
    against.some(({ conclusive }) => conclusive) || new Set(against.map(({ source }) => source)).size > 1
  );
}

const MAX_REASONS = 3;

function reasonsOf(observations: readonly Observation[]): string {
  const reasons = [...new Set(observations.map(({ reason }) => reason))];
  const more = reasons.length - MAX_REASONS;
  return reasons.slice(0, MAX_REASONS).join(" ") + (more > 0 ? ` (${more} more)` : "");
}
