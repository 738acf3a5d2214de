import { meaningOf, partialText } from "../field/probe/markdown.ts";
import type { PlannedExperiment } from "../field/probe/plan.ts";
import type { Finding, ProbeReport, Remedy } from "../field/probe/report.ts";

/** The largest number of characters of an explanation on a line. */
const MAX_LENGTH = 90;

/** Returns the last lines of a run: a table for each API, and the unknown readings by what the reader can do. */
export function tableLines(report: ProbeReport): string[] {
  const { requests, partial, leftBehind = [] } = report;
  const findings = report.findings.filter(({ remedy }) => remedy !== "none");
  const lines: string[] = [];
  for (const api of ["store", "fleet"] as const) {
    const known = findings.filter((one) => one.api === api && one.verdict !== "unknown");
    if (known.length === 0) continue;
    lines.push("", `${api} API`, line("gap", "verdict", "reading", "requests", "meaning"));
    lines.push(...known.map(findingLine));
  }
  lines.push("", ...unknownLines(report, findings));
  const found = findings.filter(({ reading }) => reading !== undefined).length;
  lines.push(
    `${found} of ${findings.length} gaps found with ${requests.total} requests, ${requests.writes} of them writes`,
  );
  if (partial !== undefined) lines.push(`This report is partial: ${partialText(report)}`);
  for (const path of leftBehind) lines.push(`Not restored: ${path}`);
  return lines;
}

function line(gap: string, verdict: string, reading: string, requests: string, meaning: string): string {
  return `  ${gap.padEnd(30)} ${verdict.padEnd(8)} ${reading.padEnd(24)} ${requests.padStart(8)}  ${shorten(meaning)}`;
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function findingLine({ gap, verdict, reading, reason, evidence }: Finding): string {
  const meaning = reading === undefined ? reason : meaningOf(gap, reading);
  return line(gap, verdict, reading ?? "-", String(evidence.length), meaning);
}

const REMEDIES: readonly (readonly [remedy: Remedy, advice: string])[] = [
  ["more requests", "more requests (--max-requests)"],
  ["odd requests", "requests with invalid or unknown parameters (without --no-odd)"],
  ["keys", "narrow keys (SHELFLEET_NARROW_KEYS)"],
  ["writes", "writes (--write with --sandbox-url or --scratch-store)"],
];

/** Returns the unknown readings, first those for which a setting is enough, then those that lack data. */
function unknownLines({ neededRequests }: ProbeReport, findings: readonly Finding[]): string[] {
  const unknown = findings.filter(({ verdict }) => verdict === "unknown");
  const bySetting = REMEDIES.flatMap(([remedy, advice]) => {
    const gaps = unknown.filter((one) => one.remedy === remedy).map(({ gap }) => gap);
    const number = remedy === "more requests" && neededRequests !== undefined ? ` ${neededRequests}` : "";
    return gaps.length === 0
      ? []
      : [`  unknown, needs ${advice.replace(")", `${number})`)}: ${gaps.join(", ")}`];
  });
  const byData = unknown
    .filter(({ remedy }) => remedy === "data")
    .map(({ gap, needs = "" }) => `  unknown, needs data: ${gap}: ${needs}`);
  return [...bySetting, ...byData];
}

/** Returns the lines of `--dry-run`. */
export function planLines(plan: readonly PlannedExperiment[]): string[] {
  return plan.map(({ gap, consent, cost, needs }) => {
    const requests = Math.ceil(cost);
    return `${gap.padEnd(30)} ${consent.padEnd(9)} ${requests} request${requests === 1 ? " " : "s"}  needs ${needs}`;
  });
}

const BAR = 24;

/** Returns a line with the progress of a run. */
export function progressLine(requests: number, maximum: number, rate: number, gap: string): string {
  const done = Math.min(Math.round((requests / maximum) * BAR), BAR);
  const seconds = Math.ceil(Math.max(maximum - requests, 0) / rate);
  return `${"#".repeat(done)}${".".repeat(BAR - done)} ${requests}/${maximum} at most ${seconds} s ${gap}`;
}
