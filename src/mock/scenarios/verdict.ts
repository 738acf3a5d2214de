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
  /** The token or key left the program, or the data of a write was sent to another host. */
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
  /** The place at which the token, the key or the data was found. */
  readonly leak: string | undefined;
  readonly isHammered: boolean;
  readonly isReached: boolean;
  /** Whether nothing goes wrong in this world, so that an error says nothing about robustness. */
  readonly isPlain: boolean;
  readonly cannotDiffer: boolean;
  readonly kind: "copy" | "write";
  readonly findings: readonly Finding[];
}

/** Whether a program that stops with an error must not leave a difference: it is more than work that is not done yet. */
function isHarm({ kind }: Finding, goal: Observation["kind"]): boolean {
  return goal === "write" ? kind !== "lost" : kind === "wrong place";
}

export function decideVerdict(observed: Observation): Verdict {
  const { isFailed, findings, kind } = observed;
  if (observed.leak !== undefined) return "leaked";
  if (observed.isHammered) return "hammered";
  if (observed.isHung) return "hung";
  if (isFailed && findings.some((finding) => isHarm(finding, kind))) return "harmful";
  if (!isFailed && findings.length > 0) return "silent";
  if (observed.cannotDiffer) return "does not count";
  if (!observed.isReached || (isFailed && observed.isPlain)) return "not exercised";
  return isFailed ? "loud" : "correct";
}

export function isPass(verdict: Verdict): boolean {
  return verdict === "correct" || verdict === "loud" || verdict === "does not count";
}
