import type { Readings } from "../../../generated/gaps.ts";
import type { EndReason } from "./budget.ts";
import type { Investigation } from "./engine.ts";
import { type Exchange, lineOf } from "./exchange.ts";
import { type Consent, type OpenGap, apiOf, openGaps } from "./gap.ts";
import { unobservable } from "./experiments/unobservable.ts";
import { excerptOf } from "./excerpt.ts";
import type { JsonSchema } from "./shapes/count.ts";
import type { Verdict } from "./verdict.ts";

/** The result for one gap. */
export interface Finding {
  readonly gap: string;
  readonly api: "store" | "fleet";
  readonly verdict: Verdict;
  /** The reading that the service uses; only with the verdicts `decided` and `likely`. */
  readonly reading?: string;
  /** The readings that are still possible. */
  readonly candidates?: readonly string[];
  /** The observation that the verdict follows from, in one sentence. */
  readonly reason: string;
  /** The data or consent that a verdict would need. */
  readonly needs?: string;
  /** The numbers of the requests that are its evidence: `n` in the report's `evidence`. */
  readonly evidence: readonly number[];
}

/** A request with an excerpt of its response. */
export interface Evidence {
  readonly n: number;
  /** The name of the service: a key of the report's `services`. */
  readonly as: string;
  readonly request: string;
  readonly status: number;
  readonly excerpt: string;
}

/** The result of a run. It is also the readings file. */
export interface ProbeReport {
  readonly version: 1;
  readonly probedAt: string;
  /** The base URLs by name. */
  readonly services: Readonly<Record<string, string>>;
  /** The gaps whose verdict is `decided` or `likely`. */
  readonly readings: Readings;
  readonly findings: readonly Finding[];
  readonly requests: { readonly total: number; readonly writes: number };
  /** The reason that the run ended before every experiment was done. */
  readonly partial?: EndReason;
  /** The data of the service that could not be restored. */
  readonly leftBehind?: readonly string[];
  /** JSON Schemas of the objects that the contract leaves open. */
  readonly shapes: Readonly<Record<string, JsonSchema>>;
  readonly evidence: readonly Evidence[];
}

/** The progress after each observation. */
export interface ProbeProgress {
  readonly gap: string;
  readonly verdict: Verdict;
  readonly requests: number;
  readonly maxRequests: number;
}

/** Returns the reason that the experiment of a gap did not run. */
const CONSENTS: Readonly<Record<Consent, string>> = {
  passive: "",
  read: "requests to a service",
  "read-odd": "requests with invalid or unknown parameters",
  keys: "narrow keys",
  write: "writes",
};

/** Returns the finding of one gap. */
export function findingOf(
  gap: OpenGap,
  investigation: Investigation | undefined,
  allowed: ReadonlySet<Consent>,
): Finding {
  const api = apiOf(gap);
  if (investigation === undefined) {
    const needs = unobservable[gap] ?? "an experiment";
    return { gap, api, verdict: "unknown", reason: "", needs, evidence: [] };
  }
  const { verdict, reading, candidates, reason, evidence } = investigation.evaluation;
  const { consent, needs } = investigation.experiment;
  const lacking = allowed.has(consent) ? (investigation.missing ?? needs) : CONSENTS[consent];
  return {
    gap,
    api,
    verdict,
    ...(reading !== undefined && { reading }),
    ...(candidates !== undefined && { candidates }),
    reason,
    ...(verdict === "unknown" && { needs: lacking }),
    evidence,
  };
}

/** Returns the findings of all gaps of a run, in the order of the gap list. */
export function findingsOf(
  investigations: readonly Investigation[],
  allowed: ReadonlySet<Consent>,
  isWanted: (gap: OpenGap) => boolean,
): Finding[] {
  const byGap = new Map(investigations.map((investigation) => [investigation.gap, investigation]));
  return openGaps.filter(isWanted).map((gap) => findingOf(gap, byGap.get(gap), allowed));
}

/** Returns the readings that are decided or likely. */
export function readingsIn(findings: readonly Finding[]): Readings {
  const found = findings.flatMap(({ gap, verdict, reading }) =>
    reading !== undefined && (verdict === "decided" || verdict === "likely") ? [[gap, reading] as const] : [],
  );
  return Object.fromEntries(found);
}

/** Returns the evidence that findings cite. */
export function citedBy(findings: readonly Finding[], evidence: readonly Evidence[]): Evidence[] {
  const citedNumbers = new Set(findings.flatMap((finding) => finding.evidence));
  return evidence.filter(({ n }) => citedNumbers.has(n));
}

/** Returns an exchange as evidence. */
export function toEvidence(exchange: Exchange): Evidence {
  const { n, as, status, json } = exchange;
  return { n, as, request: lineOf(exchange), status, excerpt: excerptOf(json) };
}
