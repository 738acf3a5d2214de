import { PARTIAL } from "../field/probe/markdown.ts";
import type { PlannedExperiment } from "../field/probe/plan.ts";
import type { Finding, ProbeReport } from "../field/probe/report.ts";

/** The largest number of characters of a reason on a line. */
const MAX_REASON_LENGTH = 90;

/** Returns the last lines of a run: a table for each API, and the gaps that need more consent or data. */
export function tableLines(report: ProbeReport): string[] {
  const { findings, requests, partial, leftBehind = [] } = report;
  const lines: string[] = [];
  for (const api of ["store", "fleet"] as const) {
    const own = findings.filter((finding) => finding.api === api);
    if (own.length === 0) continue;
    lines.push("", `${api} API`);
    lines.push(...own.filter(({ verdict }) => verdict !== "unknown").map(findingLine));
  }
  lines.push("", ...unknownLines(findings));
  const found = findings.filter(({ reading }) => reading !== undefined).length;
  lines.push(
    `${found} of ${findings.length} gaps found with ${requests.total} requests, ${requests.writes} of them writes`,
  );
  if (partial !== undefined) lines.push(`This report is partial: ${PARTIAL[partial]}`);
  for (const path of leftBehind) lines.push(`Not restored: ${path}`);
  return lines;
}

function findingLine({ gap, verdict, reading, reason, evidence }: Finding): string {
  const shortReason = reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason;
  return `  ${gap.padEnd(30)} ${verdict.padEnd(8)} ${(reading ?? "-").padEnd(24)} ${String(evidence.length).padStart(2)}  ${shortReason}`;
}

/** Returns the gaps that need more consent or data, with the flag for it. */
function unknownLines(findings: readonly Finding[]): string[] {
  const needs = new Map<string, string[]>();
  for (const { gap, verdict, needs: need = "" } of findings) {
    if (verdict === "unknown") needs.set(need, [...(needs.get(need) ?? []), gap]);
  }
  return [...needs].map(([need, gaps]) => {
    const flag = FLAGS[need];
    return `  unknown, needs ${need}${flag === undefined ? "" : ` (${flag})`}: ${gaps.join(", ")}`;
  });
}

const FLAGS: Readonly<Record<string, string>> = {
  writes: "--write with --sandbox-url or --scratch-store",
  "narrow keys": "SHELFLEET_NARROW_KEYS",
  "requests with invalid or unknown parameters": "without --no-odd",
};

/** Returns the lines of `--dry-run`. */
export function planLines(plan: readonly PlannedExperiment[]): string[] {
  return plan.map(({ gap, consent, cost, needs }) => {
    const requests = Math.ceil(cost);
    return `${gap.padEnd(30)} ${consent.padEnd(9)} ${requests} request${requests === 1 ? " " : "s"}  needs ${needs}`;
  });
}

const BAR = 24;

/** Returns a line with the progress of a run. */
export function progressLine(requests: number, maximum: number, gap: string): string {
  const done = Math.min(Math.round((requests / maximum) * BAR), BAR);
  return `${"#".repeat(done)}${".".repeat(BAR - done)} ${requests}/${maximum} ${gap}`;
}
