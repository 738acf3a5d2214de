import { type OpenGap, readingsOf } from "./gap.ts";

/**
 * The certainty of a finding. `decided`: `CONFIRMATIONS` independent observations exclude every other reading. `likely`:
 * fewer do.
 * `fragile`: two observations contradict each other. `other`: two independent observations agree with no named reading.
 * `unknown`: several readings are still possible.
 */
export type Verdict = "decided" | "likely" | "fragile" | "other" | "unknown";

/** The place of a decisive request among all requests of a run. */
export interface Turn {
  readonly n: number;
  /** The connection that it came over: a balancer may choose a server for each. */
  readonly connection: number;
  /** The number of requests before it that failed. */
  readonly failures: number;
  /** Whether it was sent twice in a row, with the same response. */
  readonly isDouble?: boolean;
}

/** An observation whose controls held, evaluated by the predicates of its gap. */
export interface Observation {
  /** The readings that agree with the observation. */
  readonly fits: readonly string[];
  readonly reason: string;
  readonly evidence: readonly number[];
  /** The entity or the operation that was observed. */
  readonly subject: string;
  readonly decisive: readonly Turn[];
}

/** The result of the observations of one gap. */
export interface Evaluation {
  readonly verdict: Verdict;
  readonly reading?: string;
  /** The readings that are still possible, if some are excluded. */
  readonly candidates?: readonly string[];
  /** The number of independent observations that exclude each other reading. */
  readonly confirmations?: number;
  readonly reason: string;
  readonly evidence: readonly number[];
}

/**
 * The number of independent observations that decide. If each connection reaches one of two servers at random, all of them
 * reach the same one in one of 2 ** (CONFIRMATIONS - 1) cases.
 */
export const CONFIRMATIONS = 10;

/** `everyEntity`: the reading is about all entities, so that observations must be of different ones. */
export function evaluate(
  gap: OpenGap,
  observations: readonly Observation[],
  everyEntity: boolean,
): Evaluation {
  const all = readingsOf(gap);
  const informative = observations.filter(({ fits }) => fits.length < all.length);
  if (informative.length === 0) return { verdict: "unknown", reason: "", evidence: [] };
  const evidence = [...new Set(informative.flatMap((shown) => shown.evidence))].toSorted((a, b) => a - b);
  const reason = reasonsOf(informative);
  const left = all.filter((reading) => informative.every(({ fits }) => fits.includes(reading)));
  const [reading, ...others] = left;
  if (reading === undefined) return { verdict: contradictionOf(informative, everyEntity), reason, evidence };
  if (others.length > 0) return { verdict: "unknown", candidates: left, reason, evidence };
  const confirmations = Math.min(
    ...all
      .filter((other) => other !== reading)
      .map((other) =>
        countIndependent(
          informative.filter(({ fits }) => !fits.includes(other)),
          everyEntity,
        ),
      ),
  );
  const verdict = confirmations >= CONFIRMATIONS ? "decided" : "likely";
  return { verdict, reading, confirmations, reason, evidence };
}

/** Returns the number of connections of observations: 1 if two servers that take turns can give different ones. */
function countIndependent(observations: readonly Observation[], everyEntity: boolean): number {
  if (!hasIndependentPair(observations, everyEntity)) return 1;
  return new Set(observations.map(({ decisive }) => decisive.at(-1)?.connection)).size;
}

function contradictionOf(informative: readonly Observation[], everyEntity: boolean): Verdict {
  if (informative.some(({ fits }) => fits.length > 0)) return "fragile";
  return hasIndependentPair(informative, everyEntity) ? "other" : "unknown";
}

function hasIndependentPair(observations: readonly Observation[], everyEntity: boolean): boolean {
  return observations.some((a, index) =>
    observations.slice(index + 1).some((b) => isApart(a, b) && (!everyEntity || a.subject !== b.subject)),
  );
}

/**
 * Whether two servers that take turns behind one address have both handled the decisive requests of two observations:
 * the requests are an odd number apart without a failure between them, or were sent twice in a row.
 */
function isApart({ decisive: a }: Observation, { decisive: b }: Observation): boolean {
  if (a.length === b.length) return a.every((turn, index) => isOtherTurn(turn, b[index] ?? turn));
  const [last, otherLast] = [a.at(-1), b.at(-1)];
  return last !== undefined && otherLast !== undefined && isOtherTurn(last, otherLast);
}

function isOtherTurn(a: Turn, b: Turn): boolean {
  if (a.n === b.n) return false;
  if (a.isDouble === true || b.isDouble === true) return true;
  return isOdd(a.n - b.n) && a.failures === b.failures;
}

export function isOdd(distance: number): boolean {
  return distance % 2 !== 0;
}

const MAX_REASONS = 3;

function reasonsOf(observations: readonly Observation[]): string {
  const reasons = [...new Set(observations.map(({ reason }) => reason))];
  const more = reasons.length - MAX_REASONS;
  return reasons.slice(0, MAX_REASONS).join(" ") + (more > 0 ? ` (${more} more)` : "");
}
