import { VERDICTS, meaningOf, partialText, questionOf, unknownLines } from "../field/probe/markdown.ts";
import type { PlannedExperiment } from "../field/probe/plan.ts";
import type { Finding, ProbeReport } from "../field/probe/report.ts";

/** Returns the last lines of a run: a table for each API, and the unknown readings by what the reader can do. */
export function tableLines(report: ProbeReport): string[] {
  const { requests, partial, leftBehind = [] } = report;
  const findings = report.findings.filter(({ remedy }) => remedy !== "none");
  const lines: string[] = [];
  for (const api of ["store", "fleet"] as const) {
    const known = findings.filter((finding) => finding.api === api && finding.verdict !== "unknown");
    if (known.length === 0) continue;
    lines.push("", `${api} API`, line("gap", "verdict", "reading", "requests"));
    lines.push(...known.flatMap(findingLines));
  }
  if (lines.length > 0) lines.push("", ...VERDICTS.map((text) => `  ${text}`));
  lines.push("", ...unknownLines(report).map((text) => `  ${text}`));
  const [decided, likely] = (["decided", "likely"] as const).map(
    (wanted) => findings.filter(({ verdict }) => verdict === wanted).length,
  );
  lines.push(
    `${decided} of ${findings.length} gaps decided and ${likely} likely with ${requests.total} requests, ${requests.writes} of them writes`,
  );
  if (partial !== undefined) lines.push(`This report is partial: ${partialText(report)}`);
  for (const path of leftBehind) lines.push(`Not restored: ${path}`);
  return lines;
}

function line(gap: string, verdict: string, reading: string, requests: string): string {
  return `  ${gap.padEnd(31)} ${verdict.padEnd(8)} ${reading.padEnd(24)} ${requests.padStart(8)}`;
}

/** A meaning such as "Yes." is understood only after its question. */
function findingLines({ gap, verdict, reading, reason, evidence }: Finding): string[] {
  const meaning = reading === undefined ? reason : meaningOf(gap, reading);
  return [line(gap, verdict, reading ?? "-", String(evidence.length)), `    ${questionOf(gap)} ${meaning}`];
}

/** Returns the lines of `--dry-run`. */
export function planLines(plan: readonly PlannedExperiment[]): string[] {
  return plan.map(({ gap, consent, cost, needs }) => {
    const requests = Math.ceil(cost);
    return `${gap.padEnd(30)} ${consent.padEnd(9)} ${requests} request${requests === 1 ? " " : "s"}  needs ${needs}`;
  });
}

const BAR = 24;

export function progressLine(requests: number, maximum: number, rate: number, gap: string): string {
  const done = Math.min(Math.round((requests / maximum) * BAR), BAR);
  const seconds = Math.ceil(Math.max(maximum - requests, 0) / rate);
  return `${"#".repeat(done)}${".".repeat(BAR - done)} ${requests}/${maximum} at most ${seconds} s ${gap}`;
}
