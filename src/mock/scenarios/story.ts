import { escapeLine } from "../../wire/foreign-text.ts";
import { causes } from "./causes.ts";
import type { Finding } from "./judge/finding.ts";
import type { Report, ReportedRequest } from "./report.ts";

const MAX_FINDINGS = 3;
const MAX_REQUESTS = 12;
const MAX_VALUE = 160;

/** Tells what happened in a scenario, line by line. */
export function tellStory(report: Report): string {
  const { scenario, verdict, why, task, world, failure, leak, findings, requests, cause } = report;
  const lines = [
    `${scenario}: ${verdict}${leak === undefined ? "" : ` (${leak})`}`,
    `  why it happens   ${why}`,
    `  task             ${task}`,
    ...(world.length > 0 ? [`  world            ${world.join("; ")}`] : []),
    // a program that was stopped has not finished
    ...describeFindings(verdict === "hung" ? [] : findings),
    ...(failure === undefined ? [] : [`  error            ${shorten(failure)}`]),
    ...describeRequests(requests),
    ...(cause === undefined
      ? []
      : [`  likely cause     ${causes[cause].title}`, `  hint             ${causes[cause].hint}`]),
  ];
  return lines.join("\n");
}

function describeFindings(findings: readonly Finding[]): string[] {
  const shown = findings
    .slice(0, MAX_FINDINGS)
    .flatMap(({ kind, what, expected, got }) => [
      `  ${kind.padEnd(16)} ${shorten(what)}`,
      ...(expected === undefined ? [] : [`    expected       ${shorten(JSON.stringify(expected))}`]),
      ...(got === undefined ? [] : [`    got            ${shorten(JSON.stringify(got))}`]),
    ]);
  const more = findings.length - MAX_FINDINGS;
  return more > 0 ? [...shown, `    and ${more} more`] : shown;
}

/** Shows the requests around the first one that a fault affected. */
function describeRequests(requests: readonly ReportedRequest[]): string[] {
  const first = requests.findIndex(({ faults }) => faults.length > 0);
  const start = Math.max(0, first - 2);
  const shown = requests.slice(start, start + MAX_REQUESTS).map(describeRequest);
  const [before, after] = [start, requests.length - start - shown.length];
  return [
    ...(requests.length > 0 ? ["  requests"] : ["  requests         none"]),
    ...(before > 0 ? [`    … ${before} before`] : []),
    ...shown,
    ...(after > 0 ? [`    … ${after} more`] : []),
  ];
}

function describeRequest({ method, target, status, faults }: ReportedRequest): string {
  const mark = faults.length > 0 ? `  <-- ${faults.join(", ")}` : "";
  return `    ${faults.length > 0 ? "*" : " "} ${method} ${shorten(target)} ${status ?? "no response"}${mark}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return escapeLine(line.length <= MAX_VALUE ? line : `${line.slice(0, MAX_VALUE - 1)}…`);
}
