import { gaps } from "../../../generated/gaps.ts";
import { escapeLine, escapeMarkdown, quoteShell } from "../../wire/foreign-text.ts";
import { quoteBody } from "./request-body.ts";
import { CONFIRMATIONS } from "./verdict.ts";
import type { Evidence, Finding, ProbeReport, Remedy } from "./report.ts";

/** Returns the report in Markdown: the readings, the gaps without one, then each finding with its evidence. */
export function toMarkdown(report: ProbeReport): string {
  const { services, probedAt, requests, partial, leftBehind } = report;
  // a gap that no request can observe is in docs/gaps.md
  const findings = report.findings.filter(({ remedy }) => remedy !== "none");
  const head = [
    "# Readings of the service",
    "",
    `Probed at ${probedAt} with ${requests.total} requests, ${requests.writes} of them writes.`,
    ...Object.entries(services).map(([name, url]) => `- ${name}: ${escapeMarkdown(url)}`),
    ...(report.unavailable ?? []).map((line) => `- **Left out:** ${escapeMarkdown(line)}`),
    ...(partial === undefined ? [] : ["", `**This report is partial:** ${partialText(report)}`]),
    ...(leftBehind ?? []).map((what) => `- **Not restored:** ${escapeMarkdown(what)}`),
  ];
  const table = [
    ...VERDICTS.map((line) => `- ${line}`),
    "",
    "| gap | question | verdict | reading | meaning |",
    "|---|---|---|---|---|",
    ...findings
      .filter(({ verdict }) => verdict !== "unknown")
      .map(({ gap, verdict, reading, reason }) =>
        row([
          gap,
          questionOf(gap),
          verdict,
          reading ?? "",
          reading === undefined ? reason : meaningOf(gap, reading),
        ]),
      ),
    "",
    "## Not found",
    "",
    ...unknownLines(report).map((line) => `- ${escapeMarkdown(line)}`),
  ];
  const evidence = new Map(report.evidence.map((exchange) => [exchange.n, exchange]));
  const sections = findings
    .filter((finding) => finding.evidence.length > 0)
    .map((finding) => section(finding, evidence, services));
  return `${[...head, "", ...table, "", ...sections].join("\n")}\n`;
}

/** The meaning of the verdicts that carry a reading, and what no control can show. */
export const VERDICTS = [
  `decided: ${CONFIRMATIONS} observations over as many connections exclude every other reading`,
  "likely: fewer do; another server of the service could differ",
  "Assumed for all: the path does not choose the server; if it does, a reading is true for the paths of its requests",
] as const;

const REMEDIES: readonly (readonly [remedy: Remedy, advice: string])[] = [
  ["more requests", "more requests (--max-requests)"],
  ["odd requests", "requests with invalid or unknown parameters (without --no-odd)"],
  ["keys", "narrow keys (SHELFLEET_NARROW_KEYS)"],
  ["writes", "writes (--write with --sandbox-url or --scratch-store)"],
];

/** Returns the gaps without a reading, first those for which a setting is enough, then those that lack data. */
export function unknownLines({ neededToFind, findings }: ProbeReport): string[] {
  const unknown = findings.filter(({ verdict }) => verdict === "unknown");
  const bySetting = REMEDIES.flatMap(([remedy, advice]) => {
    const found = unknown.filter((finding) => finding.remedy === remedy).map(({ gap }) => gap);
    const number = remedy === "more requests" && neededToFind !== undefined ? ` ${neededToFind}` : "";
    return found.length === 0
      ? []
      : [`unknown, needs ${advice.replace(")", `${number})`)}: ${found.join(", ")}`];
  });
  const withoutData = unknown.filter(({ remedy }) => remedy === "data");
  const byData = Map.groupBy(withoutData, ({ needs = "" }) => needs);
  const dataLines = [...byData].map(
    ([needs, found]) => `unknown, needs data (${needs}): ${found.map(({ gap }) => gap).join(", ")}`,
  );
  return [...bySetting, ...dataLines];
}

const PARTIAL = {
  requests: "the number of requests was reached",
  failures: "the service failed three times in a row",
  stopped: "the run was stopped",
  limited: "the service responded with 429 six times in a row",
  "retry-after": "the service asked to wait",
  ledger: "the ledger could not be written",
} as const;

/** Returns the reason that a report is partial, and the settings that complete it. */
export function partialText({ partial, neededToDecide, neededToFind, retryAfter }: ProbeReport): string {
  if (partial === undefined) return "";
  const find = neededToFind === undefined ? "" : `; --max-requests ${neededToFind} looks for the others`;
  const decide =
    neededToDecide === undefined ? "" : `; --max-requests ${neededToDecide} decides what can be decided`;
  const wait = retryAfter === undefined ? "" : ` ${Math.ceil(retryAfter / 60)} minutes`;
  return `${PARTIAL[partial]}${wait}${find}${decide}.`;
}

/** Returns the question of a gap that a finding names. */
export function questionOf(gap: string): string {
  return gaps[gap as keyof typeof gaps].question; // findings name gaps of the gap list
}

/** Returns the meaning of a reading in the words of the gap list. */
export function meaningOf(gap: string, reading: string): string {
  const { readings } = gaps[gap as keyof typeof gaps] as { readings?: Readonly<Record<string, string>> }; // a listed gap
  return readings?.[reading] ?? "";
}

/** The number of requests that are shown for one finding. */
const MAX_EVIDENCE = 4;

function section(
  { gap, verdict, reading, candidates, reason, needs, assumes, evidence }: Finding,
  all: ReadonlyMap<number, Evidence>,
  services: Readonly<Record<string, string>>,
): string {
  const exchanges = evidence.slice(0, MAX_EVIDENCE).flatMap((n) => all.get(n) ?? []);
  return [
    `## ${gap}: ${verdict}${reading === undefined ? "" : `, ${reading}`}`,
    "",
    questionOf(gap),
    ...(reading === undefined ? [] : ["", `**${reading}**: ${meaningOf(gap, reading)}`]),
    "",
    escapeMarkdown(reason),
    ...(candidates === undefined ? [] : ["", `Still possible: ${candidates.join(", ")}.`]),
    ...(needs === undefined ? [] : ["", `Needs ${needs}.`]),
    ...(assumes === undefined ? [] : ["", `Assumed: ${assumes}`]),
    "",
    ...exchanges.map((exchange) => exchangeBlock(exchange, services)),
  ].join("\n");
}

function exchangeBlock(exchange: Evidence, services: Readonly<Record<string, string>>): string {
  return [
    "```text",
    `[${exchange.n}] ${escapeLine(exchange.request)}`,
    `    ${exchange.status} ${escapeLine(exchange.excerpt)}`,
    escapeLine(`    ${curlLine(exchange, services)}`),
    "```",
    "",
  ].join("\n");
}

/** Returns the command that sends the same request, with the secrets in variables. */
function curlLine(
  { as, request, version, contentType, body, expressions }: Evidence,
  services: Readonly<Record<string, string>>,
): string {
  const [method = "GET", path = ""] = request.split(" ");
  const base = (services[as] ?? services.fleet ?? services.sandbox ?? "").replace(/\/+$/, "");
  const data = body === undefined ? "" : quoteBody({ body, ...(expressions && { expressions }) });
  // a shell limits the length of an argument
  const isPiped = expressions?.some((expression) => expression.startsWith("$(")) === true;
  return [
    ...(isPiped ? [`printf %s ${data} |`] : []),
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    `-H "Authorization: Bearer ${secretOf(as)}"`,
    ...(version === undefined ? [] : [quote("-H", `X-Service-API-Version: ${version}`)]),
    ...(contentType === undefined ? [] : [quote("-H", `Content-Type: ${contentType}`)]),
    ...(data === "" ? [] : [isPiped ? "--data-binary @-" : `--data ${data}`]),
    quote("", `${base}${path}`),
  ].join(" ");
}

function quote(flag: string, text: string): string {
  return `${flag} ${quoteShell(text)}`.trim();
}

function secretOf(as: string): string {
  const number = /^narrow-(\d+)$/.exec(as)?.[1];
  if (number !== undefined) return `$(echo "$SHELFLEET_NARROW_KEYS" | cut -d, -f${number})`;
  if (as === "store") return "$SHELFLEET_TOKEN";
  return as === "sandbox" ? "$SHELFLEET_SANDBOX_KEY" : "$SHELFLEET_KEY";
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(" | ")} |`;
}
