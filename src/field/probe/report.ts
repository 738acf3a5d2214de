import type { Readings } from "../../../generated/gaps.ts";
import type { EndReason } from "../sender/budget.ts";
import type { Investigation } from "./investigation.ts";
import { lineOf } from "../sender/sender.ts";
import type { Exchange } from "./exchange.ts";
import { type Consent, type OpenGap, apiOf, lackingFor, openGaps } from "./gap.ts";
import { excerptOf } from "./excerpt.ts";
import { type ShownBody, showBody } from "./request-body.ts";
import type { JsonSchema } from "./shapes/count.ts";
import type { Verdict } from "./verdict.ts";

/** The way to find out an unknown reading. `none`: no request of a probe observes it. */
export type Remedy = "more requests" | "keys" | "writes" | "odd requests" | "data" | "none";

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
  /** The way to a verdict, if the verdict is `unknown`. */
  readonly remedy?: Remedy;
  /** The assumption of the experiment. */
  readonly assumes?: string;
  /** The numbers of the requests that are its evidence: `n` in the report's `evidence`. */
  readonly evidence: readonly number[];
}

/** A request with an excerpt of its response. A request with a body has a `contentType`. */
export interface Evidence extends Partial<ShownBody> {
  readonly n: number;
  /** The name of the service: a key of the report's `services`. */
  readonly as: string;
  readonly request: string;
  /** `X-Service-API-Version` of the request. */
  readonly version?: string;
  readonly contentType?: string;
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
  /** The approximate number of requests that a run needs to decide what can be decided. */
  readonly neededToDecide?: number;
  /** The approximate number of requests that a run needs to look for every reading once. */
  readonly neededToFind?: number;
  /** The seconds that the service asked to wait, if that ended the run. */
  readonly retryAfter?: number;
  /** The services that the run left out, with the reasons. */
  readonly unavailable?: readonly string[];
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

const REMEDIES: Readonly<Record<Consent, Remedy>> = {
  passive: "data",
  read: "data",
  "read-odd": "odd requests",
  keys: "keys",
  write: "writes",
};

function remedyOf({ experiment, isDone }: Investigation, allowed: ReadonlySet<Consent>): Remedy {
  if (!allowed.has(experiment.consent)) return REMEDIES[experiment.consent];
  return isDone || experiment.consent === "passive" ? "data" : "more requests";
}

/** Returns the finding of one gap. */
export function findingOf(
  gap: OpenGap,
  investigation: Investigation | undefined,
  allowed: ReadonlySet<Consent>,
): Finding {
  const api = apiOf(gap);
  if (investigation === undefined) {
    const needs = lackingFor(gap) ?? "an experiment";
    return { gap, api, verdict: "unknown", reason: "", needs, remedy: "none", evidence: [] };
  }
  const { verdict, reading, candidates, reason, evidence } = investigation.evaluation;
  const { consent, needs, assumes } = investigation.experiment;
  const data = investigation.isUndescribed
    ? `a response that a reading describes, other than this: ${reason}`
    : (investigation.missing ?? needs);
  const lacking = allowed.has(consent) ? data : CONSENTS[consent];
  return {
    gap,
    api,
    verdict,
    ...(reading !== undefined && { reading }),
    ...(candidates !== undefined && { candidates }),
    reason,
    ...(verdict === "unknown" && { needs: lacking, remedy: remedyOf(investigation, allowed) }),
    assumes,
    evidence,
  };
}

/** Returns the findings of all gaps of a run, in the order of the gap list. */
export function findingsOf(
  investigations: readonly Investigation[],
  allowed: ReadonlySet<Consent>,
  isWanted: (gap: OpenGap) => boolean,
  ignoredQueries: ReadonlyMap<"store" | "fleet", string> = new Map(),
  goneAfter = Number.POSITIVE_INFINITY,
): Finding[] {
  const byGap = new Map(investigations.map((investigation) => [investigation.gap, investigation]));
  const findings = openGaps.filter(isWanted).map((gap) => findingOf(gap, byGap.get(gap), allowed));
  const storeWrites = investigations.filter(
    ({ gap, experiment }) => experiment.consent === "write" && apiOf(gap) === "store",
  );
  const writes: ReadonlySet<string> = new Set(storeWrites.map(({ gap }) => gap));
  const contradictions = investigations.filter(({ isContradictory }) => isContradictory);
  return findings.map((finding) => {
    const path = ignoredQueries.get(finding.api);
    if (path !== undefined) return distrust(finding, ...ignoredQuery(path));
    if (writes.has(finding.gap) && finding.evidence.some((n) => n > goneAfter))
      return distrust(finding, ...GONE);
    const contradictory = contradictions.find(({ gap }) => apiOf(gap) === finding.api);
    return contradictory === undefined ? finding : weaken(finding, contradictory.gap);
  });
}

/** A service that responds in two ways to one question may have several servers, each with its own readings. */
function weaken(finding: Finding, contradictory: OpenGap): Finding {
  const cause = `The service responded in two ways about ${contradictory}, as several servers behind one address do.`;
  if (finding.verdict === "decided")
    return { ...finding, verdict: "likely", reason: `${cause} ${finding.reason}` };
  return distrust(finding, cause, "the same response to equal requests");
}

function ignoredQuery(path: string): [cause: string, needs: string] {
  const cause = `Different queries of ${path} got the same response, although one of them must differ, as behind a cache that ignores the query.`;
  return [cause, "a connection without that cache"];
}

const GONE = [
  "The scratch store was removed or replaced during the run.",
  "a scratch store that no other client changes",
] as const;

function distrust({ reading, ...finding }: Finding, cause: string, needs: string): Finding {
  if (finding.verdict === "unknown") return finding;
  const reason = `${cause} ${finding.reason}`;
  const candidates = reading === undefined ? {} : { candidates: [reading] };
  return { ...finding, verdict: "unknown", ...candidates, reason, needs, remedy: "data" };
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
  return evidence.filter(({ n }) => citedNumbers.has(n)).toSorted((a, b) => a.n - b.n);
}

/** Returns an exchange as evidence. `marker` is part of the texts that the run sends. */
export function toEvidence(exchange: Exchange, marker = ""): Evidence {
  const { n, as, status, json, version, body, contentType = "application/json" } = exchange;
  return {
    n,
    as,
    request: lineOf(exchange),
    ...(version !== undefined && { version }),
    ...(body !== undefined && { contentType, ...showBody(as, body, marker) }),
    status,
    excerpt: excerptOf(json),
  };
}

/** A finding that differs from that of an earlier run. */
export interface Drift {
  readonly gap: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the findings that changed between two reports. A verdict of `unknown` says nothing about the service, so
 * a change from or to it is left out.
 */
export function driftBetween(
  before: Pick<ProbeReport, "findings">,
  after: Pick<ProbeReport, "findings">,
): Drift[] {
  const old = new Map(before.findings.map((finding) => [finding.gap, finding]));
  return after.findings.flatMap((finding) => {
    const known = old.get(finding.gap);
    if (known === undefined || known.verdict === "unknown" || finding.verdict === "unknown") return [];
    const [earlier, present] = [stateOf(known), stateOf(finding)];
    return earlier === present ? [] : [{ gap: finding.gap, before: earlier, after: present }];
  });
}

/** Decided and likely readings are compared as equal: the verdict also depends on the data of a run. */
function stateOf({ verdict, reading }: Finding): string {
  return reading ?? verdict;
}
