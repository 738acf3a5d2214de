import type { Finding } from "./judge/rows.ts";

/** The result of a scenario. */
export type Verdict =
  /** The result is right. */
  | "correct"
  /** The program stopped with an error and has written nothing wrong. */
  | "loud"
  /** The program reported success, and the result is wrong. */
  | "silent"
  /** The program did not end, or sent the same request again and again. */
  | "hung"
  /** The program stopped with an error, but it had written something wrong. */
  | "harmful"
  /** The token or key left the program. */
  | "leaked"
  /** The program kept asking although the service told it to wait. */
  | "hammered"
  /** The fault was never reached, or the program fails without one. */
  | "not exercised"
  /** Nothing could differ. */
  | "does not count";

export interface Observation {
  /** Whether the last run failed. */
  readonly isFailed: boolean;
  readonly isHung: boolean;
  /** The place at which the token or key was found. */
  readonly leak: string | undefined;
  readonly isHammered: boolean;
  readonly isReached: boolean;
  /** Whether nothing goes wrong in this world, so that an error says nothing about robustness. */
  readonly isPlain: boolean;
  readonly cannotDiffer: boolean;
  readonly kind: "copy" | "write";
  readonly findings: readonly Finding[];
}

/** The differences that a program which stops with an error may leave: what it has not done yet. */
const UNFINISHED: ReadonlySet<string> = new Set(["lost"]);

export function decideVerdict(observed: Observation): Verdict {
  const { isFailed, findings, kind } = observed;
  if (observed.leak !== undefined) return "leaked";
  if (observed.isHammered) return "hammered";
  if (observed.isHung) return "hung";
  const harm = kind === "write" ? findings.filter((finding) => !UNFINISHED.has(finding.kind)) : [];
  if (isFailed && harm.length > 0) return "harmful";
  if (!isFailed && findings.length > 0) return "silent";
  if (observed.cannotDiffer) return "does not count";
  if (!observed.isReached || (isFailed && observed.isPlain)) return "not exercised";
  return isFailed ? "loud" : "correct";
}

export function isPass(verdict: Verdict): boolean {
  return verdict === "correct" || verdict === "loud" || verdict === "does not count";
}
