import { escapeLine } from "../wire/message.ts";
import { redactorOf } from "../wire/secret.ts";
import { searchOf } from "./faults.ts";
import type { Finding } from "./findings.ts";
import type { Family, Plan } from "./row.ts";
import { isSolvable, right, type RightId } from "./right.ts";
import type { World } from "./world.ts";

/** Whether a program has passed, has failed, or nothing is known about it: as JUnit names it. */
export const outcomes = {
  /** The result is right. */
  correct: "pass",
  /** The program stopped with an error and has written nothing wrong. */
  loud: "pass",
  /** The program reported success, and the result is wrong. */
  silent: "failure",
  /** The program did not end, or sent the same request again and again. */
  hung: "failure",
  /** The program stopped with an error, but it had written something wrong. */
  harmful: "failure",
  /** The token or key left the program, or the data of a write was sent to another host. */
  leaked: "failure",
  /** The program kept asking although the service told it to wait. */
  hammered: "failure",
  /** The program did not end in time, and waited for no response for long: it needs more time, or fewer programs beside it. */
  "too slow": "error",
  /** The fault was never reached, or the program fails without one. */
  "not exercised": "error",
  /** The rows of the program cannot be read. */
  "not judged": "error",
  /** The result is wrong, and nothing that the service sent shows it. */
  unnoticeable: "pass",
} as const;

/** The result of a scenario. */
export type Verdict = keyof typeof outcomes;

/** The result of one scenario. */
export interface Report {
  readonly scenario: string;
  readonly family: Family;
  readonly why: string;
  /** The task in words. */
  readonly task: string;
  /** The events and readings of the world. */
  readonly world: readonly string[];
  readonly verdict: Verdict;
  readonly isPass: boolean;
  /** What would have been right or would help, in one sentence; also after a stop where a program can be right. */
  readonly right?: string;
  /** What the program did not reach. */
  readonly unreached?: string;
  /** The message of the program's error; if it reported success and the result is wrong, what a process logged last. */
  readonly failure?: string;
  readonly leak?: string;
  readonly findings: readonly Finding[];
  /** The requests and their responses. Those with a fault begin with an asterisk and end with its description. */
  readonly requests: readonly string[];
}

/** The number of characters of an error that are reported. */
const MAX_FAILURE = 4_000;

/** Describes a result without secrets. */
export function reportOf(
  world: World,
  verdict: Verdict,
  { findings, leak, failure }: { findings: Finding[]; leak: string | undefined; failure: string | undefined },
): Report {
  const { plan } = world;
  const { redact } = redactorOf(world.secrets);
  const outcome = outcomes[verdict];
  const isWarning = verdict === "loud" && isSolvable(plan.right);
  const requests = requestsOf(world);
  return {
    scenario: plan.name,
    family: plan.family,
    why: plan.why,
    task: plan.task.words,
    world: describeWorld(plan),
    verdict,
    isPass: outcome === "pass",
    ...((outcome === "failure" || verdict === "too slow" || isWarning) && {
      right: right[rightOf(plan, verdict, requests.length)],
    }),
    ...(verdict === "not exercised" && { unreached: world.unreached() ?? "the end of the task" }),
    ...(failure !== undefined && { failure: redact(failure).slice(0, MAX_FAILURE) }),
    ...(leak !== undefined && { leak: escapeLine(redact(leak)) }),
    findings: JSON.parse(redact(JSON.stringify(findings))) as Finding[], // only strings can change
    requests,
  };
}

function describeWorld({ fault, readings = {}, runs }: Plan): string[] {
  const meanings = Object.entries(readings).map(([gap, reading]) => `${gap} is "${String(reading)}"`);
  const times = typeof runs === "object" ? `it is killed at request ${runs.killedAt}, and runs again` : runs;
  return [fault?.what, ...meanings, times].filter((text) => text !== undefined);
}

function requestsOf({ ref, faultIds, plan: { fault } }: World): string[] {
  return ref.journal.all().map(({ method, path, query, status, overrides = [] }) => {
    const search = searchOf(query).toString();
    const request = `${method} ${shorten(search === "" ? path : `${path}?${search}`)} ${status ?? "no response"}`;
    const isMet = overrides.some((id) => faultIds.includes(id));
    return isMet ? `* ${request}  <-- ${fault?.what}` : `  ${request}`;
  });
}

/** More requests than that are a loop, fewer of them are a wait. */
const LOOP = 25;

function rightOf(plan: Plan, verdict: Verdict, requests: number): RightId {
  if (verdict === "too slow") return "more-time";
  if (verdict === "leaked") return "keep-secrets";
  if (verdict === "hammered") return "obey-the-wait";
  if (verdict === "hung") return requests > LOOP ? "notice-loops" : "end-waits";
  return plan.right;
}

const MAX_FINDINGS = 3;
const MAX_REQUESTS = 12;
const MAX_VALUE = 160;

const EXIT_CODE = "if it noticed the error, end with another exit code";

/** Tells what happened in a scenario, line by line. */
export function tellStory(report: Report): string {
  const { scenario, verdict, why, task, world, findings, failure, leak, unreached, requests } = report;
  // a program that was stopped has not finished
  const known = verdict === "hung" || verdict === "too slow" ? [] : findings;
  const shown = known.slice(0, MAX_FINDINGS);
  const first = requests.findIndex((request) => request.startsWith("*"));
  const start = Math.max(0, first - 2);
  const rest = requests.length - start - MAX_REQUESTS;
  return [
    `${scenario}: ${verdict}${leak === undefined ? "" : ` (${leak})`}`,
    `  why it happens   ${why}`,
    `  task             ${task}`,
    ...titled("world", world.join("; ")),
    ...titled("not reached", unreached),
    ...shown.flatMap(({ kind, what, expected, got }) => [
      ...titled(kind, what),
      ...titled("  expected", JSON.stringify(expected)),
      ...titled("  got", JSON.stringify(got)),
    ]),
    ...(known.length > shown.length ? [`    and ${known.length - shown.length} more`] : []),
    ...titled("error", failure),
    ...(verdict === "silent" && failure !== undefined ? titled("", EXIT_CODE) : []),
    requests.length === 0 ? "  requests         none" : "  requests",
    ...(start > 0 ? [`      … ${start} before`] : []),
    ...requests.slice(start, start + MAX_REQUESTS).map((request) => `    ${request}`),
    ...(rest > 0 ? [`      … ${rest} more`] : []),
    ...titled(verdict === "too slow" ? "what helps" : "right would be", report.right),
  ].join("\n");
}

/** Returns a line of a story, if there is something to tell. */
function titled(title: string, text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : [`  ${title.padEnd(16)} ${shorten(text)}`];
}

/** Returns text of a program or a service on one line, without commands for a terminal. */
function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return escapeLine(line.length <= MAX_VALUE ? line : `${line.slice(0, MAX_VALUE - 1)}…`);
}

/** Returns the lines about failures and warnings, grouped by what would have been right, and the counts. */
export function summarize(reports: readonly Report[], repeat: (scenario: string) => string): string[] {
  const failed = reports.filter(({ verdict }) => outcomes[verdict] === "failure");
  const groups = [...Map.groupBy(failed, (report) => report.right).values()];
  const warned = reports.filter((report) => report.verdict === "loud" && report.right !== undefined);
  const unjudged = reports.filter(({ verdict }) => outcomes[verdict] === "error");
  const counts = Map.groupBy(reports, ({ verdict }) => verdict);
  return [
    ...groups.toSorted((a, b) => rank(b) - rank(a)).flatMap((group) => describeGroup(group, repeat)),
    ...describeWarnings(warned),
    ...[...Map.groupBy(unjudged, ({ task }) => task).values()].flatMap(describeUnjudgedTask),
    `${countOf(reports)}: ${[...counts].map(([verdict, { length }]) => `${length} ${verdict}`).join(", ")}`,
  ];
}

/** Failures in a world without faults come first. */
function rank(group: readonly Report[]): number {
  return group.some(({ family }) => family === "plain") ? Infinity : group.length;
}

function describeGroup(group: readonly Report[], repeat: (scenario: string) => string): string[] {
  const [first, ...others] = group.toSorted((a, b) => a.requests.length - b.requests.length);
  if (first === undefined) return [];
  return [
    `${countOf(group)} with one remedy: ${first.right}`,
    "",
    ...tellStory(first).split("\n"),
    `  run it again     ${repeat(first.scenario)}`,
    ...others.map(({ scenario, verdict, findings }) => {
      const kinds = [...new Set(findings.map(({ kind }) => kind))].join(", ");
      return `  also             ${scenario}: ${verdict}${kinds === "" ? "" : ` (${kinds})`}`;
    }),
    "",
  ];
}

function countOf({ length }: readonly Report[]): string {
  return length === 1 ? "1 scenario" : `${length} scenarios`;
}

/** Describes stops that pass, although a program can get the right result. */
function describeWarnings(reports: readonly Report[]): string[] {
  if (reports.length === 0) return [];
  const groups = Map.groupBy(reports, (report) => report.right);
  return [
    `${countOf(reports)} passed with an error, where a program can be right:`,
    ...[...groups].flatMap(([remedy, group]) => [
      `  ${remedy}`,
      ...group.map(({ scenario, failure }) => `    ${scenario}${quoteFailure(failure)}`),
    ]),
    "",
  ];
}

/** Describes what was not judged of a task, in their order: if it fails without a fault, nothing is known of the others. */
function describeUnjudgedTask(group: readonly Report[]): string[] {
  const [first, ...others] = group;
  if (first?.family !== "plain" || others.length === 0) return group.map(describeUnjudged);
  return [describeUnjudged(first), `${first.scenario} fails: ${countOf(others)} of this task not judged`];
}

/** Describes a scenario that was not judged, in one line. */
function describeUnjudged({ scenario, verdict, unreached, failure, right: help }: Report): string {
  if (verdict === "too slow")
    return `${scenario}: too slow here, and it waited for no response for long${quoteFailure(failure)}. ${help}`;
  const reason = unreached === undefined ? verdict : `did not reach: ${unreached}`;
  return `${scenario}: ${reason}${quoteFailure(failure)}`;
}

function quoteFailure(failure: string | undefined): string {
  return failure === undefined ? "" : ` (${failure.slice(0, 200)})`;
}

/** Returns the reports as JUnit XML. */
export function toJunit(reports: readonly Report[]): string {
  const count = (outcome: string): number =>
    reports.filter(({ verdict }) => outcomes[verdict] === outcome).length;
  const cases = reports.map((report) => {
    const { family, scenario, verdict } = report;
    const outcome = outcomes[verdict];
    const story = `<${outcome} message="${verdict}">${escapeXml(tellStory(report))}</${outcome}>`;
    return `<testcase classname="${family}" name="${scenario}">${outcome === "pass" ? "" : story}</testcase>`;
  });
  const head = `<testsuite name="shelfleet prove" tests="${reports.length}" failures="${count("failure")}" errors="${count("error")}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join("\n")}\n</testsuite>\n`;
}

/** Returns text for an element of XML. */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt" };
  const lines = text.split("\n").map(escapeLine);
  return lines.join("\n").replace(/[&<>]/g, (sign) => `&${entities[sign]};`);
}

/** Where a progress is written: the standard error output, so that the standard output has the reports only. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const CLEAR_LINE = "\r\u001b[K";

/** Tells how far a run of many scenarios is. */
export interface Progress {
  /** Counts a report, and names its scenario if the program has not passed. */
  add(report: Report): void;
  /** Removes the line. */
  end(): void;
}

/** Starts a progress: a line that changes on a terminal, and each failure as it comes. */
export function startProgress(output: ProgressOutput, total: number): Progress {
  const clear = output.isTTY === true ? CLEAR_LINE : "";
  let done = 0;
  let failed = 0;
  return {
    add({ scenario, verdict, isPass }) {
      done += 1;
      failed += Number(!isPass);
      if (!isPass) output.write(`${clear}${scenario}: ${verdict}\n`);
      if (clear !== "") output.write(`${clear}${done} of ${total} scenarios, ${failed} failed`);
    },
    end: () => void output.write(clear),
  };
}
