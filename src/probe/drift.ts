import type { Finding, ProbeReport } from "./report.ts";

/** A finding that differs from that of an earlier run. */
export interface Drift {
  readonly gap: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The findings that changed between two reports. A gap that a run did not reach says nothing about the service, so a
 * change from or to `unknown` is not one.
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

/** Decided and likely readings are the same state: how sure a run is depends on its luck. */
function stateOf({ verdict, reading }: Finding): string {
  return reading ?? verdict;
}
