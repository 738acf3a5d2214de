import type { Finding, ProbeReport } from "./report.ts";

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
    const [one, other] = [stateOf(known), stateOf(finding)];
    return one === other ? [] : [{ gap: finding.gap, before: one, after: other }];
  });
}

/** Decided and likely readings are compared as equal: the verdict also depends on the data of a run. */
function stateOf({ verdict, reading }: Finding): string {
  return reading ?? verdict;
}
