import { gaps } from "../../../generated/gaps.ts";
import { escapeLine, escapeMarkdown } from "../../wire/foreign-text.ts";
import type { Evidence, Finding, ProbeReport } from "./report.ts";

/** Returns the report in Markdown: a table, then each finding with its evidence. */
export function toMarkdown(report: ProbeReport): string {
  const { services, probedAt, requests, partial, leftBehind, findings } = report;
  const head = [
    "# Readings of the service",
    "",
    `Probed at ${probedAt} with ${requests.total} requests, ${requests.writes} of them writes.`,
    ...Object.entries(services).map(([name, url]) => `- ${name}: ${escapeMarkdown(url)}`),
    ...(partial === undefined ? [] : ["", `**This report is partial:** ${PARTIAL[partial]}`]),
    ...(leftBehind ?? []).map((what) => `- **Not restored:** ${escapeMarkdown(what)}`),
  ];
  const table = [
    "| gap | verdict | reading | why |",
    "|---|---|---|---|",
    ...findings.map(({ gap, verdict, reading, reason, needs }) =>
      row([gap, verdict, reading ?? "", reason === "" ? `needs ${needs ?? ""}` : reason]),
    ),
  ];
  const evidence = new Map(report.evidence.map((one) => [one.n, one]));
  const sections = findings
    .filter((one) => one.evidence.length > 0)
    .map((one) => section(one, evidence, services));
  return `${[...head, "", ...table, "", ...sections].join("\n")}\n`;
}

export const PARTIAL = {
  requests: "the number of requests was reached.",
  failures: "the service failed three times in a row.",
  stopped: "the run was stopped.",
} as const;

/** The number of requests that are shown for one finding. */
const MAX_EVIDENCE = 4;

function section(
  { gap, verdict, reading, candidates, reason, needs, evidence }: Finding,
  all: ReadonlyMap<number, Evidence>,
  services: Readonly<Record<string, string>>,
): string {
  const { question } = gaps[gap as keyof typeof gaps]; // findings name gaps of the gap list
  const exchanges = evidence.slice(0, MAX_EVIDENCE).flatMap((n) => all.get(n) ?? []);
  return [
    `## ${gap}: ${verdict}${reading === undefined ? "" : `, ${reading}`}`,
    "",
    question,
    "",
    escapeMarkdown(reason),
    ...(candidates === undefined ? [] : ["", `Still possible: ${candidates.join(", ")}.`]),
    ...(needs === undefined ? [] : ["", `Needs ${needs}.`]),
    "",
    ...exchanges.map((one) => exchangeBlock(one, services)),
  ].join("\n");
}

function exchangeBlock(
  { n, as, request, status, excerpt }: Evidence,
  services: Readonly<Record<string, string>>,
): string {
  const [method = "GET", path = ""] = request.split(" ");
  const base = (services[as] ?? services.fleet ?? services.sandbox ?? "").replace(/\/+$/, "");
  const option = method === "GET" ? "" : `-X ${method} `;
  const secret =
    as === "store" ? "$SHELFLEET_TOKEN" : as === "sandbox" ? "$SHELFLEET_SANDBOX_KEY" : "$SHELFLEET_KEY";
  return [
    "```text",
    `[${n}] ${escapeLine(request)}`,
    `    ${status} ${escapeLine(excerpt)}`,
    escapeLine(
      `    curl ${option}-H "Authorization: Bearer ${secret}" '${`${base}${path}`.replaceAll("'", "%27")}'`,
    ),
    "```",
    "",
  ].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(" | ")} |`;
}
